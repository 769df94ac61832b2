/** Scheduling that does not fit the listeners or the backends. */

import { backendTypeOf, defaultOf } from "../../defaults";
import type { Finding } from "../../finding";
import { clbDocument, edgeDocument } from "../../../schema/documents";
import { hasListener, keyOf, type Rule } from "../context";

/** Hashing, which HTTP and HTTPS listeners may not know. */
export const scheduler: Rule = (context) => {
    const { settings } = context;
    const findings: Finding[] = [];
    const hash = settings.scheduler === "sch" || settings.scheduler === "tch";
    if (hash && context.protocols !== undefined && hasListener(context, "http", "https")) {
        findings.push({
            code: "annotation-effect",
            severity: "warning",
            at: "scheduler",
            message: `"${settings.scheduler}" is documented without saying whether HTTP and HTTPS listeners know it`,
            remedy: `use "rr" or "wrr" for HTTP and HTTPS listeners`,
            source: clbDocument("Set the scheduling algorithm"),
        });
    }
    return findings;
};

/** Algorithms by which a backend with more weight gets more traffic. */
const WEIGHTED: readonly (string | undefined)[] = ["wrr", "wlc"];

/** With Local, nodes weigh as much as they have pods, which not every algorithm regards. */
export const weighted: Rule = ({ type, settings, attempted, facts, externalTrafficPolicy }) => {
    if (externalTrafficPolicy !== "Local" || backendTypeOf(settings, facts) === "eni") return [];
    if (settings.scheduler === undefined && attempted.has("scheduler")) return [];
    const algorithm = settings.scheduler ?? defaultOf("scheduler", facts, type);
    if (WEIGHTED.includes(algorithm)) return [];
    return [
        {
            code: "annotation-effect",
            severity: "warning",
            at: settings.scheduler === undefined ? ["spec", "externalTrafficPolicy"] : "scheduler",
            message: `with externalTrafficPolicy Local, nodes have weights by their number of pods, and "${algorithm}" does not regard weights: pods on crowded nodes get less traffic`,
            remedy: `set ${keyOf("scheduler")}: "wrr"`,
            source:
                type === "clb"
                    ? clbDocument("Use only nodes running Pods as backend servers")
                    : edgeDocument("Choose an external traffic policy"),
        },
    ];
};
