import { accessSync, constants, statSync } from "node:fs";

/** Whether a path is that of a file which this user may execute. */
export function isExecutable(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    } catch {
        return false;
    }
}
