/** Manifests on disk. */

import * as fs from "node:fs";
import * as path from "node:path";
import { MAX_MANIFEST, tooLarge } from "./limits";

const MANIFEST = /\.(ya?ml|json)$/i;

/** Marks that Emacs leaves beside a file that is being edited: links that lead nowhere. */
const EDITOR_LOCK = /^\.#/;

/**
 * Every `*.yaml`, `*.yml` and `*.json` of a folder and its subfolders, in the order of their names; undefined if there is no such folder.
 *
 * Links are followed, and what several of them lead to is listed once, by the shortest path: a folder that is mounted from a ConfigMap has each file three times. A link that leads
 * nowhere, or out of the folder, is listed, since the Services in it are missing: {@link readManifest} says why. Folders out of the folder are not looked into.
 */
export function listManifests(folder: string): string[] | undefined {
    if (statOf(folder)?.isDirectory() !== true) return undefined;
    const found = new Map<string, string>();
    const root = fs.realpathSync(folder);
    const folders = new Map([[root, folder]]);
    // The list grows while it is walked, so that the folders of a level come before those below it.
    for (const current of folders.values()) {
        for (const name of fs.readdirSync(current).sort()) {
            const entry = path.join(current, name);
            const stat = statOf(entry);
            const real = stat === undefined ? entry : fs.realpathSync(entry);
            if (stat?.isDirectory() && !isInside(root, real)) setOnce(found, real, entry);
            else if (stat?.isDirectory()) setOnce(folders, real, entry);
            else if (MANIFEST.test(name) && !EDITOR_LOCK.test(name) && (stat?.isFile() ?? true))
                setOnce(found, real, entry);
        }
    }
    return [...found.values()].sort();
}

/** A manifest is there, and is not read. */
export class ManifestFileError extends Error {
    /** What to do about it. */
    readonly remedy: string;

    constructor(message: string, remedy: string) {
        super(message);
        this.remedy = remedy;
    }
}

/**
 * The text of a manifest: of a file whose real path is inside a folder, or of a pipe that is named itself. Git keeps links, so that whoever writes a manifest could have any other file
 * of the machine read, and quoted in what is said of it.
 *
 * @param folder default: that of the file.
 * @throws ManifestFileError where it is not read, or why the machine cannot read it
 */
export function readManifest(file: string, folder = path.dirname(file)): string {
    const stat = statOf(file);
    if (stat !== undefined && !stat.isFIFO() && !isInside(fs.realpathSync(folder), fs.realpathSync(file)))
        throw new ManifestFileError(
            "it is a link out of its folder, and is not followed",
            "put into the folder what the link leads to",
        );
    if (stat !== undefined && stat.size > MAX_MANIFEST)
        throw new ManifestFileError(tooLarge(stat.size), "split it into several files");
    return fs.readFileSync(file, "utf8");
}

function isInside(folder: string, real: string): boolean {
    const relative = path.relative(folder, real);
    return (
        relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
    );
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
