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
