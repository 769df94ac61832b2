/** Backends that the cluster cannot have, and filters that have nothing to filter. */

import { backendTypeOf } from "../../defaults";
import { anyRowOf } from "../../catalogue";
import { diagnostic } from "../../../diagnostics";
import { clbDocument, edgeDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

export const backendType: Rule = ({ type, settings, facts }) => {
    if (settings.backendType !== "eni" || facts.networkPlugin !== "flannel") return [];
    const byAddress = type === "nlb" && settings.serverGroupType === "Ip";
    return [
        diagnostic({
            code: "annotation-exclusion",
            severity: "error",
            about: "backendType",
            cause: byAddress
                ? "pods can be reached by their addresses from outside the cluster only with Terway Edge (or Terway), but the cluster uses Flannel"
                : "pods have network interfaces of their own only with Terway, but the cluster uses Flannel",
            remedy: `set ${keyOf("backendType")}: "ecs", or remove it`,
            source: byAddress ? edgeDocument("Prerequisites") : clbDocument("Use Pod ENIs as backend servers"),
        }),
    ];
};

/** Filters of nodes have no effect while pods are the backends. */
export const nodeFilters: Rule = ({ settings, attempted, facts }) => {
    if (settings.backendType === undefined && attempted.has("backendType")) return [];
    if (backendTypeOf(settings, facts) !== "eni") return [];
    return (["backendLabel", "removeUnscheduledBackend"] as const)
        .filter((field) => settings[field] !== undefined)
        .map((field) =>
            diagnostic({
                code: "annotation-scope",
                severity: "warning",
                about: field,
                part: "key",
                cause: "selects nodes, but pods are the backends of this Service; it has no effect",
                remedy: `remove ${keyOf(field)}, or set ${keyOf("backendType")}: "ecs"`,
                source: anyRowOf(field).source,
            }),
        );
};

/** Nodes that run the pods are weighted by them. */
export const defaultWeight: Rule = ({ settings, facts, externalTrafficPolicy }) => {
    if (
        settings.defaultWeight === undefined ||
        externalTrafficPolicy !== "Local" ||
        backendTypeOf(settings, facts) === "eni"
    )
        return [];
    return [
        diagnostic({
            code: "annotation-scope",
            severity: "warning",
            about: "defaultWeight",
            part: "key",
            cause: "with externalTrafficPolicy Local, nodes are weighted by their number of pods; it has no effect",
            remedy: `remove ${keyOf("defaultWeight")}`,
            source: anyRowOf("defaultWeight").source,
        }),
    ];
};
