/** Writes the chart into a folder: `node dist/tools/chart/main.js <folder>`. */
import * as fs from "node:fs";
import * as path from "node:path";
import { CHART, chartFiles } from "./chart";

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error("usage: main.js <folder>");
for (const [name, text] of Object.entries(chartFiles())) {
    const file = path.join(out, CHART, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
}
