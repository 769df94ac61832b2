import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { availableParallelism, homedir, setPriority } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { identify, isAlive, type Identity } from "./identity";
import { heartbeat, type Report } from "./progress";

/** Programs built from the modules that a go.mod pins. */
export interface GoModule {
    /** Folder of go.mod and go.sum. */
    readonly folder: string;
    /** Source files in that folder, which change the binaries, too. */
    readonly sources?: readonly string[];
    /** Go package of each program, by the program's name. */
    readonly packages: Readonly<Record<string, string>>;
    /** Arguments of `go build` besides the packages and the output folder. */
    readonly flags: readonly string[];
    /** Number of Go packages that a whole build compiles, for progress only. */
    readonly size: number;
}

const GO_ENV = { GOTOOLCHAIN: "local", GOWORK: "off", CGO_ENABLED: "0" };
/** The compiler collects garbage above this limit alone, which saves a third of its time in large packages. */
const COMPILER_ENV = { GOGC: "off", GOMEMLIMIT: "1536MiB" };
/** Two cores are busy with packages: that each has threads of its own costs 3 % of the processor time. */
const THREADS = availableParallelism() <= 2 ? " -c=1" : "";
const DRAFT = ".draft-";

/**
 * Arguments of `go build` besides those of a program. All modules have the same for Go's own library, which is compiled
 * once for all. The programs have no debug information, which takes a tenth of the time to compile.
 *
 * @param cold patterns of packages of which a lab runs little. Large packages take 60 % of the time without inlining.
 */
export function buildFlags(cold: readonly string[] = []): string[] {
    const flags = `-dwarf=false${THREADS}`;
    const gcflags = [`all=${flags}`, ...cold.map((pattern) => `${pattern}=${flags} -l`)];
    return ["-mod=readonly", "-trimpath", "-buildvcs=false", ...gcflags.map((each) => `-gcflags=${each}`)];
}

