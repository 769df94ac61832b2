import { randomBytes } from "node:crypto";
import type { Provider } from "../plugin";
import { copyState, isProviderType, referencesOf, type ResourceState } from "../state";
import { applyPolicies, analyzeStack } from "./analysis";
import { InvalidResource } from "./bail";
import { StepBook } from "./book";
import { claimOld, claimUrn } from "./claims";
import { compare, mustReplace, replacementTriggered } from "./comparison";
import { planDeletions } from "./deletions";
import type { Deployment } from "./deployment";
import { applyReplaceOnChanges, ignoreChanges, needsReplacement } from "./diff";
import type { ReadEvent, RegisterEvent } from "./goal";
import { Imports } from "./imports";
import { RunProviders } from "./providers";
import { stateOfGoal, stateOfRead, type Registration } from "./registration";
import { Replacements } from "./replacement";
import { Scope } from "./scope";
import { CreateStep, identityOf, ReadStep, RefreshStep, ReplaceStep, SameStep, UpdateStep, type Step } from "./steps";

/** Decides, resource by resource, what has to be done. Calls are made one at a time. */
export class StepGenerator {
    readonly book: StepBook;
    private readonly scope: Scope;
    private readonly providers: RunProviders;
    private readonly replacements: Replacements;
    private readonly imports: Imports;
    /** Resources to delete after the program has run (destroy with the program). */
    private readonly toDelete: ResourceState[] = [];

    constructor(
        private readonly d: Deployment,
        private readonly continueLater: (work: () => Promise<Step[]>) => void,
    ) {
        this.book = new StepBook(d.options.kind === "refresh");
        this.scope = new Scope(d, this.book);
        this.providers = new RunProviders(d, this.book);
        this.replacements = new Replacements(d, this.book);
        this.imports = new Imports(d, this.book, continueLater);
    }

    private get preview(): boolean {
        return this.d.options.preview;
    }
    /** The program runs only to know providers and hooks; nothing is to be made or changed. */
    private get destroying(): boolean {
        return this.d.options.kind === "destroy";
    }
    private get refreshingOnly(): boolean {
        return this.d.options.kind === "refresh";
    }

    /** Steps for a resource that is only read. */
    async read(e: ReadEvent): Promise<Step[]> {
        const urn = claimUrn(this.d, this.book, e.parent, e.type, e.name);
        if (e.id === "") throw new Error(`Expected an ID for ${urn}`);
        const now = stateOfRead(urn, e);
        const old = this.d.olds.get(urn);
        if (old && !old.external && old.id !== e.id) {
            this.book.replaces.add(urn);
            return [new ReadStep(this.d, e, old, now, true), new ReplaceStep(this.d, old, now)];
        }
        this.book.reads.add(urn);
        return [new ReadStep(this.d, e, old, now)];
    }

    /** Steps for a registration. With a refresh first, the steps come later through the callback. */
    async register(event: RegisterEvent): Promise<Step[]> {
        const goal = event.goal;
        const urn = claimUrn(this.d, this.book, goal.parent, goal.type, goal.name);
        const { old, aliases, conflict } = claimOld(this.d, this.book, urn, goal);
        this.d.goals.set(urn, goal);
        const now = stateOfGoal(urn, goal, aliases, old);
        if (isProviderType(goal.type)) this.providers.add(now, aliases);
        const registration: Registration = { event, urn, old, now, invalid: conflict };
        const refreshFirst = (this.d.options.refresh && this.d.options.runProgram) || old?.refreshBeforeUpdate === true;
        if (old && refreshFirst && goal.custom && !isProviderType(goal.type) && this.scope.covers(old)) {
            this.book.refreshes.add(urn);
            if (old.provider !== "") await this.d.ensureProvider(old.provider);
            return [
                new RefreshStep(this.d, old, (s) =>
                    this.continueLater(() => this.validated(this.afterRefresh({ ...registration, old: s }))),
                ),
            ];
        }
        return this.validated(this.afterRefresh(registration));
    }

    private async afterRefresh(p: Registration): Promise<Step[]> {
        const { goal } = p.event;
        const real = goal.custom && !isProviderType(goal.type);
        if (this.refreshingOnly && real) {
            if (!p.old) {
                this.book.sames.add(p.urn);
                this.book.skippedCreates.add(p.urn);
                return [new SameStep(this.d, p.event, copyState(p.now), p.now, true)];
            }
            p.event.done({ state: p.old, result: "success" });
            return [];
        }
        if (this.destroying) {
            const skipped = referencesOf(p.now).some((u) => this.book.skippedCreates.has(u));
            if (skipped || (real && !p.old)) {
                this.book.skippedCreates.add(p.urn);
                if (skipped && p.old) p.now.outputs = p.old.outputs;
                return [new SameStep(this.d, p.event, copyState(p.now), p.now, true)];
            }
            this.toDelete.push(p.now);
            if (real && p.old) {
                this.book.sames.add(p.urn);
                p.now.inputs = p.old.inputs;
                return [new SameStep(this.d, p.event, p.old, p.now)];
            }
        }
        const provider = this.providers.of(p.now);
        const recreating = this.replacements.isDeleted(p.old);
        const seed = new Uint8Array(randomBytes(32));
        if (this.imports.wanted(p))
            return this.imports.steps(p, recreating, (imported) =>
                this.validated(this.checked(imported, provider, false, seed)),
            );
        return this.checked(p, provider, recreating, seed);
    }

