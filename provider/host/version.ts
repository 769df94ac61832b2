import * as fs from "node:fs";
import * as path from "node:path";

let known: string | undefined;

/** Returns the version in this package's package.json. @throws Error if the file is missing */
export const packageVersion = (): string => (known ??= readVersion(__dirname));

function readVersion(folder: string): string {
    const file = path.join(folder, "package.json");
    const { name, version } = JSON.parse(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "{}") as {
        readonly name?: unknown;
        readonly version?: unknown;
    };
    if (name === "ack-loadbalancer" && typeof version === "string") return version;
    const parent = path.dirname(folder);
    if (parent === folder)
        throw new Error("package.json of ack-loadbalancer is missing. Remedy: install the package again.");
    return readVersion(parent);
}
