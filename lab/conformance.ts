/**
 * `make conformance`: every part of the lab that stands in for something real, held to the recordings of it; and the
 * engine, held to its invariants with random programs.
 */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY } from "./environment";

/** Parts that have recordings, by the name of their folder in a corpus. */
const PARTS = {
    engine: "lab/engine/conformance/main.js",
    "alicloud-plugin": "lab/alicloud/conformance/main.js",
} as const;

const FUZZING = "lab/engine/fuzzing/main.js";

const { values } = parseArgs({
    options: {
        corpus: { type: "string", default: "testdata" },
        verbose: { type: "boolean", default: false },
        seed: { type: "string" },
    },
});
const corpus = path.resolve(values.corpus);
const lastLines: string[] = [];
let failed = false;

function run(program: string, args: readonly string[]): void {
    const { status, stdout } = spawnSync(process.execPath, [path.join(REPOSITORY, "dist", program), ...args], {
        stdio: ["ignore", "pipe", "inherit"],
        encoding: "utf8",
        maxBuffer: 1 << 30,
    });
    process.stdout.write(stdout);
    lastLines.push(stdout.trimEnd().split("\n").at(-1) ?? "");
    failed ||= status !== 0;
}

for (const [part, program] of Object.entries(PARTS)) {
    const folder = path.join(corpus, part);
    if (fs.existsSync(folder)) run(program, ["--corpus", folder, ...(values.verbose ? ["--verbose"] : [])]);
    else process.stdout.write(`${part}: ${folder} does not exist; nothing is compared\n`);
}
if (lastLines.length === 0) {
    process.stderr.write(`${corpus} holds no corpus: expected a folder named ${Object.keys(PARTS).join(" or ")}\n`);
    failed = true;
}
run(FUZZING, values.seed === undefined ? [] : ["--seed", values.seed]);
process.stdout.write(`\n${lastLines.join("\n")}\n`);
process.exitCode = failed ? 1 : 0;
