/** Annotations for listeners that the Service does not have. */

import { rowsOf } from "../../catalogue";
import type { Finding } from "../../finding";
import { hasListener, type Rule } from "../context";

export const scope: Rule = (context) => {
    const findings: Finding[] = [];
    for (const row of rowsOf(context.type)) {
        if (
            row.protocols === undefined ||
            context.settings[row.field] === undefined ||
            hasListener(context, ...row.protocols)
        )
            continue;
        const wanted = row.protocols.map((protocol) => protocol.toUpperCase()).join(" and ");
        const present = [...new Set(context.protocols)].map((protocol) => protocol.toUpperCase()).join(" and ");
        findings.push({
            code: "annotation-scope",
            severity: "warning",
            at: row.field,
            part: "key",
            message: `applies to ${wanted} listeners only, but the Service has ${present} listeners; it has no effect`,
            remedy: "remove it, or give a port such a listener by protocol-port",
            source: row.source,
        });
    }
    return findings;
};
