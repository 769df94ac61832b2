/** `make conformance`: every part of the lab that stands in for something real, held to the recordings of it. */
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

const { values } = parseArgs({
    options: { corpus: { type: "string", default: "testdata" }, verbose: { type: "boolean", default: false } },
});
const corpus = path.resolve(values.corpus);
const lastLines: string[] = [];
let failed = false;
for (const [part, program] of Object.entries(PARTS)) {
    const folder = path.join(corpus, part);
    if (!fs.existsSync(folder)) {
        process.stdout.write(`${part}: ${folder} does not exist; nothing is compared\n`);
        continue;
    }
    const args = [path.join(REPOSITORY, "dist", program), "--corpus", folder, ...(values.verbose ? ["--verbose"] : [])];
    const run = spawnSync(process.execPath, args, {
        stdio: ["ignore", "pipe", "inherit"],
        encoding: "utf8",
        maxBuffer: 1 << 30,
    });
    process.stdout.write(run.stdout);
    lastLines.push(run.stdout.trimEnd().split("\n").at(-1) ?? "");
    failed ||= run.status !== 0;
}
if (lastLines.length === 0) {
    process.stderr.write(`${corpus} holds no corpus: expected a folder named ${Object.keys(PARTS).join(" or ")}\n`);
    failed = true;
}
process.stdout.write(`\n${lastLines.join("\n")}\n`);
process.exitCode = failed ? 1 : 0;
