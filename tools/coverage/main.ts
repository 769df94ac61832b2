/**
 * Writes `docs/internal/coverage.md` from `docs/internal/coverage.json`: `node dist/tools/coverage/main.js`.
 * With `--check` it writes nothing and fails if the page is stale. Either way it fails if the table names what does not exist.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { renderCoverage } from "./render";
import { problems, readTable } from "./table";

/** The repository, whatever the working directory. */
const ROOT = path.join(__dirname, "..", "..", "..");
const TABLE = path.join(ROOT, "docs", "internal", "coverage.json");
const PAGE = path.join(ROOT, "docs", "internal", "coverage.md");

function main(args: readonly string[]): number {
    const rows = readTable(TABLE);
    const wrong = problems(rows, ROOT);
    const text = renderCoverage(rows);
    if (!args.includes("--check")) {
        fs.writeFileSync(PAGE, text);
    } else if (fs.readFileSync(PAGE, "utf8") !== text) {
        wrong.push(
            "docs/internal/coverage.md is not what docs/internal/coverage.json says: run node dist/tools/coverage/main.js",
        );
    }
    wrong.forEach((problem) => void console.error(problem));
    return wrong.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
