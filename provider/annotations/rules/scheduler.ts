/** Scheduling that does not fit the listeners or the backends. */

import { backendTypeOf } from "../defaults";
import type { Finding } from "../finding";
import { clbDocument } from "../sources";
import { hasListener, keyOf, type Rule } from "./context";

export const scheduler: Rule = (context) => {
    const { settings, attempted, facts, externalTrafficPolicy } = context;
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
    const unweighted = settings.scheduler !== "wrr" && (settings.scheduler !== undefined || !attempted.has("scheduler"));
    if (externalTrafficPolicy === "Local" && unweighted && backendTypeOf(settings, facts) === "ecs") {
        findings.push({
            code: "annotation-effect",
            severity: "warning",
            at: settings.scheduler === undefined ? ["spec", "externalTrafficPolicy"] : "scheduler",
            message: `with externalTrafficPolicy Local, nodes have weights by their number of pods, and "${settings.scheduler ?? "rr"}" does not regard weights: pods on crowded nodes get less traffic`,
            remedy: `set ${keyOf("scheduler")}: "wrr"`,
            source: clbDocument("Use only nodes running Pods as backend servers"),
        });
    }
    return findings;
};
