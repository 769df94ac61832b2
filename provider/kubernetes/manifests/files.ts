/** Manifests on disk. */

import * as fs from "node:fs";
import * as path from "node:path";

const MANIFEST = /\.(ya?ml|json)$/i;

/** Marks that Emacs leaves beside a file that is being edited: links that lead nowhere. */
const EDITOR_LOCK = /^\.#/;

/**
 * Every `*.yaml`, `*.yml` and `*.json` of a folder and its subfolders, in the order of their names; undefined if there is no such folder.
 *
 * Links are followed, and what several of them lead to is listed once, by the shortest path: a folder that is mounted from a ConfigMap has each file three times. A link that leads
 * nowhere is listed, since the Services in it are missing.
 */
export function listManifests(folder: string): string[] | undefined {
    if (statOf(folder)?.isDirectory() !== true) return undefined;
    const found = new Map<string, string>();
    const folders = new Map([[fs.realpathSync(folder), folder]]);
    // The list grows while it is walked, so that the folders of a level come before those below it.
    for (const current of folders.values()) {
        for (const name of fs.readdirSync(current).sort()) {
            const entry = path.join(current, name);
            const stat = statOf(entry);
            const real = stat === undefined ? entry : fs.realpathSync(entry);
            if (stat?.isDirectory()) setOnce(folders, real, entry);
            else if (MANIFEST.test(name) && !EDITOR_LOCK.test(name) && (stat?.isFile() ?? true))
                setOnce(found, real, entry);
        }
    }
    return [...found.values()].sort();
}

/** What a path leads to; undefined if it leads nowhere. */
function statOf(file: string): fs.Stats | undefined {
    try {
        return fs.statSync(file);
    } catch {
        // No such file, or a link to itself.
        return undefined;
    }
}

function setOnce(map: Map<string, string>, key: string, value: string): void {
    if (!map.has(key)) map.set(key, value);
}
