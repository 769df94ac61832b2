import * as fs from "node:fs";
import * as path from "node:path";
import { once, unlessThrown } from "../../schema/defined";
import { MAX_MANIFEST, tooLarge } from "./read";

/** Most folders within each other. Each path is resolved from its root: without a limit, time grows with the cube. */
const MAX_DEPTH = 50;

const MANIFEST = /\.(ya?ml|json)$/i;

/** Links that Emacs creates next to a file that is being edited. They lead nowhere. */
const EDITOR_LOCK = /^\.#/;

/**
 * Lists every `*.yaml`, `*.yml` and `*.json` of a folder and its subfolders by name, or undefined if there is no
 * folder.
 *
 * Links are followed and their targets listed once, by the shortest path: a folder mounted from a ConfigMap has each
 * file three times. A link that leads nowhere or out of the folder is listed, and so is a folder that is too deep:
 * {@link readManifest} refuses them.
 */
export function listManifests(folder: string): string[] | undefined {
    if (statOf(folder)?.isDirectory() !== true) return undefined;
    const files = new Map<string, string>();
    const root = fs.realpathSync(folder);
    const folders = new Map([[root, { current: folder, depth: 0 }]]);
    // The map grows in this loop: folders of a level come before those below it.
    for (const { current, depth } of folders.values()) {
        for (const name of fs.readdirSync(current).sort()) {
            const entry = path.join(current, name);
            const stat = statOf(entry);
            const real = stat === undefined ? entry : fs.realpathSync(entry);
            if (folders.has(real)) continue;
            const isFolder = stat?.isDirectory() === true;
            if (isFolder && isInside(root, real) && depth < MAX_DEPTH)
                folders.set(real, { current: entry, depth: depth + 1 });
            else if (isFolder || (MANIFEST.test(name) && !EDITOR_LOCK.test(name) && (stat?.isFile() ?? true)))
                once(files, real, () => entry);
        }
    }
    return [...files.values()].sort();
}

/** Error for a manifest that exists and is not read. */
export class ManifestFileError extends Error {
    constructor(
        message: string,
        readonly remedy: string,
    ) {
        super(message);
    }
}

/**
 * Reads a manifest whose real path is inside a folder, or a pipe. Git keeps links: the author of a manifest could
 * otherwise have any file of the machine read and quoted.
 *
 * @param folder default: that of the file.
 * @throws ManifestFileError if it is refused, or the error of the file system
 */
export function readManifest(file: string, folder = path.dirname(file)): string {
    const stat = statOf(file);
    if (stat !== undefined && !stat.isFIFO() && !isInside(fs.realpathSync(folder), fs.realpathSync(file)))
        throw new ManifestFileError(
            "it is a link out of its folder, and is not followed",
            "copy the link's target into the folder",
        );
    if (stat?.isDirectory())
        throw new ManifestFileError(
            `it is a folder, and folders are read up to ${MAX_DEPTH} levels deep`,
            "move the manifests to a folder further up",
        );
    if (stat !== undefined && stat.size > MAX_MANIFEST)
        throw new ManifestFileError(tooLarge(stat.size), "split it into several files");
    return fs.readFileSync(file, "utf8");
}

function isInside(folder: string, real: string): boolean {
    const relative = path.relative(folder, real);
    return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Returns undefined for a missing file and for a link that leads nowhere or to itself. */
const statOf = (file: string): fs.Stats | undefined => unlessThrown(() => fs.statSync(file));
