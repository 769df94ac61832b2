/** Demonstrations of the examples, which check their promises themselves. */
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../../lab";

/**
 * Plays the demonstration of an example to its end.
 *
 * @returns the promises that it has kept, in order
 * @throws Error with its output where it fails
 */
export async function playDemo(example: string): Promise<string[]> {
    const demo = path.join(REPOSITORY, "dist/examples", example, "demo.js");
    const { stdout } = await promisify(execFile)(process.execPath, [demo], {
        cwd: REPOSITORY,
        maxBuffer: 1 << 24,
        env: { ...process.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    return stdout.split("\n").flatMap((line) => (line.startsWith("  ✓ ") ? [line.slice(4)] : []));
}
