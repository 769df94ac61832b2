/** Manifests on disk. */

import * as fs from "node:fs";
import * as path from "node:path";

/** Every `*.yaml`, `*.yml` and `*.json` of a folder and its subfolders, in the order of their names; undefined if there is no such folder. */
export function listManifests(folder: string): string[] | undefined {
    if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) return undefined;
    return fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ya?ml|json)$/i.test(name))
        .sort()
        .map((name) => path.join(folder, name))
        .filter((file) => fs.statSync(file).isFile());
}
