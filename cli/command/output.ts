/** Output of commands: texts, JSON, errors and exit codes. */

import { printableJson } from "../../provider/diagnostics";

export class UsageError extends Error {}

/** The terminal to which a text goes. */
export interface Terminal {
    /** Most columns of a line. */
    readonly columns: number;
    readonly colors: boolean;
}

/** A file, a pipe or a log of a pipeline: no colours. */
export const NO_TERMINAL: Terminal = { columns: 100, colors: false };

export interface Output {
    out(text: string): void;
    error(text: string): void;
    /** Default: {@link NO_TERMINAL}. */
    readonly terminal?: Terminal;
}

/** Returns what a stream can show: its columns, 100 at most, and colours unless NO_COLOR is set. */
export const terminalOf = (stream: NodeJS.WriteStream): Terminal =>
    stream.isTTY ? { columns: Math.min(stream.columns, NO_TERMINAL.columns), colors: stream.hasColors() } : NO_TERMINAL;

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
