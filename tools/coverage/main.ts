/**
 * Writes `docs/internal/coverage.md` from `docs/internal/coverage.json`: `node dist/tools/coverage/main.js`.
 * It fails if the table names what does not exist.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { renderCoverage } from "./render";
import { problems, readTable } from "./table";

/** The repository, whatever the working directory. */
const ROOT = path.join(__dirname, "..", "..", "..");
const TABLE = path.join(ROOT, "docs", "internal", "coverage.json");
const PAGE = path.join(ROOT, "docs", "internal", "coverage.md");

const rows = readTable(TABLE);
fs.writeFileSync(PAGE, renderCoverage(rows));
const wrong = problems(rows, ROOT);
wrong.forEach((problem) => void console.error(problem));
process.exitCode = wrong.length === 0 ? 0 : 1;
