/** Output of commands: texts, JSON, errors and exit codes. */

import { printableJson } from "../../provider/diagnostics";

export class UsageError extends Error {}

export interface Output {
    out(text: string): void;
    error(text: string): void;
}

/** Exit codes of every command. `sync` has one more, for a pass while another replica holds the lease. */
export const EXIT = {
    ok: 0,
    /** A violation, a gate that is reached, something broken, an unknown error. */
    found: 1,
    /** The command line is invalid, or an input cannot be read. */
    unreadable: 2,
} as const;

/** Formats an answer as JSON. `version` changes when a member is removed or changes its meaning. */
export const formatAnswer = (answer: object): string => printableJson({ version: 1, ...answer });

/**
 * Writes the error that ends a command, with the usage if the command line is invalid. Returns the exit code.
 *
 * @throws errors that are not expected
 */
export function reportError(
    error: unknown,
    usage: string,
    output: Output,
    ...expected: readonly (abstract new (...args: never[]) => Error)[]
): number {
    if (error instanceof UsageError) output.error(`error: ${error.message}\n\n${usage}`);
    else if (error instanceof Error && expected.some((one) => error instanceof one)) output.error(`${error.message}\n`);
    else throw error;
    return EXIT.unreadable;
}
