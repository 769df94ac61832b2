/** Output of commands: texts, JSON, errors and exit codes. */

import { printableJson } from "../../provider/diagnostics";

export class UsageError extends Error {}

/** The terminal to which a text goes. */
export interface Terminal {
    /** Most columns of a line. */
    readonly columns: number;
    readonly colors: boolean;
}

/** A file, a pipe or a log of a pipeline, for texts that are wrapped there too. */
export const NO_TERMINAL: Terminal = { columns: 100, colors: false };

export interface Output {
    out(text: string): void;
    error(text: string): void;
    /** Absent for a file or a pipe. */
    readonly terminal?: Terminal;
}

/** Returns the columns of a terminal, 100 at most, and its colours, none with NO_COLOR. */
export const terminalOf = (stream: Pick<NodeJS.WriteStream, "columns" | "hasColors">): Terminal => ({
    columns: Math.min(stream.columns, NO_TERMINAL.columns),
    colors: stream.hasColors(),
});

/** Exit codes of every command. `sync` has another, for a pass while another replica holds the lease. */
export const EXIT = {
    ok: 0,
    /** A violation, a gate that is reached, something broken, an unknown error. */
    found: 1,
    /** The command line is invalid, or an input cannot be read. */
    unreadable: 2,
} as const;

/** Formats an answer as JSON. `version` changes when a member is removed or changes its meaning. */
export const formatAnswer = (answer: object): string => printableJson({ version: 1, ...answer });
