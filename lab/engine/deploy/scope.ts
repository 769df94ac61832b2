import { copyState, dependenciesOf, isProviderType, referencesOf, ROOT_STACK_TYPE, type ResourceState } from "../state";
import { Bail } from "./bail";
import type { StepBook } from "./book";
import type { Deployment } from "./deployment";
import type { RegisterEvent } from "./goal";
import { SameStep, type Step } from "./steps";
import type { UrnTargets } from "./targets";

/** What a run may touch: everything, only the targets, or all but the excluded. */
export class Scope {
    /** Targets and what was taken in because it depends on them. */
    private readonly takenIn: UrnTargets;
    /** Excluded resources and what was left out because it depends on them. */
    private readonly leftOut: UrnTargets;

    constructor(
        private readonly d: Deployment,
        private readonly book: StepBook,
    ) {
        this.takenIn = d.options.targets.clone();
        this.leftOut = d.options.excludes.clone();
    }

    /** True if the resource may be touched. Providers and the stack itself always are. */
    covers(s: ResourceState): boolean {
        if (isProviderType(s.type) || s.type === ROOT_STACK_TYPE) return true;
        if (this.d.options.targets.constrained) return this.isTargeted(s);
        return !this.isExcluded(s);
    }

    /** Keeps for resources that depend on this one whether it was covered. */
    settle(s: ResourceState, covered: boolean): void {
        if (!covered) this.leftOut.add(s.urn);
        else if (this.isTargeted(s)) this.takenIn.add(s.urn);
    }

    private isTargeted(s: ResourceState): boolean {
        const { targets, targetDependents } = this.d.options;
        if (targets.contains(s.urn)) return true;
        return targetDependents && referencesOf(s).some((u) => this.takenIn.contains(u));
    }
    private isExcluded(s: ResourceState): boolean {
        const { excludes, excludeDependents } = this.d.options;
        if (!excludes.constrained) return false;
        if (excludes.contains(s.urn)) return true;
        return excludeDependents && referencesOf(s).some((u) => this.leftOut.contains(u));
    }

    /** Steps of a resource outside the scope: it stays as it is, and so does everything it depends on that has left the program. */
    leave(event: RegisterEvent, urn: string, old: ResourceState): Step[] {
        const steps: Step[] = [];
        this.book.sames.add(urn);
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

    /** Reports steps that depend on a new resource that is not made. @throws Bail outside previews */
    checkMade(steps: readonly Step[]): void {
        const { targets, replaceTargets, excludes, preview, kind } = this.d.options;
        if (kind === "destroy" || !(targets.constrained || replaceTargets.constrained || excludes.constrained)) return;
        for (const s of steps) {
            if (!s.now || (s instanceof SameStep && s.skippedCreate)) continue;
            for (const u of new Set(referencesOf(s.now))) {
                if (!this.book.skippedCreates.has(u)) continue;
                this.d.diag.error(
                    s.urn,
                    `Resource '${s.urn}' depends on '${u}' which was was not specified in --target list.`,
                );
                this.book.sawError = true;
                if (!preview) throw new Bail("untargeted create");
                this.book.skippedCreates.delete(u);
            }
        }
    }
}
