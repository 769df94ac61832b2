import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Case, Edit, Json, JsonMap, Step } from "./case";
import { Comparer, compareStep, type Difference } from "./compare";
import { decrypter, Normaliser, sortDiagnosticBlocks, sortRemediationLines } from "./normalise";
import { observeCalls, observeCheckpoint, observeEvents, stackOutputs } from "./observe";

/** Where things are. */
export interface RunnerOptions {
    /** Folder of the recorder's pretend provider. */
    readonly lib: string;
    /** Folder with `cases/`. */
    corpus: string;
    /** The CLI under test. */
    pulumi: string;
    /** Folder with the installed SDK. */
    nodeModules: string;
    /** Keep the scratch folders. */
    keep: boolean;
}

const PASSPHRASE = "test";
/** Longest time one command may take, in ms. */
const PATIENCE = 180_000;
const OPERATIONS = new Set(["preview", "up", "refresh", "destroy"]);

interface Output {
    code: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
}

/** All processes below a process, from the process table. */
function descendants(pid: number): number[] {
    const children = new Map<number, number[]>();
    for (const f of readdirSync("/proc")) {
        if (!/^\d+$/.test(f)) continue;
        try {
            const stat = readFileSync(`/proc/${f}/stat`, "utf8");
            const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
            children.set(parent, [...(children.get(parent) ?? []), Number(f)]);
        } catch {
            continue; // it has ended meanwhile
        }
    }
    const out: number[] = [];
    const visit = (p: number) => {
        for (const c of children.get(p) ?? []) {
            out.push(c);
            visit(c);
        }
    };
    visit(pid);
    return out;
}

function makeWritable(folder: string): void {
    for (const f of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, f.name);
        chmodSync(path, f.isDirectory() ? 0o755 : 0o644);
        if (f.isDirectory()) makeWritable(path);
    }
}

/** Replays one case in a folder of its own. */
export class CaseRunner {
    private readonly root: string;
    private readonly program: string;
    private readonly comparer = new Comparer();
    private readonly norm: Normaliser;
    /** Normalised checkpoint per stack. */
    private readonly last = new Map<string, Json>();
    private current = "";

    constructor(
        private readonly c: Case,
        private readonly o: RunnerOptions,
    ) {
        this.root = realpathSync(mkdtempSync(join(tmpdir(), `engine-${c.id}-`)));
        this.program = join(this.root, "program");
        const modules = realpathSync(o.nodeModules);
        this.norm = new Normaliser(
            [
                [this.program, "<program>"],
                [this.root, "<case>"],
                [join(this.root, "state"), "<state>"],
                [join(this.program, "node_modules"), "<node_modules>"],
                [modules, "<node_modules>"],
            ],
            () => decrypter(this.salt(), PASSPHRASE),
        );
    }

    /** @returns what differs from the recording */
    async run(): Promise<Difference[]> {
        try {
            await this.prepare();
            for (const step of this.c.steps) await this.step(step);
        } catch (e) {
            this.comparer.differences.push({ where: "harness", expected: undefined, got: (e as Error).stack ?? String(e) });
        } finally {
            if (!this.o.keep) rmSync(this.root, { recursive: true, force: true });
        }
        return this.comparer.differences;
    }

    private async prepare(): Promise<void> {
        cpSync(join(this.c.folder, "program"), this.program, { recursive: true });
        cpSync(this.o.lib, this.program, { recursive: true });
        for (const p of this.c.policyPacks ?? []) cpSync(join(this.c.folder, p), join(this.root, p), { recursive: true });
        makeWritable(this.root);
        for (const folder of ["program", ...(this.c.policyPacks ?? [])]) symlinkSync(this.o.nodeModules, join(this.root, folder, "node_modules"));
        mkdirSync(join(this.root, "state"));
        for (const s of [...this.c.stacks]) await this.cli(["stack", "init", s], {});
        await this.cli(["stack", "select", this.c.stacks[0] as string], {});
    }

    private stackFile(stack: string): string {
        return join(this.root, "state", ".pulumi", "stacks", this.c.project, `${stack}.json`);
    }
    private salt(): string {
        const raw = JSON.parse(readFileSync(this.stackFile(this.current), "utf8")) as { checkpoint: { latest?: { secrets_providers?: { state?: { salt?: string } } } } };
        return raw.checkpoint.latest?.secrets_providers?.state?.salt ?? "";
    }

