import { emptySnapshot, urnName, type Snapshot } from "../state";
import { FakeCloud, type Fault, type Operation } from "./cloud";
import { deploy, FULL_UPDATE, type Outcome, type RunSpec } from "./deploy";
import * as invariants from "./invariants";
import { Programs, type ResourceSpec } from "./program";
import { Random } from "./random";

/** A rule that was not kept, and the run in which that happened. */
export interface Violation {
    readonly run: number;
    readonly what: string;
    readonly details: readonly string[];
}

const MAX_RUNS = 5;
/**
 * The life of one random stack: programs that change, objects that drift, calls that fail, targeted runs, and in the end
 * a complete update and a destroy. Every run is held to the invariants of the engine.
 */
export class Life {
    private readonly random: Random;
    private readonly programs: Programs;
    private readonly cloud: FakeCloud;
    private program: ResourceSpec[];
    private state: Snapshot = emptySnapshot(undefined);
    private hasDrifted = false;
    /** Objects that the engine is to leave behind when it deletes the resource. */
    private readonly released = new Set<string>();
    /** How many runs of the engine there were. */
    runs = 0;
    /** What has happened so far, for a report. */
    readonly history: string[] = [];

    constructor(seed: number) {
        this.random = new Random(seed);
        this.programs = new Programs(this.random);
        this.cloud = new FakeCloud(this.random);
        this.program = this.programs.create();
    }

    /** @returns the first violation, if there is one */
    async live(): Promise<Violation | undefined> {
        for (let left = 1 + this.random.int(MAX_RUNS); left > 0; left--) {
            const violation = await this.randomRun();
            if (violation) return violation;
            const urns = new Map(this.state.resources.filter((r) => !r.delete).map((r) => [urnName(r.urn), r.urn]));
            if (this.random.chance(0.8)) this.program = this.programs.change(this.program, (name) => urns.get(name));
            if (this.random.chance(0.15)) this.drift();
        }
        return (await this.complete()) ?? (await this.remove());
    }

    private drift(): void {
        this.cloud.drift();
        this.hasDrifted = true;
        this.history.push("something else changes or deletes an object");
    }

    private async randomRun(): Promise<Violation | undefined> {
        const { random } = this;
        const kind = random.chance(0.75) ? "update" : random.chance(0.7) ? "refresh" : "destroy";
        const urns = this.state.resources.filter((r) => r.type.startsWith("test:")).map((r) => r.urn);
        const isTargeted = random.chance(0.2) && urns.length > 0;
        const chosen = isTargeted ? [random.pick(urns), ...random.some(urns, 0.2)] : [];
        const areTargets = random.chance(0.6);
        const spec: RunSpec = {
            ...FULL_UPDATE,
            kind,
            refresh: kind === "refresh" || random.chance(0.2),
            targets: areTargets ? chosen : [],
            excludes: areTargets ? [] : chosen,
            withDependents: random.chance(0.4),
            continueOnError: random.chance(0.2),
            parallel: 1 + random.int(6),
            cancelAfter: random.chance(0.05) ? random.int(8) : undefined,
        };
        if (random.chance(0.25)) this.addFaults();
        const mayFail =
            this.cloud.faults.size > 0 ||
            this.hasDrifted ||
            isTargeted ||
            this.hasProtected() ||
            spec.cancelAfter !== undefined;
        const preview = mayFail ? undefined : await this.run({ ...spec, preview: true });
        const violation = preview && this.firstOf({ "a preview changes nothing": this.cloud.calls.map((c) => c.urn) });
        if (violation) return violation;
        return this.checkedRun(spec, mayFail, preview);
    }

    private addFaults(): void {
        const operations: Operation[] = ["create", "update", "delete", "read", "create", "update", "delete", "check"];
        const faults: Fault[] = ["refused", "partial", "unanswered"];
        for (const { name } of this.random.some(this.program, 0.3)) {
            const operation = this.random.pick(operations);
            const fault = this.random.pick(operation === "delete" ? (["refused", "unanswered"] as const) : faults);
            this.cloud.faults.set(`${operation} ${name}`, fault);
        }
    }

    private hasProtected(): boolean {
        return this.state.resources.some((r) => r.protect);
    }

    private async run(spec: RunSpec): Promise<Outcome> {
        this.cloud.calls = [];
        this.runs++;
        for (const r of this.state.resources) if (r.retainOnDelete || r.deletedWith !== "") this.released.add(r.id);
        this.history.push(describe(spec, this.program, this.cloud.faults));
        const outcome = await deploy(this.cloud, this.program, this.state, spec, this.random);
        this.history.push(`  ${outcome.ok ? "succeeded" : `failed: ${outcome.errors.join("; ")}`}`);
        return outcome;
    }

