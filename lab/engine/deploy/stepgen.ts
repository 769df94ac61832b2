import { randomBytes } from "node:crypto";
import { DiffUnavailable, type DiffResult, type Provider } from "../plugin";
import { dependenciesOf, isProviderType, newState, providerUrn, ROOT_STACK_TYPE, copyState, type ResourceState } from "../state";
import { deepEquals, mapEquals } from "../value";
import { aliasesOf } from "./aliases";
import { applyPolicies, analyzeStack } from "./analysis";
import { StepBook } from "./book";
import { planDeletions } from "./deletions";
import { dependentReplacements } from "./dependents";
import type { Deployment } from "./deployment";
import { applyReplaceOnChanges, diffResource, ignoreChanges, needsReplacement } from "./diff";
import type { Goal, ReadEvent, RegisterEvent } from "./goal";
import { CreateStep, DeleteStep, identityOf, ImportStep, ReadStep, RefreshStep, ReplaceStep, SameStep, UpdateStep, type Step } from "./steps";
import { UrnTargets } from "./targets";

/** Something that has already been reported to the user and ends the run. */
export class Bail extends Error {}

/** A registration between the moments at which the generator has to wait for something else. */
interface Pending {
    event: RegisterEvent;
    urn: string;
    old: ResourceState | undefined;
    now: ResourceState;
    invalid: boolean;
}

/** Decides, resource by resource, what has to be done. Calls are made one at a time. */
export class StepGenerator {
    /** True if something was reported that lets the run fail at its end. */
    sawError = false;
    readonly book: StepBook;
    /** Provider resources of this run, by URN and by the URN they were found under. */
    private readonly providerStates = new Map<string, ResourceState>();
    private readonly dependentReplaceKeys = new Map<string, string[]>();
    /** Resources to delete after the program has run (destroy with the program). */
    private readonly toDelete: ResourceState[] = [];
    private readonly targetsActual: UrnTargets;
    private readonly excludesActual: UrnTargets;

