import type { Op } from "../deploy";
import { PREFIX } from "./words";

/** Blanks in front of a line; with a prefix, the operation's sign takes the last two. */
export function indentation(indent: number, op: Op, prefix: boolean): string {
    const blank = "    ".repeat(indent);
    return prefix && blank !== "" ? blank.slice(0, -2) + PREFIX[op] : blank;
}

/** Length of the longest key, in bytes, as the real CLI measures it. */
export function widest(keys: readonly string[]): number {
    return keys.reduce((n, k) => Math.max(n, Buffer.byteLength(k)), 0);
}

/** A key with blanks up to a width. Characters count once here, whatever their length in bytes. */
export function padded(key: string, width: number): string {
    return key + " ".repeat(Math.max(0, width - [...key].length));
}
