import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { build, buildFlags, goIsEnough, type GoModule, goVersion, moduleCache, moduleSource } from "../build/build";
import { isExecutable } from "../build/executable";
import { withLock } from "../build/lock";
import type { Report } from "../build/progress";
import { REPOSITORY } from "../repository";

/** A program that a go.mod of this folder pins. */
interface Pinned {
    /** Its file, which names its folder of the tool cache, too. */
    readonly program: string;
    /** For people. */
    readonly title: string;
    /** Folder of go.mod. */
    readonly folder: string;
    readonly module: string;
    /** Variable of the program that has its version. */
    readonly stamp: string;
    /** SDK whose version the program says it has, as a released plugin does. Default: it says that of its module. */
    readonly sdk?: string;
    /** Go files of the folder, if the program's package is there and not in the module. */
    readonly sources?: readonly string[];
    /** Files of the module that the program reads, which are put beside it. */
    readonly files?: readonly string[];
    /** Further arguments of `go build`. */
    readonly flags?: readonly string[];
    /** Packages of which a lab runs little: see {@link buildFlags}. */
    readonly cold?: readonly string[];
    /** See {@link GoModule.size}. */
    readonly size: number;
}

const CLI: Pinned = {
    program: "pulumi",
    title: "Pulumi CLI",
    folder: path.join(REPOSITORY, "lab/pulumi"),
    module: "github.com/pulumi/pulumi/pkg/v3",
    stamp: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version",
    // Without gRPC's way to Google's storage, a tenth of all sources.
    flags: ["-tags=disable_grpc_modules"],
    cold: [
        "cloud.google.com/...",
        "github.com/Azure/...",
        "github.com/alecthomas/...",
        "github.com/aws/...",
        "github.com/go-git/...",
        "github.com/pb33f/...",
        "github.com/pulumi/pulumi-cloud-sdk/...",
        "github.com/pulumi/pulumi/pkg/v3/cmd/...",
        "google.golang.org/api/...",
    ],
    size: 1300,
};

const YAML_HOST: Pinned = {
    program: "pulumi-language-yaml",
    title: "language host for YAML",
    folder: path.join(REPOSITORY, "lab/pulumi/yaml"),
    module: "github.com/pulumi/pulumi-yaml",
    stamp: "github.com/pulumi/pulumi-yaml/pkg/version.Version",
    size: 450,
};

const ALICLOUD: Pinned = {
    program: "pulumi-resource-alicloud",
    title: "alicloud plugin",
    folder: path.join(REPOSITORY, "lab/plugins/alicloud"),
    module: "github.com/aliyun/terraform-provider-alicloud",
    stamp: "main.version",
    sdk: "alicloud",
    sources: ["main.go", "gateway-oss/go.mod", "gateway-oss/client/client.go"],
    size: 1900,
};

const KUBERNETES: Pinned = {
    program: "pulumi-resource-kubernetes",
    title: "kubernetes plugin",
    folder: path.join(REPOSITORY, "lab/plugins/kubernetes"),
    module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
    stamp: "main.version",
    sdk: "kubernetes",
    sources: ["main.go"],
    files: ["cmd/pulumi-resource-kubernetes/schema.json", "cmd/pulumi-resource-kubernetes/terraform-mapping.json"],
    size: 1750,
};

const HELM: Pinned = {
    program: "helm",
    title: "Helm",
    folder: path.join(REPOSITORY, "lab/helm"),
    module: "helm.sh/helm/v4",
    stamp: "helm.sh/helm/v4/internal/version.version",
    size: 790,
};

/** The oldest Go that can build them. */
const GO = "1.26";

/** Version that go.mod pins, such as "v3.259.0". */
function versionOf({ folder, module }: Pinned): string {
    const goMod = readFileSync(path.join(folder, "go.mod"), "utf8");
    const version = new RegExp(`^\\s*(?:require )?${module.replaceAll(".", "\\.")} (v\\S+)`, "m").exec(goMod)?.[1];
    if (version === undefined)
        throw new Error(`${path.relative(REPOSITORY, folder)}/go.mod does not require ${module}`);
    return version;
}

