import type { Op } from "../deploy";
import { PREFIX } from "./words";

/** Blanks in front of a line; with a prefix, the operation's sign takes the last two. */
export function indentation(indent: number, op: Op, prefix: boolean): string {
    const blank = "    ".repeat(indent);
    return prefix && blank !== "" ? blank.slice(0, -2) + PREFIX[op] : blank;
}

/** Longest key. */
export function widest(keys: readonly string[]): number {
    return keys.reduce((n, k) => Math.max(n, k.length), 0);
}