    private start(args: readonly string[], env: Record<string, string>): ChildProcess {
        return spawn(this.o.pulumi, args, {
            cwd: this.program,
            env: {
                ...process.env,
                PATH: [join(this.o.nodeModules, ".bin"), join(this.o.nodeModules, "@pulumi", "pulumi"), process.env["PATH"] ?? ""].join(delimiter),
                PULUMI_BACKEND_URL: `file://${join(this.root, "state")}`,
                PULUMI_HOME: join(this.root, "home"),
                PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
                PULUMI_SKIP_UPDATE_CHECK: "true",
                PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
                PULUMI_DEBUG_COMMANDS: "true",
                CORPUS_LOG: join(this.root, "calls.log"),
                CORPUS_CLOUD: join(this.root, "cloud.json"),
                ...env,
            },
            stdio: ["ignore", "pipe", "pipe"],
        });
    }

    private async cli(args: readonly string[], env: Record<string, string>, step?: Step): Promise<Output> {
        const child = this.start(args, env);
        let [stdout, stderr] = ["", ""];
        child.stdout?.on("data", (d: Buffer) => (stdout += d.toString()));
        child.stderr?.on("data", (d: Buffer) => (stderr += d.toString()));
        const timer = setTimeout(() => {
            for (const p of descendants(child.pid as number)) process.kill(p, "SIGKILL");
            child.kill("SIGKILL");
        }, PATIENCE);
        const ended = new Promise<Output>((done, failed) => {
            child.once("error", failed);
            child.once("close", (code, signal) => done({ code, signal, stdout, stderr }));
        });
        if (step?.kill) void this.interrupt(child, step.kill);
        const out = await ended;
        clearTimeout(timer);
        return out;
    }

    /** Sends a signal once a provider call has begun; after SIGKILL the orphans are ended, too. */
    private async interrupt(child: ChildProcess, kill: NonNullable<Step["kill"]>): Promise<void> {
        const [op, label] = kill.when.split(":");
        const file = join(this.root, "calls.log");
        for (;;) {
            if (child.exitCode !== null) return;
            const lines = existsSync(file)
                ? readFileSync(file, "utf8")
                      .split("\n")
                      .filter((l) => l !== "")
                : [];
            if (
                lines.some((l) => {
                    const e = JSON.parse(l) as JsonMap;
                    return e["op"] === op && e["label"] === label;
                })
            )
                break;
            await new Promise((r) => setTimeout(r, 20));
        }
        await new Promise((r) => setTimeout(r, kill.delay));
        const below = kill.signal === "SIGKILL" ? descendants(child.pid as number) : [];
        child.kill(kill.signal);
        for (const p of below) {
            try {
                process.kill(p, "SIGKILL");
            } catch {
                continue; // it has ended by itself
            }
        }
    }

    private changeCloud(change: NonNullable<Step["cloud"]>): void {
        const file = join(this.root, "cloud.json");
        const cloud = (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { counters: {}, objects: {} }) as { objects: Record<string, JsonMap> };
        for (const [id, o] of Object.entries(change.set ?? {})) cloud.objects[id] = { ...cloud.objects[id], ...o };
        for (const id of change.remove ?? []) delete cloud.objects[id];
        writeFileSync(file, JSON.stringify(cloud));
    }

    private async step(step: Step): Promise<void> {
        const stack = step.stack ?? (this.c.stacks[0] as string);
        this.current = stack;
        for (const [k, v] of Object.entries(step.config?.plain ?? {})) await this.must(["config", "set", k, v, "--stack", stack]);
        for (const [k, v] of Object.entries(step.config?.secret ?? {})) await this.must(["config", "set", "--secret", k, v, "--stack", stack]);
        for (const [k, v] of Object.entries(step.write ?? {})) writeFileSync(join(this.root, k), v);
        if (step.cloud) this.changeCloud(step.cloud);
        writeFileSync(join(this.root, "calls.log"), "");
        const events = join(this.root, `events-${step.n}.log`);
        const env = { CORPUS_STEP: String(step.program), CORPUS_BEHAVE: JSON.stringify(step.behave ?? {}), ...step.env };
        const flags = (step.flags ?? []).map((f) => f.replaceAll("<case>", this.root));
        const before = this.last.get(stack) ?? observeCheckpoint(this.stackFile(stack), this.norm).checkpoint;
        const out =
            step.command === "state-import" ? await this.importEdited(stack, step.edits ?? [], env) : await this.cli(this.commandLine(step, stack, flags, events), env, step);
        const { checkpoint, format } = observeCheckpoint(this.stackFile(stack), this.norm);
        const got: JsonMap = {
            ...(OPERATIONS.has(step.command) ? observeEvents(events, step, this.norm, [checkpoint, before]) : {}),
            ...(out.signal === null ? { exitCode: out.code } : { signal: out.signal }),
            checkpoint,
            ...(format ? { checkpointFile: format } : {}),
            calls: observeCalls(join(this.root, "calls.log"), this.norm),
            stackOutputs: stackOutputs(checkpoint),
            ...this.texts(step, out),
            ...this.locks(),
        };
        compareStep(this.comparer, step.n, step.expect, got, before);
        this.last.set(stack, checkpoint);
    }

