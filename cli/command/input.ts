import * as fs from "node:fs";

/** Milliseconds between two reads of an input that has nothing at the moment. */
const PAUSE_MS = 10;

/**
 * Reads a text file, or standard input to its end if the name is `-`.
 *
 * @throws the error of the file system
 */
export function readInput(file: string, standardInput = 0): string {
    return file === "-" ? readToEnd(standardInput) : fs.readFileSync(file, "utf8");
}

/** A pipe may be set not to block: a read then fails while the command before it has not written yet. */
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

/** Number of bytes that were read: 0 at the end, undefined if there is nothing at the moment. */
function readSome(descriptor: number, chunk: Buffer): number | undefined {
    try {
        return fs.readSync(descriptor, chunk);
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "EAGAIN") return undefined;
        // Windows says so at the end of a pipe.
        if (code === "EOF") return 0;
        throw error;
    }
}
