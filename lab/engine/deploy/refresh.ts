import { dependenciesOf, providerUrn, type ResourceState } from "../state";
import { touched } from "../state";
import type { Deployment } from "./deployment";
import { RefreshStep, type Step } from "./steps";
import type { StepExecutor } from "./stepexec";

/** Refreshes all targeted resources of a deployment at once and takes over what was found. */
export async function refreshAll(d: Deployment, executor: StepExecutor): Promise<void> {
    const steps = new Map<ResourceState, Step>();
    const { targets, excludes, targetDependents, excludeDependents } = d.options;
    const chosen = targets.clone();
    const left = excludes.clone();
    for (const r of d.prev.resources) {
        const deps = () => [
            ...dependenciesOf(r).map((x) => x.urn),
            ...(r.provider === "" ? [] : [providerUrn(r.provider)]),
        ];
        let take: boolean;
        if (excludes.constrained) {
            take = !left.contains(r.urn);
            if (take && excludeDependents && deps().some((u) => left.contains(u))) {
                left.add(r.urn);
                take = false;
            }
        } else {
            take = chosen.contains(r.urn);
            if (!take && targetDependents && deps().some((u) => chosen.contains(u))) {
                chosen.add(r.urn);
                take = true;
            }
        }
        if (!take) continue;
        if (r.provider !== "") await d.ensureProvider(r.provider);
        steps.set(r, new RefreshStep(d, r));
    }
    for (const s of steps.values()) void executor.chain([s]);
    await executor.settled();
    d.rebase(repaired(d.prev.resources, steps));
}

/**
 * The list of resources after some have changed or gone: references to what is not there any more are taken out, and
 * children of what has gone belong to its parent.
 */
export function repaired(
    resources: readonly ResourceState[],
    steps: ReadonlyMap<ResourceState, Step>,
): ResourceState[] {
    const out: ResourceState[] = [];
    const there = new Set<string>();
    for (const s of resources) {
        const step = steps.get(s);
        const r = step ? step.now : s;
        if (!r) continue;
        if (r.dependencies.length > 0) {
            const known = r.dependencies.filter((u) => there.has(u));
            if (known.length !== r.dependencies.length) {
                r.dependencies = known;
                touched(r);
            }
        }
        const entries = Object.entries(r.propertyDependencies);
        if (entries.some(([, deps]) => deps.length === 0 || deps.some((u) => !there.has(u)))) {
            // Only properties that still depend on something keep an entry.
            r.propertyDependencies = Object.fromEntries(
                entries
                    .map(([k, deps]) => [k, deps.filter((u) => there.has(u))] as const)
                    .filter(([, deps]) => deps.length > 0),
            );
        }
        if (r.deletedWith !== "" && !there.has(r.deletedWith)) {
            r.deletedWith = "";
            touched(r);
        }
        r.replaceWith = r.replaceWith.filter((u) => there.has(u));
        out.push(r);
        there.add(r.urn);
    }
    const live = new Set(out.filter((r) => !r.delete).map((r) => r.urn));
    const parentOf = new Map<string, string>();
    for (const s of resources) parentOf.set(s.urn, s.parent);
    for (const r of out) {
        let p = r.parent;
        while (p !== "" && !live.has(p)) p = parentOf.get(p) ?? "";
        if (p !== r.parent) {
            r.parent = p;
            touched(r);
        }
    }
    return out;
}
