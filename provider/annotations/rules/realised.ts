/** Annotations that this version understands but cannot make so yet. They are refused, because ignoring them would be worse. */

import { allRows } from "../catalogue";
import type { Finding } from "../finding";
import type { Row } from "../row";
import type { Rule } from "./context";

export const realised: Rule = ({ settings, attempted }) => {
  const findings: Finding[] = [];
  for (const row of allRows) {
    if (!row.realised && attempted.has(row.field)) findings.push(refuse(row, "this version does not realise the annotation yet"));
    const value = settings[row.field];
    if (row.realised && value !== undefined && row.unrealised?.isIn(value) === true) findings.push(refuse(row, `this version does not realise ${row.unrealised.what} yet`));
  }
  return findings;
};

function refuse(row: Row, message: string): Finding {
  return { code: "annotation-not-realised", severity: "error", at: row.field, part: "key", message, remedy: "remove it until a later version does", source: row.source };
}
