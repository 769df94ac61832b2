/** Backends that the cluster cannot have, and filters that have nothing to filter. */

import { backendTypeOf } from "../defaults";
import { anyRowOf } from "../catalogue";
import type { Finding } from "../finding";
import { clbDocument } from "../sources";
import { keyOf, type Rule } from "./context";

export const backendType: Rule = ({ settings, facts }) => {
    if (settings.backendType !== "eni" || facts.networkPlugin !== "flannel") return [];
    return [
        {
            code: "annotation-exclusion",
            severity: "error",
            at: "backendType",
            message: "pods have network interfaces of their own only with Terway, but the cluster uses Flannel",
            remedy: `set ${keyOf("backendType")}: "ecs", or remove it`,
            source: clbDocument("Use Pod ENIs as backend servers"),
        },
    ];
};

/** Filters of nodes have no effect while pods are the backends. */
export const nodeFilters: Rule = ({ settings, attempted, facts }) => {
    if (settings.backendType === undefined && attempted.has("backendType")) return [];
    if (backendTypeOf(settings, facts) !== "eni") return [];
    return (["backendLabel", "removeUnscheduledBackend"] as const)
        .filter((field) => settings[field] !== undefined)
        .map((field): Finding => ({
            code: "annotation-scope",
            severity: "warning",
            at: field,
            part: "key",
            message: "selects nodes, but pods are the backends of this Service; it has no effect",
            remedy: `remove ${keyOf(field)}, or set ${keyOf("backendType")}: "ecs"`,
            source: anyRowOf(field).source,
        }));
};
