/** What is wrong with data of unknown shape: zod's issues, with the requirement at each path as the remedy. */

import { z } from "zod";
import { type FieldPath, formatPath, isMapping, valueAt } from "../provider/diagnostics/path";

/** One field that does not fit the schema. */
export interface Problem {
    readonly path: FieldPath;
    /** The value that does not fit; undefined if there is none. */
    readonly value: unknown;
    /** What is required instead: `an integer of 1 or more`. */
    readonly required: string;
    /** Keys of the object at the path that the schema does not have. */
    readonly unknownKeys: readonly string[];
    /** Keys that it has. */
    readonly knownKeys: readonly string[];
}

/** Either the data or every problem with it. */
export type Parsed<T> = { readonly data: T; readonly problems?: undefined } | { readonly problems: readonly Problem[] };

/** Parses data by a schema. */
export function parseData<Schema extends z.ZodType>(schema: Schema, value: unknown): Parsed<z.output<Schema>> {
    const result = schema.safeParse(value);
    if (result.success) return { data: result.data };
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return {
        problems: result.error.issues.map((issue) => {
            const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
            const at = schemaAt(json, path);
            return {
                path,
                value: valueAt(value, path),
                required: requirementOf(at),
                unknownKeys: issue.code === "unrecognized_keys" ? issue.keys : [],
                knownKeys: isMapping(at["properties"]) ? Object.keys(at["properties"]) : [],
            };
        }),
    };
}

/** `limit must be an integer of 1 or more, but is "many"`; one sentence for each key that the schema does not have. */
export function formatProblem(problem: Problem, place: string = formatPath(problem.path)): string {
    const { value, required, unknownKeys, knownKeys } = problem;
    if (unknownKeys.length > 0) {
        const holder = place === "" ? "" : ` in ${place}`;
        return unknownKeys
            .map((key) => `there is no setting "${key}"${holder}; it has ${knownKeys.join(", ")}`)
            .join("; ");
    }
    return `${place === "" ? "it" : place} must be ${required}, but ${shown(value)}`;
}

function shown(value: unknown): string {
    if (value === undefined) return "is missing";
    if (Array.isArray(value)) return "is a list";
    return typeof value === "object" && value !== null ? "is an object" : `is ${JSON.stringify(value)}`;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** The part of a JSON schema that holds at a path; `{}` if the schema does not say. */
function schemaAt(schema: JsonSchema, path: FieldPath): JsonSchema {
    return path.reduce<JsonSchema>((outer, part) => {
        const holder = withoutNull(outer);
        const properties = holder["properties"];
        const named = isMapping(properties) && Object.hasOwn(properties, part) ? properties[part] : undefined;
        const next = named ?? (typeof part === "number" ? holder["items"] : holder["additionalProperties"]);
        return isMapping(next) ? next : {};
    }, schema);
}

/** Where null is allowed, it is not what a reader is told to write. */
function withoutNull(schema: JsonSchema): JsonSchema {
    const members = (schema["anyOf"] ?? []) as readonly JsonSchema[];
    const others = members.filter(({ type }) => type !== "null");
    return others.length < members.length && others.length === 1 && others[0] !== undefined ? others[0] : schema;
}

/** What a JSON schema asks for, in words. */
function requirementOf(given: JsonSchema): string {
    const schema = withoutNull(given);
    const { type, description } = schema;
    if (Array.isArray(schema["anyOf"]))
        return (schema["anyOf"] as readonly JsonSchema[]).map(requirementOf).join(" or ");
    if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
    if (type === "array") return `a list of ${isMapping(schema["items"]) ? nounOf(schema["items"]) : "value"}s`;
    if (type === "integer") return `an integer${rangeOf(schema)}`;
    if (schema["pattern"] !== undefined && typeof description === "string") return description;
    return `${type === "object" ? "an" : "a"} ${nounOf(schema)}`;
}

const nounOf = (schema: JsonSchema): string => (typeof schema["type"] === "string" ? schema["type"] : "value");

function rangeOf({ minimum, maximum }: JsonSchema): string {
    const bounded = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER;
    if (typeof minimum !== "number") return "";
    return bounded ? ` from ${minimum} to ${maximum}` : ` of ${minimum} or more`;
}
