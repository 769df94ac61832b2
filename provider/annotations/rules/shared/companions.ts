/** Annotations that need each other, by their catalogue rows. */

import { rowsOf } from "../../catalogue";
import { type Diagnostic, diagnostic } from "../../../diagnostics";
import type { Companion, Row } from "../../row";
import { keyOf, type Rule } from "../context";

export const companions: Rule = ({ type, settings, attempted }) => {
    const diagnostics: Diagnostic[] = [];
    for (const row of rowsOf(type)) {
        const value = settings[row.field];
        if (value === undefined) continue;
        for (const companion of row.companions ?? []) {
            if (companion.when !== undefined && value !== companion.when) continue;
            const other = settings[companion.field];
            const refusedAlready = other === undefined && attempted.has(companion.field);
            const satisfied = companion.equals === undefined ? other !== undefined : other === companion.equals;
            if (!refusedAlready && !satisfied) diagnostics.push(missing(row, companion));
        }
    }
    return diagnostics;
};

function missing(row: Row, companion: Companion): Diagnostic {
    const other = keyOf(companion.field);
    const needed = companion.equals === undefined ? other : `${other}: "${companion.equals}"`;
    const condition = companion.when === undefined ? "" : `"${companion.when}" `;
    return diagnostic({
        code: "annotation-companion",
        severity: companion.severity,
        about: row.field,
        cause: `${condition}${companion.severity === "error" ? "needs" : "should come with"} ${needed}, because ${companion.because}`,
        remedy: `add ${needed}, or remove ${keyOf(row.field)}`,
        source: row.source,
    });
}
