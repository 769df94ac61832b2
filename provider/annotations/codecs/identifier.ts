/** Ids of cloud resources. */

import { listOf } from "./list";
import { text } from "./word";
import { refused, type ValueType } from "./type";

/** Stands for an id that becomes known only when the resource it belongs to is created. Accepted wherever a cloud resource is named. */
export const UNKNOWN_REFERENCE = "(known-after-apply)";

/** A value that only documents contain: `vsw-bp1****`, `192.168.x.x`, `<your-acl-id>`. */
export const isMasked = (value: string): boolean =>
    /\*{2,}/.test(value) || /^<[^<>]*>$/.test(value) || /(?:^|\.)x+\.|\.x+$|^x{2,}$/i.test(value);

/** The id of a cloud resource. `prefix` is what such ids start with, `""` if nothing is promised. */
export function identifier(prefix: string, what: string): ValueType<string> {
    const shape = new RegExp(`^${prefix}[A-Za-z0-9][A-Za-z0-9_-]{0,127}$`);
    const allowed =
        prefix === ""
            ? `${what} (letters, digits, "_" and "-")`
            : `${what} ("${prefix}" followed by letters, digits, "_" and "-")`;
    return text(
        allowed,
        (value) => value === UNKNOWN_REFERENCE || shape.test(value),
        `write ${what}, as the console shows it`,
    );
}

/** Ids of cloud resources as one text, separated by commas without blanks. */
export function identifierList(prefix: string, what: string, example: string): ValueType<string> {
    const several = identifiers(prefix, what, example);
    return {
        allowed: `${identifier(prefix, what).allowed}, or several, separated by commas`,
        parse: (value) => {
            const reading = several.parse(value);
            return refused(reading) ? reading : { value: reading.value.join(",") };
        },
        print: (value) => (typeof value === "string" ? several.print(value.split(",")) : undefined),
    };
}

/** Ids of cloud resources, separated by commas, each once. */
export function identifiers(prefix: string, what: string, example: string): ValueType<readonly string[]> {
    const one = identifier(prefix, what);
    return listOf<string>(
        {
            shape: one.allowed,
            example,
            parse: (value) => one.parse(value),
            print: (entry) => one.print(entry),
        },
        true,
    );
}
