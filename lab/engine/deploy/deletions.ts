import { copyState, providerUrn, type ResourceState } from "../state";
import type { StepBook } from "./book";
import { dependentReplacements } from "./dependents";
import type { Deployment } from "./deployment";
import { DeleteStep, RemovePendingReplaceStep, SameStep, type Step } from "./steps";
import type { UrnTargets } from "./targets";

/**
 * Deletes of everything that is not desired any more, in no particular order.
 * @param registered resources that the program has registered only to be deleted (destroy with the program)
 * @returns the steps, and whether something outside the targets would have to go
 */
export async function planDeletions(
    d: Deployment,
    book: StepBook,
    registered: readonly ResourceState[],
): Promise<{ steps: Step[]; refused: boolean }> {
    const { targets, excludes, targetDependents } = d.options;
    const allowed = targets.constrained ? await withDependants(d, book, targets) : undefined;
    const forbidden = excludes.constrained ? keptBy(d, excludes) : undefined;
    const desired = (r: ResourceState) => (allowed ? allowed.has(r.urn) : forbidden ? !forbidden.has(r.urn) : true);
    const steps: Step[] = [];
    for (const r of d.prev.resources) {
        if (!desired(r)) {
            if (!r.delete && !book.operatedOn(r.urn)) steps.push(new SameStep(d, undefined, r, copyState(r)));
            continue;
        }
        if (r.delete) {
            if (book.pendingDeletes.has(r)) continue;
            book.deletes.add(r.urn);
            steps.push(new DeleteStep(d, book.deletes, r, true, false));
        } else if (!book.operatedOn(r.urn)) {
            book.deletes.add(r.urn);
            steps.push(r.pendingReplacement ? new RemovePendingReplaceStep(d, r) : new DeleteStep(d, book.deletes, r));
        } else continue;
        if (r.provider !== "") await d.ensureProvider(r.provider);
    }
    for (const r of registered) {
        if (!desired(r)) continue;
        book.deletes.add(r.urn);
        steps.push(new DeleteStep(d, book.deletes, r));
    }
    let refused = false;
    if (targets.constrained && !targetDependents) {
        for (const s of steps) {
            if (s.op === "same" || targets.contains(s.urn)) continue;
            d.diag.error(
                s.urn,
                `Resource '${s.urn}' will be destroyed but was not specified in --target list.\nEither include resource in --target list or pass --target-dependents to proceed.`,
            );
            refused = true;
        }
    }
    return { steps, refused };
}

/** Targets, everything that depends on them, and everything that would have to be replaced without them. */
async function withDependants(d: Deployment, book: StepBook, targets: UrnTargets): Promise<Set<string>> {
    const out = new Set<string>();
    for (const r of d.prev.resources) {
        if (!targets.contains(r.urn) || out.has(r.urn)) continue;
        out.add(r.urn);
        for (const dep of d.graph.dependants(r, () => false, true)) out.add(dep.urn);
    }
    for (const u of [...out]) {
        const old = d.olds.get(u);
        if (!old) continue;
        for (const dep of await dependentReplacements(d, old, (u) => book.generated(u))) out.add(dep.state.urn);
    }
    return out;
}

/**
 * What has to stay so that the excluded resources can stay: their parents and the providers of all of them. With
 * `--exclude-dependents` everything that depends on one of those stays, too, children of a parent included.
 */
function keptBy(d: Deployment, excludes: UrnTargets): Set<string> {
    const out = new Set<string>();
    for (const r of d.prev.resources) {
        if (!excludes.contains(r.urn)) continue;
        for (let cur: ResourceState | undefined = r; cur; cur = d.olds.get(cur.parent)) {
            if (cur.provider !== "") out.add(providerUrn(cur.provider));
            out.add(cur.urn);
        }
        for (const dep of d.graph.transitiveDependencies(r)) out.add(dep.urn);
    }
    if (!d.options.excludeDependents) return out;
    for (const r of d.prev.resources.filter((x) => out.has(x.urn)))
        for (const dep of d.graph.dependants(r, () => false, true)) out.add(dep.urn);
    for (const r of d.prev.resources.filter((x) => out.has(x.urn)))
        for (const dep of d.graph.transitiveDependencies(r)) out.add(dep.urn);
    return out;
}
