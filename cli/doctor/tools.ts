/** Node, the Pulumi CLI and the packages of the program. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { parseJsonObject } from "../../provider/net";
import { isOlder, LEAST_NODE } from "../../provider/node";
import { type Answer, type Check, failure, ok, warning } from "./check";

/** Installed versions, undefined where nothing was found. */
export interface Tools {
    readonly node: string;
    readonly pulumi: string | undefined;
    /** Versions by the names of npm packages. */
    readonly packages: Readonly<Record<string, string | undefined>>;
    readonly plugins: readonly Plugin[];
    /** True if the engine fetches plugins that are not there. */
    readonly fetches: boolean;
}

/** Least versions. Source: `peerDependencies` of package.json, and the first CLI with `onError` hooks. */
const PULUMI = [3, 217, 0];
const PACKAGES = {
    "@pulumi/pulumi": [3, 276, 0],
    "@pulumi/alicloud": [3, 108, 0],
    "@pulumi/kubernetes": [4, 34, 2],
    "@pulumi/policy": [1, 21, 0],
} as const;

interface Plugin {
    readonly name: keyof typeof PLUGINS;
    readonly version: string;
    /** Absent where the engine would not find it. */
    readonly at: string | undefined;
}

/** Resource plugins of the packages. Each package asks for the plugin of its own version, and of no other. */
const PLUGINS = { alicloud: "@pulumi/alicloud", kubernetes: "@pulumi/kubernetes" } as const;

export function judgeTools({ node, pulumi, packages, plugins, fetches }: Tools): Check[] {
    const answers: Record<string, Answer> = {
        Node: judge(node, LEAST_NODE, "install a newer Node"),
        "Pulumi CLI": judge(pulumi, PULUMI, "install the Pulumi CLI, and put it on PATH"),
    };
    for (const [name, least] of Object.entries(PACKAGES)) {
        const remedy = `npm install ${name}@^${least.join(".")} in the folder of the program`;
        answers[name] = judge(packages[name], least, remedy);
    }
    for (const plugin of plugins) answers[`plugin ${plugin.name}`] = judgePlugin(plugin, fetches);
    return Object.entries(answers).map(([what, answer]) => ({ area: "tools", what, ...answer }));
}

function judgePlugin({ name, version, at }: Plugin, fetches: boolean): Answer {
    if (at !== undefined) return ok(`${version} (${at})`);
    const remedy =
        `pulumi plugin install resource ${name} ${version}, ` +
        `or install ${PLUGINS[name]} of a version that is there`;
    return fetches
        ? warning(`${version} is not there: the first run fetches it`, `without a network: ${remedy}`)
        : failure(`${version} is not there, and PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION is set`, remedy);
}

function judge(version: string | undefined, least: readonly number[], remedy: string): Answer {
    if (version === undefined) return warning("not found", remedy);
    const numbers = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(version)?.slice(1).map(Number);
    if (numbers === undefined) return warning(`${version}, which is no version`, remedy);
    return isOlder(numbers, least) ? failure(`${version}, and ${least.join(".")} is the least`, remedy) : ok(version);
}

/** Reads the versions for a program in a folder from files, without loading a package. */
export async function readTools(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<Tools> {
    const packages = Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, versionOf(name, folder)]));
    return {
        node: process.version,
        pulumi: await pulumiVersion(),
        packages,
        plugins: (["alicloud", "kubernetes"] as const).flatMap((name) => {
            const version = packages[PLUGINS[name]];
            return version === undefined ? [] : [{ name, version, at: findPlugin(name, version, env) }];
        }),
        fetches: !/^(?:1|t|true)$/i.test(env["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] ?? ""),
    };
}

/**
 * Returns the place where the engine would find a plugin: any version on PATH, this version in the cache, or else
 * undefined.
 */
function findPlugin(name: string, version: string, env: NodeJS.ProcessEnv): string | undefined {
    const folders = env["PULUMI_IGNORE_AMBIENT_PLUGINS"] === undefined ? (env["PATH"] ?? "").split(path.delimiter) : [];
    const programs = folders.flatMap((folder) =>
        ["", ".exe"].map((ending) => path.join(folder, `pulumi-resource-${name}${ending}`)),
    );
    const home = env["PULUMI_HOME"] ?? path.join(os.homedir(), ".pulumi");
    return [...programs, path.join(home, "plugins", `resource-${name}-v${version}`)].find((file) =>
        fs.existsSync(file),
    );
}

async function pulumiVersion(): Promise<string | undefined> {
    try {
        const { stdout } = await promisify(execFile)("pulumi", ["version"], { timeout: 30_000 });
        return /v?\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
    } catch {
        return undefined;
    }
}

/** Returns the version of a package where Node would find it. */
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
