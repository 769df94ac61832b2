import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";

let counter = 0;

/** Writes a file so that readers see either the old or the new content. With `backup` the old one stays as `<file>.bak`. */
export function writeAtomic(file: string, text: string, backup = false): void {
    mkdirSync(dirname(file), { recursive: true });
    const temp = `${file}.${process.pid}.${++counter}.tmp`;
    writeFileSync(temp, text, { mode: 0o600 });
    if (backup && existsSync(file)) {
        rmSync(`${file}.bak`, { force: true });
        linkSync(file, `${file}.bak`);
    }
    renameSync(temp, file);
    // A check sum that another program kept beside the old content would be wrong now; it is optional.
    rmSync(`${file}.attrs`, { force: true });
}

/** Text of a file that may be stored compressed, or undefined. */
export function readMaybeCompressed(file: string): string | undefined {
    if (existsSync(file)) return readFileSync(file, "utf8");
    if (existsSync(`${file}.gz`)) return gunzipSync(readFileSync(`${file}.gz`)).toString("utf8");
    return undefined;
}
