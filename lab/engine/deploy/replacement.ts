import type { DiffResult, Provider } from "../plugin";
import type { ResourceState } from "../state";
import { Bail } from "./bail";
import type { StepBook } from "./book";
import { mustReplace } from "./comparison";
import { dependentReplacements } from "./dependents";
import type { Deployment } from "./deployment";
import type { RegisterEvent } from "./goal";
import type { Registration } from "./registration";
import { CreateStep, DeleteStep, identityOf, ReplaceStep, type Step } from "./steps";

/** Decides how a new object takes the place of an old one. */
export class Replacements {
    /** By URN: what has to go along with another resource, and the properties because of which. */
    private readonly alongWith = new Map<string, { readonly deletion: Step; readonly keys: string[] }>();

    constructor(
        private readonly d: Deployment,
        private readonly book: StepBook,
    ) {}

    /** Steps that replace an object, along with those that cannot stay without it. */
    async replace(
        p: Registration & { old: ResourceState },
        provider: Provider | undefined,
        diff: DiffResult,
        seed: Uint8Array,
    ): Promise<Step[]> {
        const { urn, old, now } = p;
        const { goal } = p.event;
        this.checkAllowed(p);
        this.book.replaces.add(urn);
        if (provider && !mustReplace(this.d, urn, old)) {
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
            return [
                annotate(new CreateStep(this.d, p.event, old, now, true, true)),
                annotate(new ReplaceStep(this.d, old, now)),
            ];
        }
        const steps = await this.deleteDependents(urn, old);
        if (old.provider !== "") await this.d.ensureProvider(old.provider);
        if (!old.pendingReplacement) steps.push(new DeleteStep(this.d, this.book.deletes, old, true, true));
        return [
            ...steps,
            annotate(new ReplaceStep(this.d, old, now)),
            annotate(new CreateStep(this.d, p.event, old, now, true)),
        ];
    }

    /** True if the old object goes together with something it depends on, or has gone. */
    isDeleted(old: ResourceState | undefined): boolean {
        return old !== undefined && this.alongWith.has(old.urn);
    }

    /** Steps for a resource whose old object is deleted together with something it depends on. It need not depend on that any more: the deletion may yet have to begin. */
    recreate(event: RegisterEvent, old: ResourceState, now: ResourceState): Step[] {
        const { deletion, keys } = this.alongWith.get(old.urn) ?? { deletion: undefined, keys: [] };
        this.book.deletes.delete(old.urn);
        this.book.replaces.add(now.urn);
        const replace = new ReplaceStep(this.d, old, now);
        replace.after = deletion;
        const create = new CreateStep(this.d, event, old, now, true);
        create.keys = keys;
        return [replace, create];
    }

    /** @throws Bail or Error, outside previews, if the object must not be replaced */
    private checkAllowed({ event, urn, old, now }: Registration & { old: ResourceState }): void {
        const { preview } = this.d.options;
        if (now.protect && old.protect) {
            this.d.diag.error(
                urn,
                `unable to replace resource "${urn}"\nas it is currently marked for protection. To unprotect the resource, remove the \`protect\` flag from the resource in your Pulumi program and run \`pulumi up\``,
            );
            this.book.sawError = true;
            if (!preview) throw new Bail("protected");
        }
        if (event.goal.importId !== "") {
            const message =
                "previously-imported resources that still specify an ID may not be replaced; please remove the `import` declaration from your program";
            if (!preview) throw new Error(message);
            this.d.diag.warning(urn, message);
        }
    }

    /** Deletes what cannot stay when `root` is deleted before its replacement `urn` is made; those that depend on others first. */
    private async deleteDependents(urn: string, root: ResourceState): Promise<Step[]> {
        const steps: Step[] = [];
        for (const { state, keys } of (
            await dependentReplacements(this.d, root, (u) => this.book.generated(u))
        ).reverse()) {
            if (this.book.pendingDeletes.has(state)) continue;
            this.book.pendingDeletes.add(state);
            // A copy that has already been replaced does not come again.
            if (state.delete) {
                steps.push(new DeleteStep(this.d, this.book.deletes, state));
                continue;
            }
            if (state.protect) this.refuseProtected(state.urn, urn);
            const deletion = new DeleteStep(this.d, this.book.deletes, state, true, true);
            this.alongWith.set(state.urn, { deletion, keys });
            this.book.deletes.add(state.urn);
            steps.push(deletion);
        }
        return steps;
    }

    private refuseProtected(dependent: string, replaced: string): never {
        this.d.diag.error(
            replaced,
            `unable to replace resource "${dependent}" as part of replacing "${replaced}" as it is currently marked for protection. To unprotect the resource, ` +
                "remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`, or use the command:\n" +
                `\`pulumi state unprotect "${dependent}"\``,
        );
        this.book.sawError = true;
        throw new Bail("protected");
    }
}
