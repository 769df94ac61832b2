import { closest } from "../closest";

/** Reason why a text is not a value. */
export interface Refusal {
    /** Problem, without the text itself. */
    readonly problem: string;
    readonly remedy: string;
}

export type Reading<Value> = { readonly value: Value } | Refusal;

/** Type of an annotation's value. `parse(print(value))` is `value` for every value that `parse` can return. */
export interface ValueType<Value> {
    /** Allowed values in words, for example `1 to 60`. */
    readonly allowed: string;
    parse(text: string): Reading<Value>;
    /** Returns the text of a value; `undefined` for anything else, since typed settings are untyped at run time. */
    print(value: unknown): string | undefined;
}

export const refused = (reading: Reading<unknown>): reading is Refusal => "problem" in reading;

const printText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Text that a test accepts. `allowed` completes "must be …". */
export const textWhere = (
    allowed: string,
    accepts: (text: string) => boolean,
    remedy = `write ${allowed}`,
): ValueType<string> => ({
    allowed,
    parse: (value) => (accepts(value) ? { value } : { problem: `must be ${allowed}`, remedy }),
    print: printText,
});

/** Exactly one of these words, in this case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
    const allowed = words.map((word) => `"${word}"`).join(" or ");
    return {
        allowed,
        parse(text) {
            const word = words.find((candidate) => candidate === text);
            if (word !== undefined) return { value: word };
            const near = closest(text, words);
            const miscased = words.some((candidate) => candidate.toLowerCase() === text.toLowerCase());
            return {
                problem: miscased ? `must be ${allowed}; upper and lower case count` : `must be ${allowed}`,
                remedy: near === undefined ? `write ${allowed}` : `write "${near}"`,
            };
        },
        print: printText,
    };
}

export const onOff = oneOf("on", "off");

/** The same words in any case, for NLB annotations: their document itself writes `TCP:80` and `tcpssl:443`. */
export const anyCase = <Word extends string>(type: ValueType<Word>): ValueType<Word> => ({
    ...type,
    parse(text) {
        const words = [...type.allowed.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
        return type.parse(words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text);
    },
});

/** Parses digits without sign, blank or leading zero; `undefined` for anything else. */
const wholeNumber = (text: string): number | undefined =>
    /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;

/** Parses a port number, 1 to 65535. */
export function portNumber(text: string): number | undefined {
    const port = wholeNumber(text);
    return port !== undefined && port >= 1 && port <= 65535 ? port : undefined;
}

/**
 * A whole number in a range, both ends included.
 *
 * @param unit in words, for example `seconds`.
 * @param special allowed value outside the range.
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
            if (value < from) return { problem: `must be ${allowed}`, remedy: `write ${from} or more` };
            if (value > to) return { problem: `must be ${allowed}`, remedy: `write ${to} or less` };
            return { value };
        },
        print: (value) => (typeof value === "number" ? String(value) : undefined),
    };
}
