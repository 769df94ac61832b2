import * as fs from "node:fs";
import { type Diagnostic, diagnostic, DiagnosticsError } from "../../provider/diagnostics";

export const unreadable = (subject: string, cause: string, remedy: string): Diagnostic =>
    diagnostic({ code: "input-unreadable", severity: "error", about: { subject }, cause, remedy });

/** Reads or writes a file. @throws DiagnosticsError */
export function tryFile<T>(file: string, problem: string, remedy: string, run: () => T): T {
    try {
        return run();
    } catch (error) {
        throw new DiagnosticsError([unreadable(file, `${problem}: ${(error as Error).message}`, remedy)]);
    }
}

/** Reads a text file, or standard input if the name is `-`. @throws DiagnosticsError */
export const readText = (file: string): string =>
    tryFile(file, "cannot be read", "name a file that exists and can be read", () => readInput(file));

/** Reads a JSON file. @throws DiagnosticsError */
export function readJson(file: string): unknown {
    const text = readText(file);
    return tryFile(file, "not valid JSON", "write a JSON document", () => JSON.parse(text) as unknown);
}

/** Milliseconds between two reads of an input without data. */
const PAUSE_MS = 10;

/** Reads a text file, or standard input to its end if the name is `-`. @throws the error of the file system */
export function readInput(file: string, standardInput = 0): string {
    return decode(file === "-" ? readToEnd(standardInput) : fs.readFileSync(file));
}

/** Decodes UTF-8, or UTF-16 as PowerShell writes it, without the mark at the beginning. */
const decode = (bytes: Buffer): string =>
    new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);

/** Reads a pipe, also in non-blocking mode, in which reads fail while it is empty. */
function readToEnd(descriptor: number): Buffer {
    const chunks: Buffer[] = [];
    for (;;) {
        const chunk = Buffer.alloc(65_536);
        const length = readSome(descriptor, chunk);
        if (length === 0) return Buffer.concat(chunks);
        if (length === undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
        else chunks.push(chunk.subarray(0, length));
    }
}

/** Returns the number of bytes: 0 at the end, undefined if there is no data yet. */
function readSome(descriptor: number, chunk: Buffer): number | undefined {
    try {
        return fs.readSync(descriptor, chunk);
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EAGAIN") return undefined;
        // The end of a pipe on Windows.
        if (code === "EOF") return 0;
        throw error;
    }
}
