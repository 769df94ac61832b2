/** Backends that are known only at the update: the run reads them after the workload that it changes. */

import { KUBERNETES_SERVICE_TYPE } from "../../provider/schema/resource-types";
import { Unknown } from "../../policies/subjects";
import type { Bundle } from "./gather";
import { type Properties, recordOf, type Resource, textOf } from "./step";

/** Resources whose change moves pods or nodes. */
const KINDS = "Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Pod|Job|Release|Chart|Rollout";
const WORKLOADS = new RegExp(`^kubernetes:[^:]*:(?:${KINDS})(?:Patch)?$|^alicloud:(?:cs|ess)/`);

/** Deleted workloads are not among them: the engine deletes them after the backends are read. */
const CHANGING: ReadonlySet<string> = new Set(["create", "update", "replace"]);

/**
 * Returns the changing workload that a group's backends wait for, as `Deployment shop/web`, or undefined if none does.
 *
 * @param nodesOnly true if nodes are the backends, whatever pods they have
 */
export function pendingWorkload(bundle: Bundle, members: Resource, nodesOnly: boolean): string | undefined {
    const { component, contract = [], others, all } = bundle;
    const own = [component, ...others].concat(contract);
    const selector = selectorOf(own);
    const awaited = dependencies([...own, members], all);
    const found = [...all.values()].find(
        (one) =>
            WORKLOADS.test(one.type) &&
            CHANGING.has(one.change) &&
            !(nodesOnly && one.change === "update" && !one.type.startsWith("alicloud:")) &&
            (awaited.has(one.urn) || (selector !== undefined && isSelected(one, selector))),
    );
    return found === undefined ? undefined : `${found.type.split(":").at(-1)} ${nameOf(found)}`;
}

function dependencies(from: readonly Resource[], all: ReadonlyMap<string, Resource>): ReadonlySet<string> {
    const seen = new Set<string>();
    const next = from.flatMap(direct);
    for (let urn = next.pop(); urn !== undefined; urn = next.pop()) {
        if (seen.has(urn)) continue;
        seen.add(urn);
        const resource = all.get(urn);
        if (resource !== undefined) next.push(...direct(resource));
    }
    return seen;
}

const direct = ({ after }: Resource): string[] =>
    after === undefined ? [] : [...after.dependencies, ...Object.values(after.propertyDependencies).flat()];

type Selector = Readonly<{ namespace: string; labels: Properties }>;

export function selectorOf(own: readonly Resource[]): Selector | undefined {
    const service = own.find(({ type }) => type === KUBERNETES_SERVICE_TYPE)?.after?.inputs;
    const labels = recordOf(service, "spec", "selector");
    if (labels === undefined || Object.keys(labels).length === 0) return undefined;
    return { namespace: namespaceOf(service), labels };
}

/** True if the pods of a workload have the labels. A label that is not known yet may be a match. */
function isSelected({ before, after }: Resource, { namespace, labels }: Selector): boolean {
    return [before, after].some((state) => {
        if (state === undefined || namespaceOf(state.inputs) !== namespace) return false;
        const given = recordOf(recordOf(state.inputs, "spec", "template") ?? state.inputs, "metadata", "labels");
        const fits = ([key, value]: [string, unknown]): boolean =>
            value instanceof Unknown || given?.[key] instanceof Unknown || given?.[key] === value;
        return given !== undefined && Object.entries(labels).every(fits);
    });
}

const namespaceOf = (inputs: Properties | undefined): string => textOf(inputs, "metadata", "namespace") ?? "default";

function nameOf({ name, after, before }: Resource): string {
    const inputs = (after ?? before)?.inputs;
    if (recordOf(inputs, "metadata") === undefined) return name;
    return `${namespaceOf(inputs)}/${textOf(inputs, "metadata", "name") ?? name}`;
}
