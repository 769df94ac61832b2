import type { SchemaMap } from "../terraform/schema";
import { camelCase, pulumiName } from "./names";

/** The engine's text for a finding about the inputs of a resource. */
export function checkReason(finding: string, resource: string, fields: SchemaMap): string {
    const missing = /"(.*?)": required field is not set/.exec(finding);
    if (missing !== null) return `Missing required property '${propertyOf(missing[1]!, fields)}'`;
    const conflict = /"(.*?)": conflicts with/.exec(finding);
    if (conflict !== null) return `${finding}. Examine values at '${resource}.${propertyOf(conflict[1]!, fields)}'.`;
    return finding;
}

/** Looks up top-level names only. A dotted name is put into camel case as a whole. */
const propertyOf = (name: string, fields: SchemaMap): string =>
    name in fields ? pulumiName(name, fields[name]) : camelCase(name);
