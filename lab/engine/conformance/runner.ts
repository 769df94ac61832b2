import {
    chmodSync,
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    realpathSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Resident } from "../resident";
import { type Case, type Edit, endsProcesses, isAboutProcesses, type Json, type JsonMap, type Step } from "./case";
import { CaseCli, PASSPHRASE, type Output } from "./cli";
import { Comparer, compareStep, type Difference } from "./compare";
import { applyEdit } from "./edit";
import { observeLocks } from "./locks";
import { decrypter, Normaliser } from "./normalise";
import { observeCalls, observeCheckpoint, observeEvents, stackOutputs } from "./observe";
import { observeTexts } from "./texts";

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
    /** Where commands run, unless their case or step is about processes. Default: each in a process of its own. */
    readonly resident?: Resident;
}

const OPERATIONS = new Set(["preview", "up", "refresh", "destroy"]);

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
    private readonly cli: CaseCli;
    private readonly comparer = new Comparer();
    private readonly norm: Normaliser;
    /** Normalised checkpoint per stack. */
    private readonly last = new Map<string, Json>();
    private current = "";

    /** @param slowClock how much longer the timers of the program take */
    constructor(
        private readonly c: Case,
        private readonly o: RunnerOptions,
        slowClock = 1,
    ) {
        this.root = realpathSync(mkdtempSync(join(tmpdir(), `engine-${c.id}-`)));
        this.program = join(this.root, "program");
        this.cli = new CaseCli(
            o.pulumi,
            o.nodeModules,
            this.root,
            this.program,
            slowClock,
            isAboutProcesses(c) ? undefined : o.resident,
        );
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
            this.comparer.differences.push({
                where: "harness",
                expected: undefined,
                got: (e as Error).stack ?? String(e),
            });
        } finally {
            if (!this.o.keep) rmSync(this.root, { recursive: true, force: true });
        }
        return this.comparer.differences;
    }

    private async prepare(): Promise<void> {
        cpSync(join(this.c.folder, "program"), this.program, { recursive: true });
        cpSync(this.o.lib, this.program, { recursive: true });
        for (const p of this.c.policyPacks ?? [])
            cpSync(join(this.c.folder, p), join(this.root, p), { recursive: true });
        makeWritable(this.root);
        for (const folder of ["program", ...(this.c.policyPacks ?? [])])
            symlinkSync(this.o.nodeModules, join(this.root, folder, "node_modules"));
        mkdirSync(join(this.root, "state"));
        for (const s of [...this.c.stacks]) await this.cli.run(["stack", "init", s], {});
        await this.cli.run(["stack", "select", this.c.stacks[0] as string], {});
    }

    private stackFile(stack: string): string {
        return join(this.root, "state", ".pulumi", "stacks", this.c.project, `${stack}.json`);
    }
    private salt(): string {
        const raw = JSON.parse(readFileSync(this.stackFile(this.current), "utf8")) as {
            checkpoint: { latest?: { secrets_providers?: { state?: { salt?: string } } } };
        };
        return raw.checkpoint.latest?.secrets_providers?.state?.salt ?? "";
    }

    private changeCloud(change: NonNullable<Step["cloud"]>): void {
        const file = join(this.root, "cloud.json");
        const cloud = (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { counters: {}, objects: {} }) as {
            objects: Record<string, JsonMap>;
        };
        for (const [id, o] of Object.entries(change.set ?? {})) cloud.objects[id] = { ...cloud.objects[id], ...o };
        for (const id of change.remove ?? []) delete cloud.objects[id];
        writeFileSync(file, JSON.stringify(cloud));
    }

    private async step(step: Step): Promise<void> {
        const stack = step.stack ?? this.c.stacks[0] ?? "";
        this.current = stack;
        for (const [k, v] of Object.entries(step.config?.plain ?? {}))
            await this.cli.must(["config", "set", k, v, "--stack", stack]);
        for (const [k, v] of Object.entries(step.config?.secret ?? {}))
            await this.cli.must(["config", "set", "--secret", k, v, "--stack", stack]);
        for (const [k, v] of Object.entries(step.write ?? {})) writeFileSync(join(this.root, k), v);
        if (step.cloud) this.changeCloud(step.cloud);
        writeFileSync(join(this.root, "calls.log"), "");
        const events = join(this.root, `events-${step.n}.log`);
        const env = {
            CORPUS_STEP: String(step.program),
            CORPUS_BEHAVE: JSON.stringify(step.behave ?? {}),
            ...step.env,
        };
        const flags = (step.flags ?? []).map((f) => f.replaceAll("<case>", this.root));
        const before = this.last.get(stack) ?? observeCheckpoint(this.stackFile(stack), this.norm).checkpoint;
        const out =
            step.command === "state-import"
                ? await this.importEdited(stack, step.edits ?? [], env)
                : await this.cli.run(this.commandLine(step, stack, flags, events), env, {
                      kill: step.kill,
                      isProcess: endsProcesses(step),
                  });
        const { checkpoint, format } = observeCheckpoint(this.stackFile(stack), this.norm);
        const got: JsonMap = {
            ...(OPERATIONS.has(step.command) ? observeEvents(events, step, this.norm, [checkpoint, before]) : {}),
            ...(out.signal === null ? { exitCode: out.code } : { signal: out.signal }),
            checkpoint,
            ...(format ? { checkpointFile: format } : {}),
            calls: observeCalls(join(this.root, "calls.log"), this.norm),
            stackOutputs: stackOutputs(checkpoint),
            ...observeTexts(step, out, this.norm),
            ...observeLocks(join(this.root, "state")),
        };
        compareStep(this.comparer, step.n, step.expect, got, before);
        this.last.set(stack, checkpoint);
    }

    private commandLine(step: Step, stack: string, flags: readonly string[], events: string): string[] {
        const common = ["--non-interactive", "--color", "never"];
        if (step.command === "cli") return [...flags];
        if (step.command === "cancel") return ["cancel", "--yes", "--stack", stack, ...common];
        const consent =
            step.command === "preview" || flags.includes("--preview-only")
                ? []
                : ["--yes", ...(step.withPreview ? [] : ["--skip-preview"])];
        return [
            step.command,
            "--stack",
            stack,
            ...consent,
            ...common,
            "--suppress-progress",
            "--event-log",
            events,
            ...flags,
        ];
    }

    private async importEdited(stack: string, edits: readonly Edit[], env: Record<string, string>): Promise<Output> {
        const file = join(this.root, "export.json");
        await this.cli.must(["stack", "export", "--stack", stack, "--file", file]);
        const document = JSON.parse(readFileSync(file, "utf8")) as { deployment: { resources: JsonMap[] } };
        for (const e of edits) applyEdit(document.deployment, e);
        writeFileSync(file, JSON.stringify(document));
        return this.cli.run(["stack", "import", "--stack", stack, "--file", file], env);
    }
}
