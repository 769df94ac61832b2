import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonMap } from "./case";

/** Locks that are left over in a folder of states. */
export function observeLocks(base: string): JsonMap {
    const found: JsonMap[] = [];
    const visit = (folder: string) => {
        if (!existsSync(folder)) return;
        for (const f of readdirSync(folder, { withFileTypes: true })) {
            const path = join(folder, f.name);
            if (f.isDirectory()) visit(path);
            else if (f.name.endsWith(".json")) {
                const keys = Object.keys(JSON.parse(readFileSync(path, "utf8")) as JsonMap);
                found.push({
                    folder: dirname(path).slice(base.length + 1),
                    content: Object.fromEntries(keys.map((k) => [k, `<${k}>`])),
                });
            }
        }
    };
    visit(join(base, ".pulumi", "locks"));
    return found.length > 0 ? { locks: found } : {};
}
