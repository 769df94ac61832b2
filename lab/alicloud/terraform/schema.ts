/**
 * Description of a resource or data source as plain data, with a {@link Schema} for each attribute. The names are those
 * of Terraform (snake case). `lab/alicloud/bridge` maps them to Pulumi's.
 */
import type { Value } from "./value";

export type Kind = "bool" | "int" | "float" | "string" | "list" | "set" | "map" | "object";

/** Returns the problems of a value as texts, none if it is valid. */
export type Validator = (value: Value, attribute: string) => string[];

/** Other attributes of a resource, for decisions that depend on them. */
export interface Attributes {
    text(name: string): string;
    flag(name: string): boolean;
    /** The value, or `undefined` when it is missing, unknown or zero. */
    given(name: string): Value;
}

/** True when a difference of this attribute is to be ignored. Old and new are in text form. */
export type Suppressor = (attribute: string, before: string, after: string, data: Attributes) => boolean;

export interface Schema {
    readonly type: Kind;
    readonly required?: boolean;
    readonly optional?: boolean;
    /** The cloud may fill it in. With `optional`: leaving it out keeps what the cloud has. */
    readonly computed?: boolean;
    /** A change replaces the resource. */
    readonly forceNew?: boolean;
    readonly default?: string | number | boolean;
    /** The default counts as a value of its own on import, so the input is kept there even if it is the default. */
    readonly keepsDefault?: boolean;
    /** Element of a list, set or map of primitives (maps default to text). */
    readonly elem?: Schema;
    /** Attributes of the elements of a list or set of objects. */
    readonly fields?: SchemaMap;
    /** Identity of a set element. Default is the hash of all attributes that a user may give. */
    readonly hash?: (element: Value) => number;
    readonly maxItems?: number;
    readonly minItems?: number;
    readonly conflictsWith?: readonly string[];
    /** Attributes of the resource of which at least one must be set. */
    readonly atLeastOneOf?: readonly string[];
    readonly validate?: Validator;
    readonly suppress?: Suppressor;
    /** Warning text. Such an attribute gets no default value. */
    readonly deprecated?: string;
    /** Error text. Such an attribute is refused. */
    readonly removed?: string;
    /** Pulumi's name where it does not follow from the Terraform name. */
    readonly pulumiName?: string;
}

export type SchemaMap = { readonly [name: string]: Schema };

export const isPrimitive = (kind: Kind): boolean =>
    kind === "bool" || kind === "int" || kind === "float" || kind === "string";

/**
 * Returns the schemas along a path such as `servers.123.port`: a schema for each step that names something, and last
 * the schema of the value itself. The list is empty when the path leads nowhere.
 */
export function schemasAlong(path: readonly string[], root: SchemaMap): Schema[] {
    let current: Schema = { type: "object", fields: root };
    if (path.length === 0) return [current];
    const found: Schema[] = [];
    for (let i = 0; i < path.length; i++) {
        const step = path[i]!;
        switch (current.type) {
            case "object": {
                const next = current.fields?.[step];
                if (next === undefined) return [];
                current = next;
                break;
            }
            case "list":
            case "set":
                if (step === "#") current = { type: "int" };
                else if (current.fields !== undefined) current = { type: "object", fields: current.fields };
                else current = current.elem ?? { type: "string" };
                break;
            case "map":
                current = current.elem ?? { type: "string" };
                break;
            default:
                return [];
        }
        found.push(current);
    }
    return found;
}

export const schemaAt = (path: readonly string[], root: SchemaMap): Schema | undefined =>
    schemasAlong(path, root).at(-1);
