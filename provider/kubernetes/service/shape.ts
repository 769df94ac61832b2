/** Reads values of unknown shape by zod schemas, whose issues become diagnostics with path and remedy. */

import { z } from "zod";
import { type Collector, type FieldPath, isMapping, valueAt } from "../../diagnostics";
import { quote } from "../../net/redact";

/** A sentence, or how to make it from the value that is wrong. */
type Sentence = string | ((value: unknown) => string);

const textOf = (sentence: Sentence, value: unknown): string =>
    typeof sentence === "string" ? sentence : sentence(value);

/** A schema for what a test accepts. Zod has a place for the cause; the remedy is a parameter of the issue. */
export const accepted = <Value>(
    accepts: (value: unknown) => boolean,
    cause: Sentence,
    remedy: Sentence,
): z.ZodType<Value, Value> =>
    z.custom<Value>(accepts, { error: ({ input }) => textOf(cause, input), params: { remedy } });

/** The beginning of a value as JSON, or `nothing`. */
export const shown = quote;

const isText = (value: unknown): boolean => typeof value === "string";

/** A text. */
export const TEXT = accepted<string>(isText, "must be a string", (value) =>
    typeof value === "object" ? "write a string" : "quote it",
);

const LABEL = accepted<string>(isText, "must be a string", (value) =>
    typeof value === "object" ? "write a string" : `quote it: "${String(value)}"`,
);

/** A mapping with any values. */
export const mapping = (
    remedy = "write key: value lines",
): z.ZodType<Record<string, unknown>, Record<string, unknown>> => accepted(isMapping, "must be a mapping", remedy);

/** A mapping of texts, such as labels. */
export const texts = (remedy?: string): z.ZodType<Record<string, string>> =>
    mapping(remedy).pipe(z.record(z.string(), LABEL));

/** Reads one field of an object: what its schema makes of it, or `otherwise` where it is wrong, which is reported. */
export type FieldReader = <Value, Otherwise>(
    path: FieldPath,
    schema: z.ZodType<Value>,
    otherwise: Otherwise,
) => Value | Otherwise;

/** A reader of the fields of an object. */
export function fieldReader(object: unknown, report: Collector): FieldReader {
    return (path, schema, otherwise) => {
        const parsed = schema.safeParse(valueAt(object, path), { reportInput: true });
        if (parsed.success) return parsed.data;
        reportIssues(parsed.error, path, report);
        return otherwise;
    };
}

/** Reports the issues of a schema; `path` is that of the value that it was applied to. */
export function reportIssues(error: z.ZodError, path: FieldPath, report: Collector): void {
    for (const issue of error.issues) {
        const remedy: unknown = issue.code === "custom" ? issue.params?.["remedy"] : undefined;
        report.error(
            [...path, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))],
            issue.message,
            typeof remedy === "string" || typeof remedy === "function"
                ? textOf(remedy as Sentence, issue.input)
                : "correct the value",
        );
    }
}
