/** Pulumi's names of Terraform attributes. */
import type { Schema, SchemaMap } from "../terraform/schema";

/** Reports whether Pulumi shows a list or set as its only element, because it may hold no more. */
export const isSingle = (schema: Schema | undefined): boolean =>
    schema !== undefined && (schema.type === "list" || schema.type === "set") && schema.maxItems === 1;

/** Pulumi's name of an attribute: camel case, lists in the plural. */
export function pulumiName(name: string, schema: Schema | undefined): string {
    if (schema?.pulumiName !== undefined) return schema.pulumiName;
    const isMany = schema !== undefined && (schema.type === "list" || schema.type === "set") && !isSingle(schema);
    return camelCase(isMany ? plural(name) : name);
}

/** Names in camel case, of which a run asks for the same few thousands of times. */
const inCamelCase = new Map<string, string>();

export function camelCase(name: string): string {
    const known = inCamelCase.get(name);
    if (known !== undefined) return known;
    const made = name.replace(/_([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
    inCamelCase.set(name, made);
    return made;
}

function plural(name: string): string {
    if (/s$/.test(name)) return name;
    return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** Returns Terraform's name of a property. An unknown property is turned into snake case. */
export function terraformName(property: string, fields: SchemaMap | undefined): string {
    for (const [name, schema] of Object.entries(fields ?? {})) if (pulumiName(name, schema) === property) return name;
    return property.replace(/[A-Z]/g, (letter, at: number) =>
        at === 0 ? letter.toLowerCase() : `_${letter.toLowerCase()}`,
    );
}

/** Returns the schema of the elements of a list, set or map, or `undefined` when the schema does not describe them. */
export function elementSchema(schema: Schema | undefined): Schema | undefined {
    if (schema === undefined) return undefined;
    return schema.fields === undefined ? schema.elem : { type: "object", fields: schema.fields };
}