    private async checkedRun(spec: RunSpec, mayFail: boolean, preview?: Outcome): Promise<Violation | undefined> {
        const before = this.state;
        const { unanswered } = this.cloud;
        const outcome = await this.run(spec);
        this.state = outcome.state;
        const hadFaults = this.cloud.faults.size > 0;
        this.cloud.faults.clear();
        const isWhole = outcome.ok && spec.targets.length === 0 && spec.excludes.length === 0;
        const isQuiet = isWhole && !this.hasDrifted;
        if (isWhole && spec.refresh) this.hasDrifted = false;
        if (this.cloud.unanswered > unanswered) this.hasDrifted = true;
        const violation = this.firstOf({
            "a run without failing calls succeeds": outcome.ok || mayFail ? [] : outcome.errors,
            "every stored state is sound": invariants.integrity(outcome),
            "no object is lost": invariants.bookkeeping(this.cloud, this.released, outcome),
            "a kill loses no object": invariants.survivesKill(this.released, before, outcome),
            "dependencies come first": invariants.order(before, outcome),
            "protected objects stay": invariants.protection(
                this.cloud,
                spec.kind === "update" ? this.program : [],
                before,
            ),
            "a refresh changes no object":
                spec.kind === "refresh" ? this.cloud.calls.map((c) => `${c.op} ${c.id}`) : [],
            "the update does what the preview shows": preview ? invariants.predicted(preview, outcome) : [],
            "nothing is deleted that is used": isQuiet
                ? invariants.noUsers(this.cloud, this.released, before, outcome)
                : [],
            "only targets change": this.untargeted(spec, outcome),
            "the state after a refresh is that of the objects":
                isWhole && spec.kind === "refresh" ? invariants.outputsMatch(this.cloud, outcome) : [],
            "the state after an update is what the program asks for":
                isWhole && spec.kind === "update" && !this.hasDrifted && !mayFail
                    ? invariants.goalState(this.cloud, this.program, outcome)
                    : [],
        });
        const isRepeatable = isWhole && !this.hasDrifted && !hadFaults && spec.kind !== "destroy";
        return violation ?? (isRepeatable ? this.again(spec) : undefined);
    }

    private untargeted(spec: RunSpec, outcome: Outcome): string[] {
        if (spec.withDependents) return [];
        const { targets, excludes } = spec;
        // A target that is deleted before its replacement comes takes along what cannot stay without it, which may come again by another name.
        const along = new Set(outcome.steps.filter(({ op }) => op === "delete-replaced").map(({ urn }) => urn));
        const renamed = new Set(this.program.filter((r) => r.aliases.some((a) => along.has(a))).map((r) => r.name));
        // The program's URNs count, not those that its resources had before.
        const former = new Set(this.program.flatMap((r) => r.aliases));
        const isExempt = (urn: string) => former.has(urn) || along.has(urn) || renamed.has(urnName(urn));
        const isCovered = (urn: string) => (targets.length > 0 ? targets.includes(urn) : !excludes.includes(urn));
        return invariants.withinTargets(this.cloud, (urn) => isCovered(urn) || isExempt(urn));
    }

    /** The same once more has nothing to do. */
    private async again(spec: RunSpec): Promise<Violation | undefined> {
        const outcome = await this.run({ ...spec, cancelAfter: undefined });
        const details = invariants.nothingChanges(this.cloud, outcome);
        this.state = outcome.state;
        return this.firstOf({ "the same run again has nothing to do": outcome.ok ? details : outcome.errors });
    }

    /** Whatever has happened before, a complete update after a refresh leads to what the program asks for. */
    private async complete(): Promise<Violation | undefined> {
        for (const r of [...this.program, ...this.state.resources]) r.protect = false;
        const violation = await this.checkedRun({ ...FULL_UPDATE, refresh: true }, true);
        this.hasDrifted = false;
        return violation ?? this.checkedRun(FULL_UPDATE, false);
    }

    /** A destroy leaves nothing but what is to be retained. */
    private async remove(): Promise<Violation | undefined> {
        const violation = await this.checkedRun({ ...FULL_UPDATE, kind: "destroy" }, false);
        if (violation) return violation;
        return this.firstOf({ "a destroy leaves nothing in the state": this.state.resources.map((r) => r.urn) });
    }

    private firstOf(rules: Record<string, readonly string[]>): Violation | undefined {
        const broken = Object.entries(rules).find(([, details]) => details.length > 0);
        return broken && { run: this.runs, what: broken[0], details: broken[1] };
    }
}

function describe(spec: RunSpec, program: readonly ResourceSpec[], faults: ReadonlyMap<string, Fault>): string {
    const flags = [
        spec.preview ? "preview" : "",
        spec.refresh ? "refresh" : "",
        ...spec.targets.map((urn) => `target ${urn}`),
        ...spec.excludes.map((urn) => `exclude ${urn}`),
        spec.withDependents ? "with dependents" : "",
        spec.continueOnError ? "continue on error" : "",
        spec.cancelAfter === undefined ? "" : `cancelled after ${spec.cancelAfter} steps`,
        ...[...faults].map(([call, fault]) => `${call} is ${fault}`),
    ].filter((flag) => flag !== "");
    const resources = program.map((r) => `    ${JSON.stringify(r)}\n`).join("");
    return `${spec.kind} [${flags.join(", ")}]\n${spec.kind === "update" ? resources : ""}`;
}
