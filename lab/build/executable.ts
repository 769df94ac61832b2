import { accessSync, constants, statSync } from "node:fs";

/** Reports whether this user may execute the file at a path. */
export function isExecutable(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    } catch {
        return false;
    }
}
