/** Checks of a folder's Services against the cluster and the configuration. Each returns what is wrong. */
import { collector, type Diagnostic, inFileOrder } from "../../provider/diagnostics";
import { observeService, servingController } from "../../provider/plan/controller";
import { closest } from "../../provider/service/annotations/closest";
import { managerOf } from "../../provider/service/controller";
import { placeOf } from "./manifests";
import { type FolderConfig, type FolderView, namesOf, serviceLists } from "./view";

/**
 * Names without a Service: `protect`, for example, would silently have no effect. It is advice only if the Service has
 * left the folder, and nothing if it is handed back.
 */
export function namesOutside(config: FolderConfig, { services, unexposed, live }: FolderView) {
    const names = [...services.keys(), ...unexposed.keys()];
    const problems: string[] = [];
    const advice: string[] = [];
    for (const [list, keys] of Object.entries(serviceLists(config))) {
        const missing = keys.filter((key) => !names.includes(key));
        const wrong = missing.filter((key) => !live.has(key));
        const left = missing.filter((key) => live.has(key));
        if (wrong.length > 0) problems.push(describeMissing(list, wrong, names));
        if (left.length > 0 && list !== "handBack") advice.push(describeMissing(list, left, names));
    }
    const unadopted = Object.keys(config.adopt).filter((key) => !services.has(key));
    problems.push(
        ...unadopted.map(
            (key) =>
                `the folder of manifests has no Service ${key}, which adopt names. ` +
                "Remedy: add its manifest, or take it off the list.",
        ),
    );
    return { problems, advice };
}

/** New Services whose namespace the cluster does not have: this stack creates none. */
export function withoutNamespace({ services, live, missingNamespaces }: FolderView): readonly Diagnostic[] {
    const report = collector("service-field");
    for (const [key, service] of services) {
        const [namespace] = namesOf(key);
        if (live.has(key) || !missingNamespaces.has(namespace)) continue;
        report.error(
            placeOf(service, ["metadata", "namespace"]),
            `the cluster has no namespace "${namespace}", and this stack creates none`,
            `create it first (kubectl create namespace ${namespace}), or correct metadata.namespace`,
        );
    }
    return inFileOrder(report.diagnostics);
}

/** Services that the Cloud Controller Manager manages, and that are not to be adopted. */
export const servedByCcm = ({ adopt }: FolderConfig, { services, live }: FolderView): string[] =>
    [...services.keys()].flatMap((key) => {
        const found = live.get(key);
        if (key in adopt || found === undefined || managerOf(found).kind !== "ccm") return [];
        return [`Service ${key}: ${servingController(observeService(found), true)}`];
    });

function describeMissing(list: string, missing: readonly string[], names: readonly string[]): string {
    const suggested = missing.map((key) => {
        const nearest = nearestService(key, names);
        return nearest === undefined ? key : `${key} (did you mean ${nearest}?)`;
    });
    const stays = list === "protect" ? "; a Service that leaves the folder stays protected until then" : "";
    return (
        `config ${list} names what the folder of manifests does not have: ${suggested.join(", ")}. ` +
        `Remedy: correct the name, or take it off the list${stays}.`
    );
}

/** Returns the Service that a misspelt key means: a part of the key is right, and the other is near. */
function nearestService(key: string, names: readonly string[]): string | undefined {
    const [namespace, name] = namesOf(key);
    const rest = (fits: string, part: number) =>
        names
            .map((other) => other.split("/"))
            .flatMap((parts) => (parts[1 - part] === fits ? (parts[part] ?? []) : []));
    const near = closest(name, rest(namespace, 1));
    if (near !== undefined) return `${namespace}/${near}`;
    const nearNamespace = closest(namespace, rest(name, 0));
    return nearNamespace === undefined ? undefined : `${nearNamespace}/${name}`;
}
