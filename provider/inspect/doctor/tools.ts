/** Node, the Pulumi CLI and the packages of the program. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { parseJsonObject } from "../../net";
import type { Check } from "./check";

/** What is installed; undefined where it was not found. */
export interface Tools {
    readonly node: string;
    readonly pulumi: string | undefined;
    /** Versions of packages by name. */
    readonly packages: Readonly<Record<string, string | undefined>>;
}

/** Least versions. Source: `engines` and `peerDependencies` of this package's package.json. */
const LEAST = {
    node: [22, 19, 0],
    pulumi: [3, 0, 0],
    "@pulumi/pulumi": [3, 270, 0],
    "@pulumi/alicloud": [3, 106, 0],
    "@pulumi/kubernetes": [4, 32, 0],
    "@pulumi/policy": [1, 21, 0],
} as const;

const PACKAGES = ["@pulumi/pulumi", "@pulumi/alicloud", "@pulumi/kubernetes", "@pulumi/policy"] as const;

/** The checks of what is installed. */
export function judgeTools({ node, pulumi, packages }: Tools): Check[] {
    return [
        judge("Node", node, LEAST.node, "install a newer Node"),
        judge("Pulumi CLI", pulumi, LEAST.pulumi, "install the Pulumi CLI, and put it on PATH"),
        ...PACKAGES.map((name) =>
            judge(
                name,
                packages[name],
                LEAST[name],
                `npm install ${name}@^${LEAST[name].join(".")} in the folder of the program`,
            ),
        ),
    ];
}

function judge(what: string, version: string | undefined, least: readonly number[], remedy: string): Check {
    const common = { area: "tools", what } as const;
    if (version === undefined) return { ...common, state: "warning", found: "not found", remedy };
    const numbers = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(version)?.slice(1).map(Number);
    if (numbers === undefined) return { ...common, state: "warning", found: `${version}, which is no version`, remedy };
    const index = least.findIndex((part, at) => numbers[at] !== part);
    const old = index !== -1 && (numbers[index] ?? 0) < (least[index] ?? 0);
    return old
        ? { ...common, state: "error", found: `${version}, and ${least.join(".")} is the least`, remedy }
        : { ...common, state: "ok", found: version };
}

/** What is installed for a program in a folder. Nothing is loaded: versions stand in files. */
export async function readTools(folder: string): Promise<Tools> {
    return {
        node: process.version,
        pulumi: await pulumiVersion(),
        packages: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name, folder)])),
    };
}

async function pulumiVersion(): Promise<string | undefined> {
    try {
        const { stdout } = await promisify(execFile)("pulumi", ["version"], { timeout: 30_000 });
        return /v?\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
    } catch {
        return undefined;
    }
}

/** Looks where Node would look for a package. */
function versionOf(name: string, folder: string): string | undefined {
    for (let at = path.resolve(folder); ; at = path.dirname(at)) {
        try {
            const text = fs.readFileSync(path.join(at, "node_modules", name, "package.json"), "utf8");
            const version = parseJsonObject(text)?.["version"];
            return typeof version === "string" ? version : undefined;
        } catch {
            if (path.dirname(at) === at) return undefined;
        }
    }
}
