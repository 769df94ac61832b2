/** Scheduling that does not fit the listeners, or that the documents do not know. */

import { collector } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import { hasListener, type Rule } from "../context";

/** Hashing, which HTTP and HTTPS listeners may not know. */
export const scheduler: Rule = (context) => {
    const { settings } = context;
    const report = collector("annotation-effect", { source: clbDocument("Set the scheduling algorithm") });
    const hash = settings.scheduler === "sch" || settings.scheduler === "tch";
    if (hash && context.protocols !== undefined && hasListener(context, "http", "https")) {
        report.warning(
            "scheduler",
            `"${settings.scheduler}" is documented without saying whether HTTP and HTTPS listeners know it`,
            `use "rr" or "wrr" for HTTP and HTTPS listeners`,
        );
    }
    if (settings.scheduler === "wlc")
        report.warning(
            "scheduler",
            '"wlc" is no documented value of a CLB; only the API of the cloud says whether it is one',
            'use "wrr"',
            { code: "annotation-undocumented" },
        );
    return report.diagnostics;
};
