import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isExecutable } from "../build/executable";
import { PROGRAMS, repositoryRoot, STAGE_FILES, toolCache, versionOf, versions, type Program } from "./layout";

const run = promisify(execFile);

/** Absolute paths of the programs, and the folder with kwok's stage files. */
export interface Tools {
    binaries: Record<Program, string>;
    stages: string;
}

/** Programs that were found without building, and their sources. */
export interface Search {
    found: Partial<Record<Program, { path: string; source: string }>>;
    missing: Program[];
    stages: string | undefined;
}

/** Returns the environment variable that names a program's file. Its prefix is that of Kubernetes' envtest. */
export function variableOf(program: Program): string {
    return `TEST_ASSET_${program.toUpperCase().replaceAll("-", "_")}`;
}

/** Environment variable that names a folder with kwok's stage files. */
export const STAGES_VARIABLE = "TEST_ASSET_KWOK_STAGES";

/**
 * Looks for each program: its own variable, the folder KUBEBUILDER_ASSETS, the tool cache, PATH (only with the
 * pinned major and minor version).
 * @throws Error if a variable names a file that cannot be executed: what was asked for explicitly is not replaced.
 */
export async function search(env: NodeJS.ProcessEnv = process.env): Promise<Search> {
    const cache = toolCache(env);
    const result: Search = { found: {}, missing: [], stages: findStages(cache, env) };
    for (const program of PROGRAMS) {
        const hit = await find(program, env, cache);
        if (hit === undefined) result.missing.push(program);
        else result.found[program] = hit;
    }
    return result;
}

/** Returns a program from the first source that has it. @throws Error as {@link search} does. */
export async function find(
    program: Program,
    env: NodeJS.ProcessEnv = process.env,
    cache = toolCache(env),
): Promise<{ path: string; source: string } | undefined> {
    return named(program, env) ?? cached(program, cache) ?? (await onPath(program, env));
}

function named(program: Program, env: NodeJS.ProcessEnv): { path: string; source: string } | undefined {
    const variable = variableOf(program);
    const path = env[variable];
    if (path) {
        if (!isExecutable(path)) throw new Error(`${variable} is ${path}, which cannot be executed`);
        return { path, source: variable };
    }
    const assets = env["KUBEBUILDER_ASSETS"];
    const inAssets = assets ? join(assets, program) : "";
    return inAssets !== "" && isExecutable(inAssets) ? { path: inAssets, source: "KUBEBUILDER_ASSETS" } : undefined;
}

function cached(program: Program, cache: string): { path: string; source: string } | undefined {
    const path = join(cache, program);
    return isExecutable(path) ? { path, source: "tool cache" } : undefined;
}

async function onPath(program: Program, env: NodeJS.ProcessEnv): Promise<{ path: string; source: string } | undefined> {
    const desired = versionOf(program, versions());
    // A lab has lab/bin on its PATH, and the kubectl there comes here to ask.
    const ours = join(repositoryRoot(), "lab", "bin");
    for (const folder of (env["PATH"] ?? "").split(delimiter)) {
        const path = join(folder, program);
        if (folder === "" || resolve(folder) === ours || !isExecutable(path)) continue;
        const version = await reportedVersion(path, program);
        if (version !== undefined && sameMinor(version, desired)) return { path, source: `PATH (${version})` };
    }
    return undefined;
}

async function reportedVersion(path: string, program: Program): Promise<string | undefined> {
    const args = program === "kubectl" ? ["version", "--client"] : ["--version"];
    try {
        const { stdout } = await run(path, args, { timeout: 20_000 });
        return /\bv?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    } catch {
        return undefined; // it does not answer, so it is not the program that is looked for
    }
}

/** Reports whether two versions such as "1.36.3" and "v1.36.0" share major and minor. */
export function sameMinor(a: string, b: string): boolean {
    const cut = (version: string): string => version.replace(/^v/, "").split(".").slice(0, 2).join(".");
    return cut(a) === cut(b);
}

function findStages(cache: string, env: NodeJS.ProcessEnv): string | undefined {
    const complete = (folder: string): boolean => STAGE_FILES.every((file) => existsSync(join(folder, file)));
    const explicit = env[STAGES_VARIABLE];
    if (explicit) {
        if (!complete(explicit))
            throw new Error(`${STAGES_VARIABLE} is ${explicit}, which lacks ${STAGE_FILES.join(", ")}`);
        return explicit;
    }
    const folder = join(cache, "stages");
    return complete(folder) ? folder : undefined;
}
