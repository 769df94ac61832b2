import * as fs from "node:fs";

/** Milliseconds between two reads of an input without data. */
const PAUSE_MS = 10;

/**
 * Reads a text file, or standard input to its end if the name is `-`.
 *
 * @throws the error of the file system
 */
export function readInput(file: string, standardInput = 0): string {
    return file === "-" ? readToEnd(standardInput) : fs.readFileSync(file, "utf8");
}

/** Reads a pipe, also one in non-blocking mode, whose reads fail while it is empty. */
function readToEnd(descriptor: number): string {
    const chunks: Buffer[] = [];
    for (;;) {
        const chunk = Buffer.alloc(65_536);
        const length = readSome(descriptor, chunk);
        if (length === 0) return Buffer.concat(chunks).toString("utf8");
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
