/** Demonstrations of the examples, which check their promises themselves. */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../../lab";

/** Last lines of a demonstration that say where it has failed. */
const SHOWN_LINES = 60;

/**
 * Plays the demonstration of an example to its end.
 *
 * @returns its log
 * @throws Error with the end of its log where it fails
 */
export async function outputOfDemo(example: string): Promise<string> {
    const demo = path.join(REPOSITORY, "dist/examples", example, "demo.js");
    const { stdout } = await promisify(execFile)(process.execPath, [demo], {
        cwd: REPOSITORY,
        // What it promises is of the stack, not of processes.
        env: { RESIDENT: "1", ...process.env },
    }).catch((error: Error & { stdout: string }) => {
        const shown = takeLog(error.stdout).split("\n").slice(-SHOWN_LINES).join("\n");
        throw new Error(`${error.message}\n${shown}`, { cause: error });
    });
    return takeLog(stdout);
}

/** Reads and removes the log that a demonstration names. What has failed before it names none, and is returned. */
function takeLog(stdout: string): string {
    const [, file] = /^The whole output: (.*)$/m.exec(stdout) ?? [];
    if (file === undefined) return stdout;
    const log = fs.readFileSync(file, "utf8");
    fs.rmSync(file);
    return log;
}

/** Plays it likewise. @returns the promises that it has kept, in order */
export async function playDemo(example: string): Promise<string[]> {
    const output = await outputOfDemo(example);
    return output.split("\n").flatMap((line) => (line.startsWith("  ✓ ") ? [line.slice(4)] : []));
}
