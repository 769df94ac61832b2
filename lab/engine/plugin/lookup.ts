import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findOnPath } from "./process";

/** An executable plugin. */
export interface FoundPlugin {
    command: string;
    /** Warning for a plugin that was found elsewhere than where the CLI installs it. */
    warning?: string;
}

/** Folder of the engine's executable. */
const BUNDLE = resolve(__dirname, "..", "..", "..", "..", "lab", "bin");
/** Plugins that come with the engine. */
const BUNDLED = new Set(["pulumi-nodejs"]);

/** Finds the resource plugin of a package: in a folder the project names, on the search path, or next to the engine. */
export function findResourcePlugin(
    pkg: string,
    folders: readonly { name: string; path: string }[],
): FoundPlugin | undefined {
    const file = `pulumi-resource-${pkg}`;
    const folder = folders.find((f) => f.name === pkg)?.path;
    if (folder !== undefined) {
        const inside = join(folder, file);
        if (existsSync(inside)) return { command: inside };
        return existsSync(folder) && folder.endsWith(file) ? { command: folder } : undefined;
    }
    const bundled = BUNDLED.has(pkg) ? join(BUNDLE, file) : undefined;
    const ambient = process.env["PULUMI_IGNORE_AMBIENT_PLUGINS"] ? undefined : findOnPath(file);
    if (ambient === undefined || ambient === bundled) return bundled === undefined ? undefined : { command: bundled };
    const expected = bundled === undefined ? "" : ` expected ${bundled}`;
    return { command: ambient, warning: `using ${file} from $PATH at ${ambient}${expected}` };
}

/** Command that starts the resource plugin of a package. */
export function resourcePlugin(pkg: string, folders: readonly { name: string; path: string }[]): string | undefined {
    return findResourcePlugin(pkg, folders)?.command;
}

/** A version as numbers and pre-release part; undefined for texts that are none. */
function parseVersion(text: string): { numbers: number[]; pre: string } | undefined {
    const m = /^v?(\d+)\.(\d+)\.(\d+)(?:-([^+]+))?(?:\+.*)?$/.exec(text);
    return m ? { numbers: [m[1], m[2], m[3]].map(Number), pre: m[4] ?? "" } : undefined;
}

/** True if `version` is at least `minimum`; a pre-release comes before its release. */
export function isAtLeast(version: string, minimum: string): boolean {
    const [a, b] = [parseVersion(version), parseVersion(minimum)];
    if (!a || !b) return false;
    for (let i = 0; i < b.numbers.length; i++) {
        const difference = (a.numbers[i] as number) - (b.numbers[i] as number);
        if (difference !== 0) return difference > 0;
    }
    return a.pre === b.pre || a.pre === "" || (b.pre !== "" && a.pre > b.pre);
}
