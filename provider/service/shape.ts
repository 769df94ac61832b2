/** Reader of values of unknown shape by zod schemas, whose issues become diagnostics with path and remedy. */

import { z } from "zod";
import { type Collector, type FieldPath, formatPath, isMapping, valueAt } from "../diagnostics";
import { quote } from "../net/redact";

type Sentence = string | ((value: unknown) => string);

const sentenceOf = (sentence: Sentence, value: unknown): string =>
    typeof sentence === "string" ? sentence : sentence(value);

/** Builds a schema from a test. Zod carries the cause, and the remedy is a parameter of the issue. */
export const accepted = <Value>(
    accepts: (value: unknown) => boolean,
    cause: Sentence,
    remedy: Sentence,
): z.ZodType<Value, Value> =>
    z.custom<Value>(accepts, { error: ({ input }) => sentenceOf(cause, input), params: { remedy } });

/** Builds a schema from a test, with a cause that begins with the wrong value. */
export const acceptedValue = <Value>(accepts: (value: unknown) => boolean, problem: string, remedy: Sentence) =>
    accepted<Value>(accepts, (value) => `${quote(value)} ${problem}`, remedy);

const stringOr = (remedy: (value: unknown) => string) =>
    accepted<string>(
        (value) => typeof value === "string",
        "must be a string",
        (value) => (typeof value === "object" ? "write a string" : remedy(value)),
    );

export const TEXT = stringOr(() => "quote it");

const LABEL = stringOr((value) => `quote it: ${quote(String(value))}`);

export const mapping = (remedy = "write key: value lines") =>
    accepted<Record<string, unknown>>(isMapping, "must be a mapping", remedy);

/** Builds the schema of a mapping of texts, such as labels. */
export const texts = (remedy?: string): z.ZodType<Record<string, string>> =>
    mapping(remedy).pipe(z.record(z.string(), LABEL));

/** Returns the text of a value in its file, if it is known. */
export type Written = (path: FieldPath) => string | undefined;

/** Returns a reader of the fields of an object. A wrong field is reported and read as `otherwise`. */
export function fieldReader(object: unknown, report: Collector, written: Written) {
    return <Value, Otherwise>(path: FieldPath, schema: z.ZodType<Value>, otherwise: Otherwise): Value | Otherwise => {
        const parsed = schema.safeParse(valueAt(object, path), { reportInput: true });
        if (parsed.success) return parsed.data;
        reportIssues(parsed.error, path, report, written);
        return otherwise;
    };
}

/** Reports the issues of a schema. `path` is that of the value that the schema was applied to. */
export function reportIssues({ issues }: z.ZodError, path: FieldPath, report: Collector, written?: Written): void {
    for (const issue of issues) {
        const remedy = issue.code === "custom" ? (issue.params?.["remedy"] as Sentence | undefined) : undefined;
        const at = pathOf(issue, path);
        const value = issue.input === null ? null : (written?.(at) ?? issue.input);
        report.error(at, issue.message, sentenceOf(remedy ?? "correct the value", value));
    }
}

/** Formats the issues of a schema in a line, with paths below `root`. */
export const formatIssues = ({ issues }: z.ZodError, root: FieldPath = []): string =>
    issues.map((issue) => `${formatPath(pathOf(issue, root))}: ${issue.message}`).join("; ");

const pathOf = ({ path }: z.core.$ZodIssue, root: FieldPath): FieldPath => [
    ...root,
    ...path.map((part) => (typeof part === "symbol" ? String(part) : part)),
];