    private commandLine(step: Step, stack: string, flags: readonly string[], events: string): string[] {
        const common = ["--non-interactive", "--color", "never"];
        if (step.command === "cli") return [...flags];
        if (step.command === "cancel") return ["cancel", "--yes", "--stack", stack, ...common];
        const consent = step.command === "preview" || flags.includes("--preview-only") ? [] : ["--yes", ...(step.withPreview ? [] : ["--skip-preview"])];
        return [step.command, "--stack", stack, ...consent, ...common, "--suppress-progress", "--event-log", events, ...flags];
    }

    private async must(args: readonly string[]): Promise<Output> {
        const out = await this.cli(args, {});
        if (out.code !== 0) throw new Error(`pulumi ${args.join(" ")} failed: ${out.stderr}`);
        return out;
    }

    private async importEdited(stack: string, edits: readonly Edit[], env: Record<string, string>): Promise<Output> {
        const file = join(this.root, "export.json");
        await this.must(["stack", "export", "--stack", stack, "--file", file]);
        const document = JSON.parse(readFileSync(file, "utf8")) as { deployment: { resources: JsonMap[] } };
        for (const e of edits) applyEdit(document.deployment, e);
        writeFileSync(file, JSON.stringify(document));
        return this.cli(["stack", "import", "--stack", stack, "--file", file], env);
    }

    private texts(step: Step, out: Output): JsonMap {
        const got: JsonMap = {};
        if (step.expect["json"] !== undefined) {
            try {
                got["json"] = this.norm.value(JSON.parse(out.stdout) as Json);
            } catch {
                got["json"] = out.stdout;
            }
            const digest = got["json"] as JsonMap;
            if (typeof digest === "object" && digest !== null) delete digest["duration"];
            const steps = digest["steps"];
            if (Array.isArray(steps))
                digest["steps"] = (steps as JsonMap[])
                    .map((s, i) => ({ s, i }))
                    .sort((a, b) => (String(a.s["urn"]) < String(b.s["urn"]) ? -1 : String(a.s["urn"]) > String(b.s["urn"]) ? 1 : a.i - b.i))
                    .map((x) => x.s);
        }
        if (step.expect["stdout"] !== undefined) {
            let lines = sortRemediationLines(sortDiagnosticBlocks(this.norm.text(out.stdout).split("\n")));
            if (step.command === "destroy") lines = lines.filter((l) => !/^ {4}pulumi:pulumi:Stack \S+ {2}$/.test(l));
            got["stdout"] = lines;
        }
        if (out.stderr !== "") got["stderr"] = this.norm.text(out.stderr).replace(/\n$/, "").split("\n");
        return got;
    }

    private locks(): JsonMap {
        const base = join(this.root, "state");
        const found: JsonMap[] = [];
        const visit = (folder: string) => {
            if (!existsSync(folder)) return;
            for (const f of readdirSync(folder, { withFileTypes: true })) {
                const path = join(folder, f.name);
                if (f.isDirectory()) visit(path);
                else if (f.name.endsWith(".json")) {
                    const keys = Object.keys(JSON.parse(readFileSync(path, "utf8")) as JsonMap);
                    found.push({ folder: dirname(path).slice(base.length + 1), content: Object.fromEntries(keys.map((k) => [k, `<${k}>`])) });
                }
            }
        };
        visit(join(base, ".pulumi", "locks"));
        return found.length > 0 ? { locks: found } : {};
    }
}

function applyEdit(d: { resources: JsonMap[] }, e: Edit): void {
    const at = d.resources.findIndex((r) => r["urn"] === e.urn);
    if (e.op === "remove") d.resources = d.resources.filter((r) => r["urn"] !== e.urn);
    else if (e.op === "copy") d.resources.push({ ...(JSON.parse(JSON.stringify(d.resources[at])) as JsonMap), ...e.changes });
    else if (e.op === "move-first") d.resources.unshift(...d.resources.splice(at, 1));
    else {
        let o = (e.urn === undefined ? d : d.resources[at]) as unknown as Record<string | number, Json>;
        const path = e.path ?? [];
        for (const k of path.slice(0, -1)) o = o[k] as unknown as Record<string | number, Json>;
        const last = path[path.length - 1] as string | number;
        if (e.value === null || e.value === undefined) delete o[last];
        else o[last] = e.value;
    }
}
