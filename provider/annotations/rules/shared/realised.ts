/** Annotations that this version understands but cannot make so yet. They are refused, because ignoring them would be worse. */

import { rowsOf } from "../../catalogue";
import { type Diagnostic, diagnostic } from "../../../diagnostics";
import type { Row } from "../../row";
import type { Rule } from "../context";

export const realised: Rule = ({ type, attempted }) =>
    rowsOf(type)
        .filter((row) => !row.realised && attempted.has(row.field))
        .map(refuse);

function refuse(row: Row): Diagnostic {
    const message = "this version does not realise the annotation yet";
    return diagnostic({
        code: "annotation-unsupported",
        severity: "error",
        about: row.field,
        part: "key",
        cause: message,
        remedy: "remove it until a later version does",
        source: row.source,
    });
}