/** Version of a package of Pulumi in node_modules, such as "3.259.0". */
export function sdkVersion(name: string): string {
    const file = path.join(REPOSITORY, "node_modules/@pulumi", name, "package.json");
    return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

export const cliVersion = (): string => versionOf(CLI);
export const yamlHostVersion = (): string => versionOf(YAML_HOST);

function goModule(pinned: Pinned): GoModule {
    const { program, folder, module, stamp, sdk, sources, flags = [], cold, size } = pinned;
    const ldflags = `-s -w -X ${stamp}=${sdk === undefined ? versionOf(pinned) : sdkVersion(sdk)}`;
    return {
        folder,
        ...(sources !== undefined && { sources }),
        packages: { [program]: `${sources === undefined ? `${module}/cmd` : "ack-loadbalancer"}/${program}` },
        flags: [...buildFlags(cold), ...flags, "-ldflags", ldflags],
        size,
    };
}

const cacheOf = (pinned: Pinned, env: NodeJS.ProcessEnv): string => moduleCache(pinned.program, goModule(pinned), env);

/**
 * Finds a program in the tool cache, and builds it from its Go module if it is not there (minutes the first time).
 *
 * @returns the folder that holds it
 * @throws Error if it cannot be built, with what else helps
 */
async function install(pinned: Pinned, report: Report, env: NodeJS.ProcessEnv): Promise<string> {
    const { program, title, folder, files = [] } = pinned;
    const cache = cacheOf(pinned, env);
    if (isExecutable(path.join(cache, program))) {
        report(`${program}: tool cache, ${cache}`);
        return cache;
    }
    const go = goVersion(env);
    if (go === undefined || !goIsEnough(go, GO))
        throw new Error(
            `the ${title} ${versionOf(pinned)} is built with Go ${GO} or newer, ` +
                `and ${go === undefined ? "PATH has no go" : `PATH has go ${go}`}. ` +
                "Remedy: put Go on PATH; " +
                "or install Pulumi with its alicloud and kubernetes plugins, and run with ENGINE=path.",
        );
    await withLock(`${cache}.lock`, report, async () => {
        // The process that held the lock before may have built it.
        if (isExecutable(path.join(cache, program))) return;
        report(`building ${program} ${versionOf(pinned)} into ${cache}`);
        try {
            await build(goModule(pinned), [program], cache, env, report, async (target) => {
                if (files.length === 0) return;
                const source = await moduleSource(folder, pinned.module, env);
                // Written, not copied: the module cache is read-only and copying would keep that.
                for (const file of files)
                    await writeFile(path.join(target, path.basename(file)), await readFile(path.join(source, file)));
            });
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

/** Finds the language host for YAML in the tool cache, or builds it. Only programs in YAML need it. */
export const installYamlHost = (
    report: Report = () => undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<string> => install(YAML_HOST, report, env);

/** The CLI that a lab uses. */
export interface Cli {
    /**
     * Kind of the CLI. `pinned` is built here, with the lab's language host. `found` is from PATH, with its language
     * host. `path` is from PATH with everything of its own, plugins included.
     */
    readonly kind: "pinned" | "found" | "path";
    /** Folder that holds `pulumi`. */
    readonly folder: string;
    /** Folder that holds the lab's language host for YAML. Undefined: it is not built, or the CLI comes with its own. */
    readonly yamlHost?: string;
    /** Folders that hold the real resource plugins. Undefined: the lab's stand-ins, or with `path` the user's. */
    readonly plugins?: Readonly<Record<Plugin, string>>;
}

/** Packages whose resource plugins the lab has. */
export type Plugin = "alicloud" | "kubernetes";

/**
 * Selects the CLI for a lab. ENGINE=pinned selects the pinned CLI and ENGINE=path that on PATH. By default the CLI on
 * PATH is used if it is compatible with the pinned CLI. PLUGINS=real adds the real plugins.
 *
 * @throws Error if there is none, with the remedy
 */
export function selectPulumi(report: Report = () => undefined, env: NodeJS.ProcessEnv = process.env): Cli {
    if (env["ENGINE"] === "path") {
        const folder = foldersOf(env).find((one) => isExecutable(path.join(one, "pulumi")));
        if (folder === undefined)
            throw new Error(
                "ENGINE=path, but PATH has no pulumi. Remedy: install the Pulumi CLI and the " +
                    "alicloud and kubernetes plugins, and put them on PATH; or leave ENGINE out.",
            );
        return { kind: "path", folder };
    }
    const plugins = usesRealPlugins(env)
        ? { plugins: { kubernetes: cacheOf(KUBERNETES, env), alicloud: cacheOf(ALICLOUD, env) } }
        : {};
    const found = env["ENGINE"] === "pinned" ? undefined : findCli(env);
    if (found !== undefined) {
        report(`pulumi ${found.version}: PATH, ${found.folder}; its own language host, the lab's plugins`);
        return { kind: "found", folder: found.folder, ...plugins };
    }
    const yamlHost = cacheOf(YAML_HOST, env);
    const isBuilt = isExecutable(path.join(yamlHost, YAML_HOST.program));
    return { kind: "pinned", folder: cacheOf(CLI, env), ...(isBuilt && { yamlHost }), ...plugins };
}

/**
 * Builds what the tool cache lacks of a selected CLI (minutes the first time).
 *
 * @throws Error if it cannot be built, with what else helps
 */
export async function buildPulumi(
    { kind, plugins }: Cli,
    report: Report = () => undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
    const needed = [...(kind === "pinned" ? [CLI] : []), ...(plugins === undefined ? [] : [KUBERNETES, ALICLOUD])];
    for (const pinned of needed) await install(pinned, report, env);
}

/** Selects the CLI for a lab, and builds it. @throws Error as {@link selectPulumi} and {@link buildPulumi} do */
export async function installPulumi(report?: Report, env?: NodeJS.ProcessEnv): Promise<Cli> {
    const cli = selectPulumi(report, env);
    await buildPulumi(cli, report, env);
    return cli;
}

/** Finds Helm in the tool cache, or builds it. Only checks of a release need it. @returns the folder that holds it */
export const installHelm = (report: Report = () => undefined): Promise<string> => install(HELM, report, process.env);

/** Reports whether PLUGINS selects the real resource plugins. @throws Error if it selects what there is not */
export function usesRealPlugins({ PLUGINS }: NodeJS.ProcessEnv): boolean {
    if (PLUGINS !== undefined && PLUGINS !== "" && PLUGINS !== "real")
        throw new Error(`PLUGINS is ${JSON.stringify(PLUGINS)}. Remedy: PLUGINS=real, or leave it out.`);
    return PLUGINS === "real";
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
