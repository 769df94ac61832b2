/** Values that were meant to be replaced before use. */

import { isMasked } from "./codecs";

/** The name in the first `${…}` of a text. */
export function templateVariable(text: string): string | undefined {
    return /\$\{([^{}]*)\}/.exec(text)?.[1];
}

/** What kind of placeholder a refused value is, for people; `undefined` if it is none. */
export function describePlaceholder(text: string): string | undefined {
    if (/\*{2,}/.test(text)) return "is masked with asterisks, as values in the documents are";
    return isMasked(text) || /<[^<>]+>/.test(text)
        ? "is a placeholder, as in the examples of the documents"
        : undefined;
}
