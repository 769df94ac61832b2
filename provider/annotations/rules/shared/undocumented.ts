/** Annotations that no document describes. */

import { rowsOf } from "../../catalogue";
import { diagnostic } from "../../../diagnostics";
import type { Rule } from "../context";

/** They work, but nobody has promised that they go on working under the Cloud Controller Manager. */
export const undocumented: Rule = ({ type, settings }) =>
    rowsOf(type)
        .filter((row) => row.undocumented === true && settings[row.field] !== undefined)
        .map((row) =>
            diagnostic({
                code: "annotation-undocumented",
                severity: "warning",
                about: row.field,
                part: "key",
                cause: "no document describes the annotation; it is known from the source of the Cloud Controller Manager",
                remedy: "do without it if the Service may go back to the Cloud Controller Manager, or keep it",
                source: row.source,
            }),
        );
