/** Reads answers of the cloud by schema. Each dynamic provider loads this: `zod/mini` starts faster than `zod`. */
import * as z from "zod/mini";
import { valueAt } from "../../diagnostics";
import { type Defined, defined } from "../../schema/defined";
import { UNEXPECTED_ANSWER } from "../diagnoses/row";
import { CloudError } from "./error";

/** Answer of the cloud that no schema has read yet. */
export type Json = { readonly [key: string]: unknown };

export type AnswerType = z.core.$ZodType;

/** Empty texts and null count as absent. */
const present = (value: unknown): unknown => (value === "" || value === null ? undefined : value);

const after = <Schema extends z.core.$ZodType>(prepare: (value: unknown) => unknown, schema: Schema) =>
    z.pipe(z.transform(prepare), schema);

/** The API writes some texts as numbers. */
const words = after((value) => {
    const given = present(value);
    return typeof given === "number" ? String(given) : given;
}, z.optional(z.string()));

const digits = after((value) => {
    const given = present(value);
    const numeric = typeof given === "string" && given.trim() !== "" && Number.isFinite(Number(given));
    return numeric ? Number(given) : given;
}, z.optional(z.number()));

export const text = z.optional(words);

/** Text that the API documents as one of some words. Words that it has added since are passed on. */
export const word = <Word extends string>() => converted(text, (written) => written as Word | undefined);

export const requiredText = z.pipe(words, z.string());

export const number = z.optional(digits);

/** Number, or its text, that must be there. */
export const requiredNumber = z.pipe(digits, z.number());

export const truth = z.optional(z.nullable(z.boolean()));

/** List of texts, empty if it is absent. */
export const textList = after((value) => value ?? [], z.array(requiredText));

/** List of objects that may be absent. The APIs of older products wrap lists: `"Tags": {"Tag": [...]}`. */
export const list = <Item extends z.core.$ZodType>(item: Item, wrapper?: string) =>
    z.optional(
        after((value) => {
            const inner = wrapper === undefined || !isObject(value) ? value : value[wrapper];
            return inner ?? [];
        }, z.array(item)),
    );

/** Returns the objects of a list as the cloud sent them, under the API's names. Their types are not checked. */
export function rawItems(answer: Json, name: string): Json[] {
    const items = answer[name];
    return Array.isArray(items) ? items.filter(isObject) : [];
}

export const { object } = z;

/** Value that may be absent, empty or null. */
export const optional = <Schema extends z.core.$ZodType>(schema: Schema) =>
    z.optional(after(present, z.optional(schema)));

export const converted = <Schema extends z.core.$ZodType, Value>(
    schema: Schema,
    convert: (value: z.output<Schema>) => Value,
) => z.pipe(schema, z.transform(convert));

/** Boolean that is false if it is absent. */
export const flag = converted(truth, (value) => value === true);

export const defaulted = <Value>(schema: z.core.$ZodType<Value | undefined>, fallback: Value) =>
    converted(schema, (value) => value ?? fallback);

type Field = readonly [name: string, type: z.core.$ZodType];

/** Object under the names of this package: each field with its name in the API and its type. Omits absent fields. */
export function fields<const Fields extends Readonly<Record<string, Field>>>(named: Fields) {
    type Renamed = Defined<{ readonly [Name in keyof Fields]: z.output<Fields[Name][1]> }>;
    const renamed = (answer: Json) =>
        defined(Object.fromEntries(Object.entries(named).map(([name, [field]]) => [name, answer[field]]))) as Renamed;
    return converted(z.object(Object.fromEntries<z.core.$ZodType>(Object.values(named))), renamed);
}

export type Read<Schema extends z.core.$ZodType> = z.output<Schema>;

export type Tags = Readonly<Record<string, string>>;

/** Tags of an answer. The APIs name the parts of a tag Key and Value, or TagKey and TagValue. */
export const tagList = (wrapper?: string) =>
    converted(list(object({ Key: text, TagKey: text, Value: text, TagValue: text }), wrapper), (tags = []): Tags =>
        Object.fromEntries(
            tags.flatMap(({ Key, TagKey, Value, TagValue }) => {
                const key = Key ?? TagKey;
                return key === undefined ? [] : [[key, Value ?? TagValue ?? ""]];
            }),
        ),
    );

/** One of these words, in any case. */
export const literalOf = <const Words extends readonly string[]>(...known: Words) =>
    after((value) => {
        const text = typeof value === "string" ? value.toLowerCase() : undefined;
        return known.find((word) => word.toLowerCase() === text) ?? value;
    }, z.enum(known));

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/**
 * Reads an answer by its schema, and drops fields that the schema does not name.
 *
 * @throws CloudError that names the action and every field that is missing or of another type.
 */
export function readAnswer<Schema extends z.core.$ZodType>(
    action: string,
    schema: Schema,
    answer: Json,
): z.output<Schema> {
    const read = z.safeParse(schema, answer);
    if (read.success) return read.data;
    const problems = read.error.issues.map((issue) => {
        const field = issue.path.join(".");
        const expected = issue.code === "invalid_type" ? issue.expected : "value that is known";
        return present(valueAt(answer, issue.path.map(String))) === undefined
            ? `the answer has no ${field}`
            : `${field} of the answer is no ${expected}`;
    });
    const message = problems.join("; ");
    throw new CloudError({ action, code: UNEXPECTED_ANSWER, message, kind: "final", attempts: 1 });
}
