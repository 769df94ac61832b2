import { execFileSync, spawn } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { buildFlags, GO_PACKAGES, STAGE_FILES, toolsFolder, versions, type Program } from "./layout";
import { identify, isAlive, type Identity } from "./identity";
import { heartbeat, type Report } from "./progress";

const GO_ENV = { GOTOOLCHAIN: "local", GOWORK: "off", CGO_ENABLED: "0" };
const DRAFT = ".draft-";

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

/** Whether Go `version` can build what needs at least `desired` (both like "1.26" or "1.26.8"). */
export function goIsEnough(version: string, desired: string): boolean {
    const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
    const [wantedMajor = 0, wantedMinor = 0] = desired.split(".").map(Number);
    return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/**
 * Builds programs from the pinned Go modules, with the user's own Go caches and proxy, into the folder `cache`.
 * Each file appears there whole or not at all. The stage files of kwok are copied beside them.
 * @throws Error with the end of the compiler's output.
 */
export async function build(
    programs: readonly Program[],
    cache: string,
    env: NodeJS.ProcessEnv,
    report: Report,
): Promise<void> {
    await mkdir(cache, { recursive: true });
    await removeDeadDrafts(cache);
    const draft = join(cache, `${DRAFT}${process.pid}`);
    await mkdir(draft);
    await writeFile(join(draft, "owner.json"), JSON.stringify(identify(process.pid)));
    try {
        if (programs.length > 0) await compile(programs, draft, env, report);
        await copyStages(join(draft, "stages"), env, report);
        await rm(join(cache, "stages"), { recursive: true, force: true });
        await rename(join(draft, "stages"), join(cache, "stages"));
        for (const program of programs) {
            await rename(join(draft, basenameOf(program)), join(cache, program));
        }
    } finally {
        await rm(draft, { recursive: true, force: true });
    }
}

/** File name `go build` gives a program: the last part of its package, major version suffix left out. */
function basenameOf(program: Program): string {
    return basename(GO_PACKAGES[program].replace(/\/v\d+$/, ""));
}

async function compile(
    programs: readonly Program[],
    draft: string,
    env: NodeJS.ProcessEnv,
    report: Report,
): Promise<void> {
    const args = [
        "build",
        "-v",
        ...buildFlags(versions()),
        "-o",
        `${draft}/`,
        ...programs.map((program) => GO_PACKAGES[program]),
    ];
    let compiled = 0;
    let downloaded = 0;
    const tail: string[] = [];
    const stop = heartbeat(report, 10, (elapsed) => {
        const work = `${downloaded} modules downloaded, ${compiled} packages compiled of about 2800`;
        return `building for ${elapsed} s: ${work}; last: ${tail.at(-1) ?? "nothing yet"}`;
    });
    try {
        await runGo(args, env, (line) => {
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
    report(`built ${programs.join(", ")} (${compiled} packages compiled, ${downloaded} modules downloaded)`);
}

async function copyStages(target: string, env: NodeJS.ProcessEnv, report: Report): Promise<void> {
    let output = "";
    await runGo(
        ["mod", "download", "-json", "sigs.k8s.io/kwok"],
        env,
        () => undefined,
        (text) => (output += text),
    );
    const { Dir: module } = JSON.parse(output) as { Dir: string };
    for (const file of STAGE_FILES) {
        await mkdir(dirname(join(target, file)), { recursive: true });
        // Written, not copied: the module cache is read-only and copying would keep that.
        await writeFile(join(target, file), await readFile(join(module, "kustomize", "stage", file)));
    }
    report("copied kwok's stage files");
}

/** Runs `go` in the tools module; ends it when this process is asked to end. */
function runGo(
    args: string[],
    env: NodeJS.ProcessEnv,
    onLine: (line: string) => void,
    onOutput: (text: string) => void = () => undefined,
): Promise<void> {
    return new Promise((resolve, reject) => {
        const child = spawn("go", args, {
            cwd: toolsFolder(),
            env: { ...env, ...GO_ENV },
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
