/** Whole numbers. */

import type { ValueType } from "./type";

/** Digits without sign, blank or leading zero. `undefined` if the text is anything else. */
export function wholeNumber(text: string): number | undefined {
    return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;
}

/** A port number, 1 to 65535. */
export function portNumber(text: string): number | undefined {
    const port = wholeNumber(text);
    return port !== undefined && port >= 1 && port <= 65535 ? port : undefined;
}

/**
 * A whole number in a range, both ends included.
 *
 * @param unit for people, for example `seconds`.
 * @param special a value outside the range that has a meaning of its own.
 */
export function integer(from: number, to: number, unit?: string, special?: number): ValueType<number> {
    const values = special === undefined ? "a whole number" : `${special}, or a whole number`;
    const allowed = `${values} from ${from} to ${to}${unit === undefined ? "" : ` (${unit})`}`;
    return {
        allowed,
        parse(text) {
            if (special !== undefined && text === String(special)) return { value: special };
            const value = wholeNumber(text);
            if (value === undefined) return { problem: `must be ${allowed}, digits only`, remedy: `write ${allowed}` };
            if (value < from || value > to)
                return {
                    problem: `must be ${allowed}`,
                    remedy: value < from ? `write ${from} or more` : `write ${to} or less`,
                };
            return { value };
        },
        print: (value) => (typeof value === "number" ? String(value) : undefined),
    };
}
