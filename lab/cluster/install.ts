import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, goIsEnough, goVersion, moduleSource } from "../build/build";
import { goModule, PROGRAMS, STAGE_FILES, toolCache, toolsFolder, versionOf, versions, type Program } from "./layout";
import { withLock } from "../build/lock";
import { timed, type Report } from "../build/progress";
import { search, STAGES_VARIABLE, variableOf, type Search, type Tools } from "./sources";

const FIRST_BUILD =
    "the first build takes about 4 minutes on two cores, that of the Pulumi CLI 2 more; " +
    "they need 6 GB of disk for Go's caches";

/**
 * Finds the programs of a cluster, and builds those that are nowhere. Sources in order: the variable of the program
 * (`TEST_ASSET_KUBE_APISERVER` ...), the folder `KUBEBUILDER_ASSETS`, the tool cache, PATH (same minor version), a
 * build from the pinned Go modules into the tool cache (minutes the first time).
 * @param report gets a line for each source and each step.
 * @throws Error that names what is missing and the ways to get it.
 */
export async function installTools(
    report: Report = () => undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<Tools> {
    let state = await search(env);
    if (!isComplete(state)) {
        const cache = toolCache(env);
        requireGo(state, env);
        state = await withLock(`${cache}.lock`, report, async () => {
            // The process that held the lock before may have built just what is missing here.
            const { missing, ...rest } = await search(env);
            if (isComplete({ missing, ...rest })) return { missing, ...rest };
            report(`building ${missing.join(", ") || "nothing, fetching kwok's stage files"} into ${cache}`);
            report(FIRST_BUILD);
            await build(goModule(), missing, cache, env, report, (folder) =>
                copyStages(join(folder, "stages"), env, report),
            );
            return search(env);
        });
    }
    return collect(state, report);
}

async function copyStages(target: string, env: NodeJS.ProcessEnv, report: Report): Promise<void> {
    const source = await moduleSource(toolsFolder(), "sigs.k8s.io/kwok", env);
    for (const file of STAGE_FILES) {
        await mkdir(dirname(join(target, file)), { recursive: true });
        // Written, not copied: the module cache is read-only and copying would keep that.
        await writeFile(join(target, file), await readFile(join(source, "kustomize", "stage", file)));
    }
    report("copied kwok's stage files");
}

function isComplete(state: Search): boolean {
    return state.missing.length === 0 && state.stages !== undefined;
}

function requireGo(state: Search, env: NodeJS.ProcessEnv): void {
    const pinned = versions();
    const go = goVersion(env);
    if (go !== undefined && goIsEnough(go, pinned.go)) return;
    const desired = state.missing.map((program) => `${program} ${versionOf(program, pinned)}`);
    if (state.stages === undefined) desired.push(`kwok's stage files ${pinned.kwok}`);
    const variables = [...state.missing.map(variableOf), ...(state.stages === undefined ? [STAGES_VARIABLE] : [])];
    throw new Error(
        [
            `missing: ${desired.join(", ")}. Ways to get them:`,
            `  - put Go ${pinned.go} or newer on PATH ` +
                `(${go === undefined ? "there is none" : `there is ${go}`}) and run this again;`,
            `  - put the programs on PATH, or into the folder KUBEBUILDER_ASSETS;`,
            `  - name them one by one: ${variables.join(", ")};`,
            `  - copy ${toolCache(env)} from a machine of the same kind that has it.`,
        ].join("\n"),
    );
}

function collect(state: Search, report: Report): Tools {
    const binaries: Partial<Record<Program, string>> = {};
    const bySource = new Map<string, Program[]>();
    for (const program of PROGRAMS) {
        const hit = state.found[program];
        if (hit === undefined) throw new Error(`${program} is missing after the build`);
        binaries[program] = hit.path;
        const source = `${hit.source}, ${dirname(hit.path)}`;
        bySource.set(source, [...(bySource.get(source) ?? []), program]);
    }
    if (state.stages === undefined) throw new Error("kwok's stage files are missing after the build");
    for (const [source, programs] of bySource) report(`${programs.join(", ")}: ${source}`);
    return { binaries: binaries as Record<Program, string>, stages: state.stages };
}

if (require.main === module) {
    installTools(timed((line) => process.stdout.write(`${line}\n`))).catch((error: Error) => {
        process.stderr.write(`install: ${error.message}\n`);
        process.exitCode = 1;
    });
}
