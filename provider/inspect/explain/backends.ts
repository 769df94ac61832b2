/** Why a load balancer does not reach pods. */

import type { PodObject } from "../../kubernetes";
import { faqDocument, clbDocument } from "../../schema/documents";
import { parseBackendKey } from "../../backend/member";
import { backendsOfGroups } from "../live/groups";
import { serviceNameOf } from "../live/model";
import { type Examine, type Explanation, some } from "./explanation";

const BACKENDS = clbDocument("Backend servers");

const isReady = ({ status }: PodObject): boolean =>
    (status?.conditions ?? []).some(({ type, status: state }) => type === "Ready" && state === "True");

/** No pod is there for it, or none is ready. */
export const pods: Examine = ({ object, pods: all, slices }) => {
    const selector = Object.entries(object.spec?.selector ?? {}).map(([key, value]) => `${key}=${value}`);
    if (selector.length === 0) return [];
    const ready = slices
        .flatMap(({ endpoints }) => endpoints ?? [])
        .filter(({ conditions }) => conditions?.ready !== false);
    if (ready.length > 0) return wrongPort(object.spec?.ports ?? [], slices, serviceNameOf(object));
    if (all.length === 0)
        return [
            {
                verdict: "broken",
                what: "no pod has the labels of the Service's selector",
                evidence: [`selector ${some(selector)}`, `no pod in namespace ${object.metadata.namespace}`],
                remedy: "correct spec.selector, or the labels of the Deployment's pods",
                source: faqDocument("errors"),
            },
        ];
    const waiting = all
        .filter((pod) => !isReady(pod))
        .map(({ metadata, status }) => `${metadata.name} is ${status?.phase ?? "unknown"}`);
    return [
        {
            verdict: "broken",
            what: "none of its pods is ready",
            evidence: [some(waiting)],
            remedy: `look at the pods: kubectl -n ${object.metadata.namespace} describe pods -l ${selector.join(",")}`,
            source: faqDocument("errors"),
        },
    ];
};

type Ports = NonNullable<Parameters<Examine>[0]["object"]["spec"]>["ports"];

/** A named targetPort that no container has leaves a slice without the port. */
function wrongPort(ports: NonNullable<Ports>, slices: Parameters<Examine>[0]["slices"], name: string): Explanation[] {
    const known = new Set(slices.flatMap((slice) => slice.ports ?? []).map((port) => port.name ?? ""));
    return ports
        .filter((port) => !known.has(port.name ?? ""))
        .map((port) => ({
            verdict: "broken",
            what: `no pod has the targetPort ${port.targetPort ?? port.port} of port ${port.port}`,
            evidence: [`the EndpointSlices of ${name} do not list port ${port.name ?? port.port}`],
            remedy: "correct spec.ports[].targetPort, or name the container's port so",
            source: faqDocument("errors"),
        }));
}

/** Pods that get no traffic, as the model of backends says. */
export const skipped: Examine = ({ desired }) =>
    desired.flatMap(({ key, notes }) =>
        notes.map((text) => ({
            verdict: "broken",
            what: text,
            evidence: [`server group ${key}`],
            remedy: "look at the node's labels and taints, at backend-label and remove-unscheduled-backend, and at where the pods run",
            source: BACKENDS,
        })),
    );

/** Members and weights that are not those that the cluster asks for. */
export const members: Examine = (live) => {
    const { bindings, cloud } = live;
    if (cloud.kind !== "found") return [];
    return backendsOfGroups(live).flatMap(({ key, id, backends }): Explanation[] => {
        const absent = backends.filter(({ observed }) => observed === undefined).map(({ backend }) => backend);
        const extra = backends.filter(({ desired, own }) => desired === undefined && own).map(({ backend }) => backend);
        const weights = backends
            .filter(({ desired, observed }) => desired !== undefined && observed !== undefined && desired !== observed)
            .map(({ backend, desired, observed }) => `${backend} has ${observed}, ought to have ${desired}`);
        if (absent.length + extra.length + weights.length === 0) return [];
        const empty = backends.every(({ observed }) => observed === undefined);
        const remedy =
            bindings.length > 0
                ? `see why the sync controller has not done it: kubectl -n ${live.object.metadata.namespace} describe servergroupbindings`
                : "run pulumi up, or install the sync controller if pods change by themselves (docs/sync.md)";
        return [
            {
                verdict: "broken",
                what: empty
                    ? `server group ${key} has no backend of the Service`
                    : `server group ${key} is not as the cluster asks for it`,
                evidence: [
                    ...(absent.length === 0 ? [] : [`missing in ${id}: ${some(absent)}`]),
                    ...(extra.length === 0 ? [] : [`no longer a backend: ${some(extra)}`]),
                    ...(weights.length === 0 ? [] : [`weights: ${some(weights)}`]),
                ],
                remedy,
                source: faqDocument("vServer group not updated"),
            },
        ];
    });
};

/** Backends that the load balancer does not reach. */
export const health: Examine = ({ object, cloud }) => {
    if (cloud.kind !== "found" || cloud.health === undefined) return [];
    const bad = cloud.health.filter(({ state }) => state === "abnormal");
    const listeners = [...new Set(bad.map(({ listener }) => listener))];
    return listeners.map((listener) => {
        const own = cloud.health?.filter((one) => one.listener === listener) ?? [];
        const failing = own.filter(({ state }) => state === "abnormal").map(({ backend }) => backend);
        const all = failing.length === own.length;
        return {
            verdict: "broken",
            what: all
                ? `no backend of listener ${listener} passes its health check`
                : `${failing.length} of ${own.length} backends of listener ${listener} fail their health check`,
            evidence: [`the cloud says abnormal: ${some(failing)}`],
            remedy: `check that the security group of the nodes or pods admits the load balancer (100.64.0.0/10), that ${portsOf(failing)} answers, and that path and codes of an HTTP check fit${object.spec?.externalTrafficPolicy === "Local" ? "; with externalTrafficPolicy Local a node without a ready pod fails by design" : ""}`,
            source: clbDocument("Health check"),
        };
    });
};

function portsOf(keys: readonly string[]): string {
    const ports = new Set(keys.map(parseBackendKey).map(({ port }) => port));
    const known = [...ports].filter((port) => port !== undefined);
    return known.length === 0 ? "the port" : `port ${some(known.map(String))}`;
}

/** What the sync controller could not do. */
export const bindings: Examine = ({ bindings: all }) =>
    all
        .filter(({ synced }) => !synced)
        .map(({ name, reason, message }) => ({
            verdict: "broken",
            what: `the sync controller does not keep ${name}: ${message}`,
            evidence: [`condition Synced of ServerGroupBinding ${name} is not true (${reason})`],
            remedy: "do what the message says; the controller tries again by itself",
            source: "docs/sync.md",
        }));
