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

/**
 * Reports whether a version is newer than another, as semver.org orders them. A text of another form is newer than
 * none.
 */
export function isNewer(version: string, than: string): boolean {
    const [left, right] = [partsOf(version), partsOf(than)];
    if (left === undefined || right === undefined) return false;
    const differs = left.numbers.findIndex((part, index) => part !== right.numbers[index]);
    if (differs >= 0) return (left.numbers[differs] ?? 0) > (right.numbers[differs] ?? 0);
    // A pre-release comes before its release.
    if (left.preRelease === "" || right.preRelease === "") return left.preRelease === "" && right.preRelease !== "";
    return left.preRelease.localeCompare(right.preRelease, "en", { numeric: true }) > 0;
}

function partsOf(version: string) {
    const match = /^(\d+)\.(\d+)\.(\d+)(?:-([^+]+))?(?:\+.*)?$/.exec(version);
    if (match === null) return undefined;
    return { numbers: match.slice(1, 4).map(Number), preRelease: match[4] ?? "" };
}
