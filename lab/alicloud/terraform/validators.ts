/** The value checks used by the attribute descriptions, with the wording of the real plugin. */
import type { Validator } from "./schema";

/** Appended to checks that an environment variable can turn off. */
const note =
    " \n[NOTE] set env variable TF_SKIP_RESOURCE_SCHEMA_VALIDATION to true can skip the error and get a warning";

/** A check that TF_SKIP_RESOURCE_SCHEMA_VALIDATION turns off. */
const skippable =
    (check: Validator): Validator =>
    (value, key) =>
        process.env["TF_SKIP_RESOURCE_SCHEMA_VALIDATION"] === "true"
            ? []
            : check(value, key).map((text) => text + note);

const goList = (values: readonly (string | number)[]): string => `[${values.join(" ")}]`;

/** Accepts the listed texts. Its message lacks the note. */
export const plainOneOf =
    (...allowed: string[]): Validator =>
    (value, key) =>
        allowed.includes(value as string)
            ? []
            : [`expected ${key} to be one of ${goList(allowed)}, got ${String(value)}`];

/** As {@link plainOneOf}, in capitals or not. */
export const plainOneOfAnyCase = (...allowed: string[]): Validator => {
    const check = plainOneOf(...allowed);
    return (value, key) =>
        allowed.some((text) => text.toLowerCase() === String(value).toLowerCase()) ? [] : check(value, key);
};

export const oneOf = (...allowed: string[]): Validator => skippable(plainOneOf(...allowed));

/** A whole number between two bounds, without the note. */
export const plainBetween =
    (low: number, high: number): Validator =>
    (value, key) =>
        (value as number) >= low && (value as number) <= high
            ? []
            : [`expected ${key} to be in the range (${low} - ${high}), got ${String(value)}`];

export const between = (low: number, high: number): Validator => skippable(plainBetween(low, high));

/** Accepts the listed numbers. Its message lacks the note. */
export const plainNumberOf =
    (...allowed: number[]): Validator =>
    (value, key) =>
        allowed.includes(value as number)
            ? []
            : [`expected ${key} to be one of ${goList(allowed)}, got ${String(value)}`];

export const numberOf = (...allowed: number[]): Validator => skippable(plainNumberOf(...allowed));

/** Accepts a value that passes any of the checks. Otherwise it returns the messages of all checks. */
export const any =
    (...checks: Validator[]): Validator =>
    (value, key) => {
        const results = checks.map((check) => check(value, key));
        return results.some((errors) => errors.length === 0) ? [] : results.flat();
    };

/** A length in bytes between two bounds, without the note. */
export const plainLengthBetween =
    (low: number, high: number): Validator =>
    (value, key) => {
        const bytes = Buffer.byteLength(value as string);
        return bytes >= low && bytes <= high
            ? []
            : [`expected length of ${key} to be in the range (${low} - ${high}), got ${String(value)}`];
    };

export const lengthBetween = (low: number, high: number): Validator => skippable(plainLengthBetween(low, high));

export const matchesNot = (pattern: RegExp, message: string): Validator =>
    skippable((value, key) => (pattern.test(value as string) ? [`invalid value for ${key} (${message})`] : []));

/** Checks the last part of a separated list, as the real plugin does. */
export const partsOf =
    (separator: string, ...allowed: string[]): Validator =>
    (value, key) => {
        const last = (value as string).split(separator).at(-1)!;
        if (allowed.includes(last)) return [];
        const list = allowed.map((text) => JSON.stringify(text)).join(", ");
        return [`"${key}" must contain a valid string value should in []string{${list}}, got ${JSON.stringify(value)}`];
    };

/** A regular expression. */
export const plainPattern: Validator = (value, key) => {
    try {
        new RegExp(String(value));
        return [];
    } catch {
        return [`"${key}": error parsing regexp: ${JSON.stringify(value)}`];
    }
};
