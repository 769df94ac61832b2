/** Output of commands: exit codes, JSON, and texts that are wrapped and coloured for a terminal. */

import { styleText } from "node:util";
import { printable, printableJson } from "../../provider/diagnostics";

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

export type Paint = (style: "bold" | "dim" | "red" | "yellow" | "green", text: string) => string;

export const painter = (colors: boolean): Paint =>
    colors ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;

/** Splits a text at blanks into lines that fit into `columns` behind `indent`. A longer word has a line of its own. */
export function hanging(text: string, columns: number, indent: number): string[] {
    const lines: string[] = [];
    for (const word of text.split(/(?<= )(?! )/)) {
        const last = lines.at(-1);
        if (last !== undefined && indent + (last + word).trimEnd().length <= columns)
            lines[lines.length - 1] = last + word;
        else lines.push(word);
    }
    // A word that a line begins with may be a command of a pipeline.
    return lines.map((line) => printable(line.trimEnd()));
}

/** Wraps a line behind its indent. Its other lines are indented further. */
export function wrapped(line: string, columns: number): string[] {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const [first = "", ...others] = hanging(line.trim(), columns, indent + 2);
    return [" ".repeat(indent) + first, ...others.map((one) => " ".repeat(indent + 2) + one)].map((one) =>
        one.trimEnd(),
    );
}

/** Formats a number with its noun: `1 Service`, `2 Services`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/**
 * Beginnings of keys of annotations that a reader does not need. That of legacy keys stays, because it tells them
 * apart.
 */
const LONG_NAMES = /(?:service\.beta\.kubernetes\.io\/)?alibaba-cloud-loadbalancer-|service\.beta\.kubernetes\.io\//g;

/** Returns a text with annotations by their short names: `metadata.annotations["…-address-type"]` is `address-type`. */
export const shortNames = (text: string): string =>
    printable(text)
        .replaceAll(/metadata\.annotations\["([^"]*)"\]/g, "$1")
        .replaceAll(LONG_NAMES, "");
