/** What the commands share: where they write, and how they read their options. */

import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** Where a command writes. */
export interface Output {
    out(text: string): void;
    error(text: string): void;
}

/** An invalid command line. */
export class UsageError extends Error {}

/**
 * The options and positional arguments of a command line.
 *
 * @throws UsageError if an option is unknown or lacks its value.
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(argv: readonly string[], options: Options) {
    try {
        return parseArgs({ args: [...argv], allowPositionals: true, options });
    } catch (error) {
        throw new UsageError((error as Error).message);
    }
}
