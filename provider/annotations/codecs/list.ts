/** Comma-separated values. */

import { type Reading, refused, type ValueType } from "./type";

/** How one entry of a list is read and written. */
export interface EntryType<Entry> {
    /** What one entry looks like, for people, for example `protocol:port`. */
    readonly shape: string;
    readonly example: string;
    parse(text: string): Reading<Entry>;
    print(entry: unknown): string | undefined;
}

/**
 * Entries separated by commas, at least one. All entries are read, so that everything wrong with them is reported at once.
 *
 * @param trim whether blanks around an entry are ignored. They are where the Cloud Controller Manager ignores them too.
 */
export function listOf<Entry>(type: EntryType<Entry>, trim = false): ValueType<readonly Entry[]> {
    const allowed = `${type.shape} entries, separated by commas, for example "${type.example}"`;
    return {
        allowed,
        parse(text) {
            const entries: Entry[] = [];
            const problems: string[] = [];
            for (const raw of text.split(",")) {
                const entry = trim ? raw.trim() : raw;
                const reading = readEntry(entry, type);
                if (refused(reading)) problems.push(`"${entry}" ${reading.problem}`);
                else entries.push(reading.value);
            }
            if (problems.length > 0)
                return { problem: `must be ${allowed}: ${problems.join("; ")}`, remedy: `write ${allowed}` };
            return { value: entries };
        },
        print(value) {
            if (!Array.isArray(value) || value.length === 0) return undefined;
            const entries = value.map((entry) => type.print(entry));
            return entries.includes(undefined) ? undefined : entries.join(",");
        },
    };
}

function readEntry<Entry>(entry: string, type: EntryType<Entry>): Reading<Entry> {
    if (entry === "") return { problem: "is empty", remedy: "remove the comma" };
    if (/\s/.test(entry)) return { problem: "contains a blank", remedy: "remove it" };
    return type.parse(entry);
}