    constructor(
        private readonly d: Deployment,
        private readonly continueLater: (work: () => Promise<Step[]>) => void,
    ) {
        this.book = new StepBook(d.options.kind === "refresh");
        this.targetsActual = d.options.targets.clone();
        this.excludesActual = d.options.excludes.clone();
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

    private claimUrn(parent: string, type: string, name: string): string {
        if (parent !== "" && !this.book.urns.has(parent)) throw new Error(`could not find parent resource ${parent}`);
        const urn = this.d.urn(parent, type, name);
        if (this.book.urns.has(urn)) {
            this.d.diag.error(urn, `Duplicate resource URN '${urn}'; try giving it a unique name`);
            throw new Bail(`Duplicate resource URN '${urn}'`);
        }
        this.book.urns.add(urn);
        return urn;
    }

    /** Steps for a resource that is only read. */
    async read(e: ReadEvent): Promise<Step[]> {
        const urn = this.claimUrn(e.parent, e.type, e.name);
        if (e.id === "") throw new Error(`Expected an ID for ${urn}`);
        const now = newState({
            urn,
            type: e.type,
            custom: true,
            id: e.id,
            inputs: e.properties,
            parent: e.parent,
            external: true,
            dependencies: e.dependencies,
            provider: e.provider,
            additionalSecretOutputs: e.additionalSecretOutputs,
            sourcePosition: e.sourcePosition,
            stackTrace: e.stackTrace,
        });
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
        const urn = this.claimUrn(goal.parent, goal.type, goal.name);
        let invalid = false;
        const claimed = this.book.aliased.get(urn);
        if (claimed !== undefined) {
            invalid = true;
            this.d.diag.error(urn, `Duplicate resource URN '${urn}' conflicting with alias on resource with URN '${claimed}'`);
        }
        let old: ResourceState | undefined;
        const aliasUrns: string[] = [];
        for (const candidate of [urn, ...aliasesOf(goal, this.d.target, this.book.aliases)]) {
            old = this.d.olds.get(candidate);
            if (!old) continue;
            if (candidate !== urn) {
                const other = this.book.urns.has(candidate) ? urn : this.book.aliased.get(candidate);
                if (other !== undefined) {
                    invalid = true;
                    this.d.diag.error(urn, `Duplicate resource alias '${candidate}' applied to resource with URN '${urn}' conflicting with resource with URN '${other}'`);
                }
                this.book.aliased.set(candidate, urn);
                this.book.aliases.set(urn, candidate);
                this.d.providers.alias(urn, candidate);
                aliasUrns.push(candidate);
            }
            break;
        }
        this.d.goals.set(urn, goal);
        const now = newState({
            urn,
            type: goal.type,
            custom: goal.custom,
            inputs: goal.properties,
            parent: goal.parent,
            protect: goal.protect ?? false,
            dependencies: goal.dependencies,
            provider: goal.provider,
            propertyDependencies: goal.propertyDependencies,
            additionalSecretOutputs: goal.additionalSecretOutputs,
            aliases: aliasUrns,
            customTimeouts: goal.customTimeouts,
            importID: goal.importId,
            retainOnDelete: goal.retainOnDelete ?? false,
            deletedWith: goal.deletedWith,
            replaceWith: goal.replaceWith,
            created: old?.created,
            modified: old?.modified,
            sourcePosition: goal.sourcePosition,
            stackTrace: goal.stackTrace,
            ignoreChanges: goal.ignoreChanges,
            hideDiff: goal.hideDiff,
            replaceOnChanges: goal.replaceOnChanges,
            replacementTrigger: goal.replacementTrigger,
            resourceHooks: goal.resourceHooks,
            refreshBeforeUpdate: old?.refreshBeforeUpdate ?? false,
        });
        if (isProviderType(goal.type)) for (const u of [urn, ...aliasUrns]) this.providerStates.set(u, now);
        const pending: Pending = { event, urn, old, now, invalid };
        const refreshFirst = (this.d.options.refresh && this.d.options.runProgram) || old?.refreshBeforeUpdate === true;
        if (old && refreshFirst && goal.custom && !isProviderType(goal.type)) {
            this.book.refreshes.add(urn);
            if (old.provider !== "") await this.d.ensureProvider(old.provider);
            return [new RefreshStep(this.d, old, (s) => this.continueLater(() => this.validated(this.afterRefresh({ ...pending, old: s }))))];
        }
        return this.validated(this.afterRefresh(pending));
    }

    private async afterRefresh(p: Pending): Promise<Step[]> {
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
            const skipped = this.allDependencies(p.now).some((u) => this.book.skippedCreates.has(u));
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
        const provider = this.loadProvider(p.now);
        const recreating = this.book.deletes.has(p.urn);
        const seed = new Uint8Array(randomBytes(32));
        const known = p.old && (p.old.importID || p.old.id);
        if (goal.custom && goal.importId !== "" && (!p.old || p.old.external || known !== goal.importId)) {
            this.book.creates.add(p.urn);
            if (p.old && !recreating) {
                this.book.replaces.add(p.urn);
                return [new ImportStep(this.d, p.event, p.old, p.now, goal.ignoreChanges, seed), new ReplaceStep(this.d, p.old, p.now)];
            }
            return [new ImportStep(this.d, p.event, undefined, p.now, goal.ignoreChanges, seed)];
        }
        return this.checked(p, provider, recreating, seed);
    }

    private async checked(p: Pending, provider: Provider | undefined, recreating: boolean, seed: Uint8Array): Promise<Step[]> {
        const { urn, old, now } = p;
        const { goal } = p.event;
        let invalid = p.invalid;
        const oldInputs = old?.inputs ?? {};
        const wasExternal = old?.external === true;
        const implicit = isProviderType(now.type) || now.type === ROOT_STACK_TYPE;
        let targeted = true;
        if (!implicit && this.d.options.targets.constrained) targeted = this.isTargeted(now);
        else if (!implicit && this.d.options.excludes.constrained) targeted = !this.isExcluded(now);
        let inputs = old ? ignoreChanges(goal.properties, oldInputs, goal.ignoreChanges) : goal.properties;
        if (provider && targeted) {
            const fresh = recreating || wasExternal || this.mustReplace(urn, old) || !old;
            const r = await provider.check(identityOf(urn, now.type), fresh ? {} : oldInputs, fresh ? goal.properties : inputs, seed);
            now.inputs = inputs;
            inputs = r.inputs;
            if (this.d.reportCheckFailures(now, r.failures)) invalid = true;
        } else if (provider) inputs = oldInputs;
        now.inputs = inputs;
        const verdict = await applyPolicies(this.d, now, goal, this.providerState(now.provider));
        if (verdict.mandatory) {
            this.sawError = true;
            if (!this.preview) invalid = true;
        }
        if (invalid) throw new Bail(`resource ${urn} is invalid`);
        if (recreating && old) return this.recreate(p.event, old, now);
        if (wasExternal && old) {
            this.book.creates.add(urn);
            return [new CreateStep(this.d, p.event, old, now, true, true), new ReplaceStep(this.d, old, now)];
        }
        if (!targeted) this.excludesActual.add(urn);
        else if (this.isTargeted(now)) this.targetsActual.add(urn);
        if (old) return targeted ? this.compared(p, provider, seed) : this.untargeted(p.event, old);
        if (!targeted) {
            this.book.sames.add(urn);
            this.book.skippedCreates.add(urn);
            return [new SameStep(this.d, p.event, copyState(now), now, true)];
        }
        this.book.creates.add(urn);
        return [new CreateStep(this.d, p.event, undefined, now)];
    }

    /** A resource whose old object was already deleted together with something it depends on. */
    private recreate(event: RegisterEvent, old: ResourceState, now: ResourceState): Step[] {
        this.book.deletes.delete(now.urn);
        this.book.replaces.add(now.urn);
        const create = new CreateStep(this.d, event, old, now, true);
        create.keys = this.dependentReplaceKeys.get(now.urn) ?? [];
        return [new ReplaceStep(this.d, old, now), create];
    }

    /** A resource outside the targets stays as it is; so does everything it depends on that has left the program. */
    private async untargeted(event: RegisterEvent, old: ResourceState): Promise<Step[]> {
        const steps: Step[] = [];
        const visit = (o: ResourceState, e: RegisterEvent | undefined): void => {
            if (o.delete) return;
            this.book.urns.add(o.urn);
            this.book.sames.add(o.urn);
            for (const dep of dependenciesOf(o)) {
                if (this.book.generated(dep.urn)) continue;
                const depOld = this.d.olds.get(dep.urn);
                if (!depOld) throw new Bail(`${dep.kind} ${dep.urn} of untargeted resource ${o.urn} has no old state`);
                visit(depOld, undefined);
            }
            const copy = copyState(o);
            copy.id = "";
            steps.push(new SameStep(this.d, e, o, copy));
        };
        if (old.provider !== "" && !this.d.providers.get(old.provider)) {
            throw new Error(
                `provider ${old.provider} for resource ${old.urn} has not been registered yet, this is due to a change of providers mixed with --target. ` +
                    "Change your program back to the original providers",
            );
        }
        visit(old, event);
        return steps;
    }

    private async compared(p: Pending, provider: Provider | undefined, seed: Uint8Array): Promise<Step[]> {
        const { urn, now } = p;
        const old = p.old as ResourceState;
        const { goal } = p.event;
        let diff: DiffResult;
        try {
            diff = await this.diff(old, now, provider, goal);
        } catch (e) {
            if (!(e instanceof DiffUnavailable)) throw e;
            diff = { changes: "some", replaceKeys: [], stableKeys: [], changedKeys: [], detailedDiff: undefined, deleteBeforeReplace: false };
            this.d.diag.warning(urn, e.message);
        }
        // A delete-before-replace of something else may have taken this one along while the provider was asked.
        if (this.book.deletes.has(urn)) return this.recreate(p.event, old, now);
        const hasInitErrors = old.initErrors.length > 0;
        diff = applyReplaceOnChanges(diff, goal.replaceOnChanges, hasInitErrors);
        const triggered = this.replacementTriggered(old, now);
        const follows = now.replaceWith.some((u) => this.book.replaces.has(u));
        if (follows) diff = { ...diff, changes: "some", replaceKeys: [...diff.replaceKeys, "replaceWith"] };
        if (diff.changes === "some" || old.pendingReplacement || triggered) {
            if (needsReplacement(diff) || old.pendingReplacement || triggered) return this.replace(p, provider, diff, seed);
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
        this.book.sames.add(urn);
        return [new SameStep(this.d, p.event, old, now)];
    }

    private replacementTriggered(old: ResourceState, now: ResourceState): boolean {
        return now.replacementTrigger !== undefined && old.replacementTrigger !== undefined && !deepEquals(old.replacementTrigger, now.replacementTrigger);
    }

    private async replace(p: Pending, provider: Provider | undefined, diff: DiffResult, seed: Uint8Array): Promise<Step[]> {
        const { urn, now } = p;
        const old = p.old as ResourceState;
        const { goal } = p.event;
        if (now.protect && old.protect) {
            this.d.diag.error(
                urn,
                `unable to replace resource "${urn}"\nas it is currently marked for protection. To unprotect the resource, remove the \`protect\` flag from the resource in your Pulumi program and run \`pulumi up\``,
            );
            this.sawError = true;
            if (!this.preview) throw new Bail("protected");
        }
        if (goal.importId !== "") {
            const message = "previously-imported resources that still specify an ID may not be replaced; please remove the `import` declaration from your program";
            if (!this.preview) throw new Error(message);
            this.d.diag.warning(urn, message);
        }
        this.book.replaces.add(urn);
        if (provider && !this.mustReplace(urn, old)) {
            const r = await provider.check(identityOf(urn, now.type), {}, goal.properties, seed);
            if (this.d.reportCheckFailures(now, r.failures)) throw new Bail(`resource ${urn} has check errors`);
            now.inputs = r.inputs;
        }
        const annotate = <T extends Step>(s: T): T => {
            s.keys = diff.replaceKeys;
            s.diffs = diff.changedKeys;
            s.detailedDiff = diff.detailedDiff;
            return s;
        };
        if (!(goal.deleteBeforeReplace ?? diff.deleteBeforeReplace)) {
            return [annotate(new CreateStep(this.d, p.event, old, now, true, true)), annotate(new ReplaceStep(this.d, old, now))];
        }
        const steps: Step[] = [];
        for (const { state, keys } of (await dependentReplacements(this.d, old, (u) => this.book.generated(u))).reverse()) {
            if (this.book.pendingDeletes.has(state)) continue;
            this.dependentReplaceKeys.set(state.urn, keys);
            if (state.delete) steps.push(new DeleteStep(this.d, this.book.deletes, state));
            else {
                if (state.protect) {
                    this.d.diag.error(
                        urn,
                        `unable to replace resource "${state.urn}" as part of replacing "${urn}" as it is currently marked for protection. To unprotect the resource, ` +
                            "remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`, or use the command:\n" +
                            `\`pulumi state unprotect "${state.urn}"\``,
                    );
                    this.sawError = true;
                    throw new Bail("protected");
                }
                steps.push(new DeleteStep(this.d, this.book.deletes, state, true, true));
            }
            this.book.deletes.add(state.urn);
            this.book.pendingDeletes.add(state);
        }
        if (old.provider !== "") await this.d.ensureProvider(old.provider);
        if (!old.pendingReplacement) steps.push(new DeleteStep(this.d, this.book.deletes, old, true, true));
        return [...steps, annotate(new ReplaceStep(this.d, old, now)), annotate(new CreateStep(this.d, p.event, old, now, true))];
    }

    private mustReplace(urn: string, old: ResourceState | undefined): boolean {
        return old?.taint === true || (this.d.options.replaceTargets.constrained && this.d.options.replaceTargets.contains(urn));
    }

    private async diff(old: ResourceState, now: ResourceState, provider: Provider | undefined, goal: Goal): Promise<DiffResult> {
        const verdict = (changes: "none" | "some", replaceKeys: string[] = []): DiffResult => ({
            changes,
            replaceKeys,
            stableKeys: [],
            changedKeys: [],
            detailedDiff: undefined,
            deleteBeforeReplace: false,
        });
        if (this.mustReplace(now.urn, old)) return verdict("some", ["id"]);
        if (await this.providerChanged(old, now)) return verdict("some", ["provider"]);
        if (!provider) return verdict(mapEquals(old.inputs, now.inputs) ? "none" : "some");
        return diffResource(provider, identityOf(now.urn, now.type), old.id, old.inputs, old.outputs, now.inputs, goal.ignoreChanges);
    }

    /** True if another provider manages the resource from now on, in a way that the object cannot survive. */
    private async providerChanged(old: ResourceState, now: ResourceState): Promise<boolean> {
        if (old.provider === now.provider) return false;
        if (old.provider === "" || now.provider === "") return true;
        const [oldUrn, newUrn] = [providerUrn(old.provider), providerUrn(now.provider)];
        if (this.book.aliased.get(oldUrn) === newUrn) return false;
        const [oldState, newStateOf] = [this.d.olds.get(oldUrn), this.providerStates.get(newUrn)];
        if (!oldState || !newStateOf) return false;
        const diff = await this.d.providers.diffConfig(now.provider, newUrn, oldState.inputs, oldState.outputs, newStateOf.inputs);
        return needsReplacement(diff);
    }

    private loadProvider(s: ResourceState): Provider | undefined {
        if (!s.custom) return undefined;
        if (isProviderType(s.type)) return this.d.providers;
        const p = this.d.providers.get(s.provider);
        if (!p) {
            this.d.diag.error(s.urn, `unknown provider '${s.provider}' for resource '${s.urn}'`);
            throw new Bail("unknown provider");
        }
        return p;
    }

    private providerState(reference: string): ResourceState | undefined {
        return reference === "" ? undefined : (this.providerStates.get(providerUrn(reference)) ?? this.d.olds.get(providerUrn(reference)));
    }

    private allDependencies(s: ResourceState): string[] {
        const out = dependenciesOf(s).map((d) => d.urn);
        return s.provider === "" ? out : [...out, providerUrn(s.provider)];
    }

    private isTargeted(s: ResourceState): boolean {
        const { targets, targetDependents } = this.d.options;
        if (targets.contains(s.urn)) return true;
        return targetDependents && this.allDependencies(s).some((u) => this.targetsActual.contains(u));
    }
    private isExcluded(s: ResourceState): boolean {
        const { excludes, excludeDependents } = this.d.options;
        if (!excludes.constrained) return false;
        if (excludes.contains(s.urn)) return true;
        return excludeDependents && this.allDependencies(s).some((u) => this.excludesActual.contains(u));
    }

    /** In a targeted run, nothing may depend on a new resource that is not made. */
    private async validated(work: Promise<Step[]>): Promise<Step[]> {
        const steps = await work;
        const { targets, replaceTargets, excludes } = this.d.options;
        if (this.destroying || !(targets.constrained || replaceTargets.constrained || excludes.constrained)) return steps;
        for (const s of steps) {
            if (!s.now || (s instanceof SameStep && s.skippedCreate)) continue;
            for (const u of new Set(this.allDependencies(s.now))) {
                if (!this.book.skippedCreates.has(u)) continue;
                this.d.diag.error(s.urn, `Resource '${s.urn}' depends on '${u}' which was was not specified in --target list.`);
                this.sawError = true;
                if (!this.preview) throw new Bail("untargeted create");
                this.book.skippedCreates.delete(u);
            }
        }
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

    /** Deletes of everything that is not wanted any more, in no particular order. */
    async deletions(): Promise<Step[]> {
        const { steps, refused } = await planDeletions(this.d, this.book, this.toDelete);
        if (refused) this.sawError = true;
        return refused && !this.preview ? [] : steps;
    }

    /** Everything that can be deleted: what was there before, and what the program has registered. */
    get deletable(): ResourceState[] {
        return [...this.toDelete, ...this.d.prev.resources];
    }

    /** Runs stack policies over everything there is. */
    async analyzeStack(): Promise<void> {
        if (await analyzeStack(this.d, (ref) => this.providerState(ref))) this.sawError = true;
    }
}
