/** Prints `docs/internal/coverage.json` as a page: `make coverage`. It fails if the table names what does not exist. */
import * as path from "node:path";
import { renderCoverage } from "./render";
import { problems, readTable } from "./table";

/** The repository, whatever the working directory. */
const ROOT = path.join(__dirname, "..", "..", "..");

const rows = readTable(path.join(ROOT, "docs", "internal", "coverage.json"));
process.stdout.write(renderCoverage(rows));
const wrong = problems(rows, ROOT);
wrong.forEach((problem) => void console.error(problem));
process.exitCode = wrong.length === 0 ? 0 : 1;
