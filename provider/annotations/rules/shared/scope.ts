/** Annotations for listeners that the Service does not have. */

import { rowsOf } from "../../catalogue";
import { collector } from "../../../diagnostics";
import { hasListener, type Rule } from "../context";

export const scope: Rule = (context) => {
    const report = collector("annotation-scope");
    for (const row of rowsOf(context.type)) {
        if (
            row.protocols === undefined ||
            context.settings[row.field] === undefined ||
            hasListener(context, ...row.protocols)
        )
            continue;
        const needed = row.protocols.map((protocol) => protocol.toUpperCase()).join(" and ");
        const present = [...new Set(context.protocols)].map((protocol) => protocol.toUpperCase()).join(" and ");
        report.warning(
            row.field,
            `applies to ${needed} listeners only, but the Service has ${present} listeners; it has no effect`,
            "remove it, or give a port such a listener by protocol-port",
            { part: "key", source: row.source },
        );
    }
    return report.diagnostics;
};
