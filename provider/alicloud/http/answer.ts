/** Reads answers of the cloud by schema. `zod/mini`, because dynamic providers load this in a process of their own, and it starts in less time. */
import * as z from "zod/mini";
import { UNEXPECTED_ANSWER } from "../diagnoses/row";
import { CloudError } from "./error";
import type { Json } from "./json";

/** Empty texts and null count as absent. */
const present = (value: unknown): unknown => (value === "" || value === null ? undefined : value);

/** A text. Numbers are taken as text, because the API is not consistent. */
const words = z.pipe(
    z.transform((value: unknown) => {
        const given = present(value);
        return typeof given === "number" ? String(given) : given;
    }),
    z.optional(z.string()),
);

/** A number, or its text. */
const digits = z.pipe(
    z.transform((value: unknown) => {
        const given = present(value);
        const numeric = typeof given === "string" && given.trim() !== "" && Number.isFinite(Number(given));
        return numeric ? Number(given) : given;
    }),
    z.optional(z.number()),
);

/** A text that may be left out. */
export const text = z.optional(words);

/** A text that must be there. */
export const requiredText = z.pipe(words, z.string());

/** A number that may be left out. */
export const number = z.optional(digits);

/** A number that must be there. */
export const requiredNumber = z.pipe(digits, z.number());

/** A truth value that may be left out. */
export const truth = z.optional(z.nullable(z.boolean()));

/** A list of texts; empty where it is left out. */
export const textList = z.pipe(
    z.transform((value: unknown) => value ?? []),
    z.array(requiredText),
);

/** The objects of a list; empty where it is left out. The APIs of older products wrap them: `"Tags": {"Tag": [...]}`. */
export function list<Item extends z.core.$ZodType>(item: Item, wrapper?: string) {
    return z.optional(
        z.pipe(
            z.transform((value: unknown) => {
                const inner = wrapper === undefined || !isObject(value) ? value : value[wrapper];
                return inner ?? [];
            }),
            z.array(item),
        ),
    );
}

/** The objects of a list as the cloud has sent them, for what is compared by the API's own names. Read the answer by its schema as well: that says whether it is a list of objects. */
export function rawItems(answer: Json, name: string): Json[] {
    const items = answer[name];
    return Array.isArray(items) ? items.filter(isObject) : [];
}

export const { object } = z;

/** What may be left out. */
export const optional = <Schema extends z.core.$ZodType>(schema: Schema) =>
    z.optional(z.pipe(z.transform(present), z.optional(schema)));

/** One of these words, in whatever case the API writes it. */
export const oneOf = <const Words extends readonly string[]>(...known: Words) =>
    z.pipe(
        z.transform((value: unknown) =>
            typeof value === "string"
                ? (known.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value)
                : value,
        ),
        z.enum(known),
    );

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/**
 * An answer, or one object of it, as its schema says. Fields that the schema does not name are dropped.
 *
 * @throws CloudError that names the action and every field that is missing or of another type.
 */
export function readAnswer<Schema extends z.core.$ZodType>(
    action: string,
    schema: Schema,
    answer: Json,
): z.output<Schema> {
    const read = z.safeParse(schema, answer);
    if (read.success) {
        return read.data;
    }
    const problems = read.error.issues.map((issue) => {
        const field = issue.path.join(".");
        const expected = issue.code === "invalid_type" ? issue.expected : "value that is known";
        return valueAt(answer, issue.path) === undefined
            ? `the answer has no ${field}`
            : `${field} of the answer is no ${expected}`;
    });
    throw new CloudError({
        action,
        code: UNEXPECTED_ANSWER,
        message: problems.join("; "),
        kind: "final",
        attempts: 1,
    });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
    const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[String(key)] : undefined), value);
    return present(found) ?? undefined;
}
