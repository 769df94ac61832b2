/** Scheduling that does not fit the listeners. */

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
    return report.diagnostics;
};
