/** Writes a line to stdout. */
export function print(line = ""): void {
    process.stdout.write(`${line}\n`);
}
/** Writes an error in the form of the real CLI. */
export function printError(message: string): void {
    process.stderr.write(`error: ${message}\n`);
}
/** Pretty JSON with the real CLI's indentation. */
export function printJson(v: unknown): void {
    process.stdout.write(`${JSON.stringify(v, null, 2)}\n`);
}

/** Columns of text; the last one is not padded. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
    const widths = header.map((h, i) => Math.max(h.length, ...rows.map((r) => (r[i] ?? "").length)));
    for (const r of [header, ...rows])
        print(r.map((c, i) => (i === r.length - 1 ? c : c.padEnd(widths[i] ?? 0))).join("  "));
}

/** A command that ends with a message and an exit code. */
export class Failure extends Error {
    constructor(
        message: string,
        readonly exitCode = 1,
    ) {
        super(message);
    }
}
