import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { build, goIsEnough, type GoModule, goVersion, moduleCache } from "../build/build";
import { isExecutable } from "../build/executable";
import { withLock } from "../build/lock";
import type { Report } from "../build/progress";
import { REPOSITORY } from "../repository";

const MODULE = "github.com/pulumi/pulumi/pkg/v3";
const FOLDER = path.join(REPOSITORY, "lab/pulumi");

/** The oldest Go that can build the CLI. */
const GO = "1.26";

/** Version of the Pulumi CLI that go.mod pins, such as "v3.259.0". */
export function cliVersion(): string {
    const goMod = readFileSync(path.join(FOLDER, "go.mod"), "utf8");
    const version = new RegExp(`^\\s*${MODULE.replaceAll(".", "\\.")} (v\\S+)`, "m").exec(goMod)?.[1];
    if (version === undefined) throw new Error(`lab/pulumi/go.mod does not require ${MODULE}`);
    return version;
}

function goModule(): GoModule {
    const stamp = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${cliVersion()}`;
    return {
        folder: FOLDER,
        packages: { pulumi: `${MODULE}/cmd/pulumi` },
        flags: ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", `-s -w ${stamp}`],
        size: 1900,
    };
}

/**
 * Finds the pinned CLI in the tool cache, and builds it from its Go module if it is not there (minutes the first time).
 *
 * @returns the folder that holds `pulumi`
 * @throws Error if it cannot be built, with what else helps
 */
async function installCli(report: Report, env: NodeJS.ProcessEnv): Promise<string> {
    const module = goModule();
    const cache = moduleCache("pulumi", module, env);
    if (isExecutable(path.join(cache, "pulumi"))) {
        report(`pulumi: tool cache, ${cache}`);
        return cache;
    }
    const go = goVersion(env);
    if (go === undefined || !goIsEnough(go, GO))
        throw new Error(
            `the Pulumi CLI ${cliVersion()} is built with Go ${GO} or newer, ` +
                `and ${go === undefined ? "PATH has no go" : `PATH has go ${go}`}. ` +
                "Remedy: put Go on PATH; " +
                "or install Pulumi with its alicloud and kubernetes plugins, and run with ENGINE=path.",
        );
    await withLock(`${cache}.lock`, report, async () => {
        // The process that held the lock before may have built it.
        if (isExecutable(path.join(cache, "pulumi"))) return;
        report(`building pulumi ${cliVersion()} into ${cache}`);
        try {
            await build(module, ["pulumi"], cache, env, report);
        } catch (error) {
            throw new Error(
                `${(error as Error).message}\nRemedy: where the Go module proxy cannot be reached, ` +
                    "install Pulumi with its alicloud and kubernetes plugins, and run with ENGINE=path.",
                { cause: error },
            );
        }
    });
    return cache;
}

/** The CLI that a lab uses. */
export interface Cli {
    /**
     * Kind of the CLI. `pinned` is built here, with the lab's language host. `found` is from PATH, with its language
     * host. `path` is from PATH with everything of its own, plugins included.
     */
    readonly kind: "pinned" | "found" | "path";
    /** Folder that holds `pulumi`. */
    readonly folder: string;
}

/**
 * Finds the CLI for a lab, or builds the pinned CLI. ENGINE=pinned selects the pinned CLI and ENGINE=path that on PATH.
 * By default the CLI on PATH is used if it is compatible with the pinned CLI.
 *
 * @throws Error if there is none, with the remedy
 */
export async function installPulumi(
    report: Report = () => undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<Cli> {
    if (env["ENGINE"] === "path") {
        const folder = foldersOf(env).find((one) => isExecutable(path.join(one, "pulumi")));
        if (folder === undefined)
            throw new Error(
                "ENGINE=path, but PATH has no pulumi. Remedy: install the Pulumi CLI and the " +
                    "alicloud and kubernetes plugins, and put them on PATH; or leave ENGINE out.",
            );
        return { kind: "path", folder };
    }
    const found = env["ENGINE"] === "pinned" ? undefined : findCli(env);
    if (found === undefined) return { kind: "pinned", folder: await installCli(report, env) };
    report(`pulumi ${found.version}: PATH, ${found.folder}; its own language host, the lab's plugins`);
    return { kind: "found", folder: found.folder };
}

/**
 * Returns the first `pulumi` on PATH that can replace the pinned CLI: this minor version or newer, with its language
 * host for Node next to it or on PATH.
 */
export function findCli(env: NodeJS.ProcessEnv): { folder: string; version: string } | undefined {
    const folders = foldersOf(env);
    const hasHost = folders.some((folder) => existsSync(path.join(folder, "pulumi-language-nodejs")));
    for (const folder of folders) {
        const file = path.join(folder, "pulumi");
        if (!isExecutable(file)) continue;
        const version = reportedVersion(file, env);
        if (version !== undefined && isRecent(version, cliVersion()) && hasHost) return { folder, version };
    }
    return undefined;
}

const foldersOf = (env: NodeJS.ProcessEnv): string[] =>
    (env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");

function reportedVersion(file: string, env: NodeJS.ProcessEnv): string | undefined {
    try {
        const said = execFileSync(file, ["version"], {
            encoding: "utf8",
            env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
            stdio: ["ignore", "pipe", "ignore"],
            timeout: 30_000,
        });
        return /^v\d+\.\d+\.\d+\S*/m.exec(said)?.[0];
    } catch {
        return undefined; // It does not answer, so it is not the program that is looked for.
    }
}

/** Reports whether a version has the same major version as the pinned version, and at least its minor version. */
export function isRecent(version: string, pinned: string): boolean {
    const [major, minor] = numbers(version);
    const [pinnedMajor, pinnedMinor] = numbers(pinned);
    return major === pinnedMajor && minor >= pinnedMinor;
}

function numbers(version: string): [number, number] {
    const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
    return [major, minor];
}