/** Folder for everything the project builds once and keeps outside the clone. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
    return env["ACK_LB_CACHE"] || join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ack-loadbalancer");
}

/** Name that changes with whatever can change the binaries: pinned modules, build flags, machine, own sources. */
export function contentKey(
    goMod: string,
    goSum: string,
    flags: readonly string[],
    sources: readonly string[] = [],
): string {
    const text = JSON.stringify([goMod, goSum, flags, process.platform, process.arch, ...sources]);
    return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Folder of the tool cache that holds the programs of a module. */
export function moduleCache(
    name: string,
    { folder, sources = [], flags }: GoModule,
    env: NodeJS.ProcessEnv = process.env,
): string {
    const read = (file: string): string => readFileSync(join(folder, file), "utf8");
    return join(cacheRoot(env), `${name}-${contentKey(read("go.mod"), read("go.sum"), flags, sources.map(read))}`);
}

/** Version such as "1.26.8" of the `go` on PATH, or undefined if there is none. */
export function goVersion(env: NodeJS.ProcessEnv): string | undefined {
    try {
        const text = execFileSync("go", ["env", "GOVERSION"], {
            encoding: "utf8",
            env: { ...env, ...GO_ENV },
            stdio: "pipe",
        });
        return /^go(\d+\.\d+\S*)/.exec(text)?.[1];
    } catch {
        return undefined;
    }
}

/** Reports whether Go `version` can build code that needs at least `desired` (both like "1.26" or "1.26.8"). */
export function goIsEnough(version: string, desired: string): boolean {
    const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
    const [wantedMajor = 0, wantedMinor = 0] = desired.split(".").map(Number);
    return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/**
 * Builds programs of a module, with the user's Go caches and proxy, into the folder `cache`. Each file appears there
 * complete or not at all.
 * @param besides writes files that belong with the programs into a folder. Each of its entries replaces that in the
 * cache.
 * @throws Error with the end of the compiler's output.
 */
export async function build(
    module: GoModule,
    programs: readonly string[],
    cache: string,
    env: NodeJS.ProcessEnv,
    report: Report,
    besides: (folder: string) => Promise<void> = async () => undefined,
): Promise<void> {
    await mkdir(cache, { recursive: true });
    await removeDeadDrafts(cache);
    const draft = join(cache, `${DRAFT}${process.pid}`);
    const [binaries, extra] = [join(draft, "bin"), join(draft, "besides")];
    for (const folder of [draft, binaries, extra]) await mkdir(folder);
    await writeFile(join(draft, "owner.json"), JSON.stringify(identify(process.pid)));
    try {
        if (programs.length > 0) await compile(module, programs, binaries, env, report);
        await besides(extra);
        for (const name of await readdir(extra)) {
            await rm(join(cache, name), { recursive: true, force: true });
            await rename(join(extra, name), join(cache, name));
        }
        for (const program of programs) {
            await rename(join(binaries, basenameOf(module, program)), join(cache, program));
        }
    } finally {
        await rm(draft, { recursive: true, force: true });
    }
}

/** File name `go build` gives a program: the last part of its package, major version suffix left out. */
function basenameOf({ packages }: GoModule, program: string): string {
    return basename(packageOf(packages, program).replace(/\/v\d+$/, ""));
}

function packageOf(packages: GoModule["packages"], program: string): string {
    const name = packages[program];
    if (name === undefined) throw new Error(`no Go package is known for ${program}`);
    return name;
}

async function compile(
    module: GoModule,
    programs: readonly string[],
    folder: string,
    env: NodeJS.ProcessEnv,
    report: Report,
): Promise<void> {
    const args = [
        "build",
        "-v",
        ...module.flags,
        "-o",
        `${folder}/`,
        ...programs.map((program) => packageOf(module.packages, program)),
    ];
    let compiled = 0;
    let downloaded = 0;
    const tail: string[] = [];
    const stop = heartbeat(report, 10, (elapsed) => {
        const modules = downloaded === 0 ? "" : `${downloaded} modules downloaded, `;
        const work = `${modules}${compiled} packages compiled of about ${module.size}`;
        return `building for ${elapsed} s: ${work}; last: ${tail.at(-1) ?? "nothing yet"}`;
    });
    try {
        await runGo(module.folder, args, env, (line) => {
            if (line.startsWith("go: downloading ")) downloaded++;
            else compiled++;
            tail.push(line);
            if (tail.length > 30) tail.shift();
        });
    } catch (error) {
        throw new Error(`go build failed (${(error as Error).message}):\n${tail.join("\n")}`, { cause: error });
    } finally {
        stop();
    }
    report(`built ${programs.join(", ")} (${compiled} packages compiled)`);
}

/** Returns the folder in which Go keeps the source of a pinned module, which is downloaded if it is missing. */
export async function moduleSource(folder: string, module: string, env: NodeJS.ProcessEnv): Promise<string> {
    let output = "";
    await runGo(
        folder,
        ["mod", "download", "-json", module],
        env,
        () => undefined,
        (text) => (output += text),
    );
    return (JSON.parse(output) as { Dir: string }).Dir;
}

/** Runs `go` in the folder of a module, and ends it when this process is asked to end. */
function runGo(
    folder: string,
    args: string[],
    env: NodeJS.ProcessEnv,
    onLine: (line: string) => void,
    onOutput: (text: string) => void = () => undefined,
): Promise<void> {
    return new Promise((resolve, reject) => {
        const child = spawn("go", args, {
            cwd: folder,
            env: { ...env, ...GO_ENV, ...COMPILER_ENV },
            stdio: ["ignore", "pipe", "pipe"],
        });
        const passOn = (name: NodeJS.Signals): void => void child.kill(name);
        process.on("SIGINT", passOn).on("SIGTERM", passOn);
        // A build of minutes should not make the machine unusable meanwhile.
        if (child.pid !== undefined) setPriority(child.pid, 10);
        createInterface({ input: child.stderr }).on("line", onLine);
        child.stdout.setEncoding("utf8").on("data", onOutput);
        child.once("error", reject);
        child.once("close", (code, name) => {
            process.off("SIGINT", passOn).off("SIGTERM", passOn);
            if (code === 0) resolve();
            else reject(new Error(name === null ? `exit code ${code}` : name));
        });
    });
}

async function removeDeadDrafts(cache: string): Promise<void> {
    for (const name of await readdir(cache)) {
        if (!name.startsWith(DRAFT)) continue;
        const folder = join(cache, name);
        const owner = await readFile(join(folder, "owner.json"), "utf8").then(
            (text) => JSON.parse(text) as Identity,
            () => undefined,
        );
        if (owner === undefined || !isAlive(owner)) await rm(folder, { recursive: true, force: true });
    }
}
