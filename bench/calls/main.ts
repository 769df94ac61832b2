/**
 * `make bench-calls`: API calls per operation, measured in a lab.
 *
 * Writes `bench/calls/baseline.json` and `docs/internal/api-calls.md`. With `--check` it writes nothing, and fails if a
 * number is worse than the baseline's. Both fail if an action exceeds its limit.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab";
import { measureAll } from "./measure";
import { exceeded, type Measurement, regressions, renderDocument, renderTable } from "./report";

const BASELINE = path.join(REPOSITORY, "bench", "calls", "baseline.json");
/** Generated from the baseline, so that a test can detect an outdated page. */
const DOCUMENT = path.join(REPOSITORY, "docs", "internal", "api-calls.md");

async function main(args: readonly string[]): Promise<number> {
    const measured = await measureAll(({ operation, calls }) => void process.stderr.write(`${operation}: ${calls}\n`));
    process.stdout.write(renderTable(measured));
    const tooMany = measured.flatMap(exceeded);
    process.stdout.write(tooMany.map((text) => `${text}\n`).join(""));
    if (args.includes("--check")) {
        const worse = regressions(measured, JSON.parse(fs.readFileSync(BASELINE, "utf8")) as Measurement[]);
        process.stdout.write(worse.length === 0 ? "no number got worse\n" : `${worse.join("\n")}\n`);
        return worse.length + tooMany.length === 0 ? 0 : 1;
    }
    fs.writeFileSync(BASELINE, `${JSON.stringify(measured, undefined, 2)}\n`);
    fs.writeFileSync(DOCUMENT, renderDocument(measured));
    return tooMany.length === 0 ? 0 : 1;
}

void main(process.argv.slice(2)).then((code) => void (process.exitCode = code));
