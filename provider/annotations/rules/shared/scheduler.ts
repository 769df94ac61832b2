/** Scheduling that does not fit the backends. */

import { backendTypeOf, defaultOf } from "../../defaults";
import { diagnostic } from "../../../diagnostics";
import { clbDocument, edgeDocument } from "../../../schema/documents";
import { keyOf, type Rule } from "../context";

/** Algorithms by which a backend with more weight gets more traffic. */
const WEIGHTED: readonly (string | undefined)[] = ["wrr", "wlc"];

/** With Local, nodes weigh as much as they have pods, which not every algorithm regards. */
export const weighted: Rule = ({ type, settings, attempted, facts, externalTrafficPolicy }) => {
    if (externalTrafficPolicy !== "Local" || backendTypeOf(settings, facts) === "eni") return [];
    if (settings.scheduler === undefined && attempted.has("scheduler")) return [];
    const algorithm = settings.scheduler ?? defaultOf("scheduler", facts, type);
    if (WEIGHTED.includes(algorithm)) return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: settings.scheduler === undefined ? ["spec", "externalTrafficPolicy"] : "scheduler",
            cause: `with externalTrafficPolicy Local, nodes have weights by their number of pods, and "${algorithm}" does not regard weights: pods on crowded nodes get less traffic`,
            remedy: `set ${keyOf("scheduler")}: "wrr"`,
            source:
                type === "clb"
                    ? clbDocument("Use only nodes running Pods as backend servers")
                    : edgeDocument("Choose an external traffic policy"),
        }),
    ];
};