    private async checked(
        p: Registration,
        provider: Provider | undefined,
        recreating: boolean,
        seed: Uint8Array,
    ): Promise<Step[]> {
        const { urn, old, now } = p;
        const { goal } = p.event;
        let invalid = p.invalid;
        const oldInputs = old?.inputs ?? {};
        const wasExternal = old?.external === true;
        // What was deleted along with a target is made again as the program has it.
        const covered = recreating || this.scope.covers(now);
        const warn = (message: string) => this.d.diag.warning(urn, message);
        let inputs = old ? ignoreChanges(goal.properties, oldInputs, goal.ignoreChanges, warn) : goal.properties;
        if (provider && covered) {
            const fresh = recreating || wasExternal || mustReplace(this.d, urn, old) || !old;
            const r = await provider.check(
                identityOf(urn, now.type),
                fresh ? {} : oldInputs,
                fresh ? goal.properties : inputs,
                seed,
            );
            now.inputs = inputs;
            inputs = r.inputs;
            if (this.d.reportCheckFailures(now, r.failures)) invalid = true;
            if (invalid && this.d.ending) throw new InvalidResource(`resource ${urn} is invalid`);
        } else if (provider) inputs = oldInputs;
        now.inputs = inputs;
        const verdict = await applyPolicies(this.d, now, goal, this.providers.state(now.provider));
        if (verdict.mandatory) {
            this.book.sawError = true;
            if (!this.preview) invalid = true;
        }
        if (invalid) throw new InvalidResource(`resource ${urn} is invalid`);
        if (recreating && old) return this.replacements.recreate(p.event, old, now);
        if (wasExternal && old) {
            this.book.creates.add(urn);
            return [new CreateStep(this.d, p.event, old, now, true, true), new ReplaceStep(this.d, old, now)];
        }
        this.scope.settle(now, covered);
        if (old) return covered ? this.compared({ ...p, old }, provider, seed) : this.scope.leave(p.event, urn, old);
        if (!covered) {
            this.book.sames.add(urn);
            this.book.skippedCreates.add(urn);
            return [new SameStep(this.d, p.event, copyState(now), now, true)];
        }
        this.book.creates.add(urn);
        return [new CreateStep(this.d, p.event, undefined, now)];
    }

    private async compared(
        p: Registration & { old: ResourceState },
        provider: Provider | undefined,
        seed: Uint8Array,
    ): Promise<Step[]> {
        const { urn, old, now } = p;
        const { goal } = p.event;
        let diff = await compare(this.d, this.providers, old, now, provider);
        // A delete-before-replace of something else may have taken this one along while the provider was asked.
        if (this.replacements.isDeleted(old)) return this.replacements.recreate(p.event, old, now);
        const hasInitErrors = old.initErrors.length > 0;
        diff = applyReplaceOnChanges(diff, goal.replaceOnChanges, hasInitErrors);
        const triggered = replacementTriggered(old, now);
        const follows = now.replaceWith.some((u) => this.book.replaces.has(u));
        if (follows) diff = { ...diff, changes: "some", replaceKeys: [...diff.replaceKeys, "replaceWith"] };
        if (diff.changes === "some" || old.pendingReplacement || triggered) {
            if (needsReplacement(diff) || old.pendingReplacement || triggered)
                return this.replacements.replace(p, provider, diff, seed);
            this.book.updates.add(urn);
            const update = new UpdateStep(this.d, p.event, old, now, goal.ignoreChanges);
            update.diffs = diff.changedKeys;
            update.detailedDiff = diff.detailedDiff;
            return [update];
        }
        if (hasInitErrors) {
            this.book.updates.add(urn);
            return [new UpdateStep(this.d, p.event, old, now, [])];
        }
        if (this.book.imports.has(urn)) {
            // The step that took it into management has said what there is to say.
            p.event.done({ state: old, result: "success" });
            return [];
        }
        this.book.sames.add(urn);
        return [new SameStep(this.d, p.event, old, now)];
    }

    /** In a targeted run, nothing may depend on a new resource that is not made. */
    private async validated(work: Promise<Step[]>): Promise<Step[]> {
        const steps = await work;
        this.scope.checkMade(steps);
        return steps;
    }

    /** Refreshes of what the program has not registered (refresh with the program). */
    async remainingRefreshes(): Promise<RefreshStep[]> {
        const { targets, excludes } = this.d.options;
        const steps: RefreshStep[] = [];
        for (const r of this.d.prev.resources) {
            if (this.book.operatedOn(r.urn) || this.book.refreshes.has(r.urn)) continue;
            if (excludes.constrained ? excludes.contains(r.urn) : !targets.contains(r.urn)) continue;
            if (r.provider !== "") await this.d.ensureProvider(r.provider);
            this.book.refreshes.add(r.urn);
            steps.push(new RefreshStep(this.d, r));
        }
        return steps;
    }

    /** Deletes of everything that is not desired any more, in no particular order. */
    async deletions(): Promise<Step[]> {
        const { steps, refused } = await planDeletions(this.d, this.book, this.toDelete);
        if (refused) this.book.sawError = true;
        return refused && !this.preview ? [] : steps;
    }

    /** Everything that can be deleted: what was there before, and what the program has registered. */
    get deletable(): ResourceState[] {
        return [...this.toDelete, ...this.d.prev.resources];
    }

    /** Runs stack policies over everything there is. */
    async analyzeStack(): Promise<void> {
        if (await analyzeStack(this.d, (ref) => this.providers.state(ref))) this.book.sawError = true;
    }
}
