/** Writes the plugin's archives: `node dist/tools/plugin/main.js <npm package> <folder>`. */
import * as path from "node:path";
import { writeArchives } from "./archive";

const [tarball, out] = process.argv.slice(2);
if (tarball === undefined || out === undefined) throw new Error("usage: main.js <npm package> <folder>");
for (const archive of writeArchives(path.resolve(tarball), out)) process.stdout.write(`${archive}\n`);
