/** Files of a release, which `make release` has built. */
import * as fs from "node:fs";
import * as path from "node:path";

/** Folder of the release, if its checks run. */
export const RELEASE = process.env["RELEASE"];

/** Returns the file of the release whose name matches. @throws Error if there is none, or several */
export function released(name: RegExp, folder = RELEASE ?? ""): string {
    const files = fs.readdirSync(folder).filter((file) => name.test(file));
    if (files.length !== 1) throw new Error(`${folder} has ${files.length} files ${name.source}`);
    return path.join(folder, files[0] as string);
}
