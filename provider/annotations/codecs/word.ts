/** Values out of a fixed set, and texts with a pattern. */

import { closest } from "../closest";
import { printText, type ValueType } from "./type";

/** Exactly one of the given words. Upper and lower case count. */
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

/** `on` or `off`. */
export const onOff = oneOf("on", "off");

/** A text that a test accepts. `allowed` completes "must be …". */
export function text(
    allowed: string,
    accepts: (text: string) => boolean,
    remedy = `write ${allowed}`,
): ValueType<string> {
    return {
        allowed,
        parse: (value) => (accepts(value) ? { value } : { problem: `must be ${allowed}`, remedy }),
        print: printText,
    };
}

/** A text that matches a pattern. */
export const pattern = (expression: RegExp, allowed: string, remedy?: string): ValueType<string> =>
    text(allowed, (value) => expression.test(value), remedy);

/** The same words in any case. NLB annotations are read like that: their document itself writes `TCP:80` and `tcpssl:443`. */
export function anyCase<Word extends string>(type: ValueType<Word>): ValueType<Word> {
    return {
        ...type,
        parse(text) {
            const words = [...type.allowed.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
            return type.parse(words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text);
        },
    };
}
