/** `pulumi state move`: resources go from the record of one stack into that of another; nothing happens to the real objects. */
import { mapEquals } from "../value";
import { dependenciesOf, type Dependency } from "./graph";
import { copyState, newState, type ResourceState } from "./resource";
import type { Snapshot } from "./snapshot";
import { isProviderType, ROOT_STACK_TYPE, rootStackUrn, urnName, urnQualifiedType } from "./urn";

/** A reference that the move has to drop, because its ends come into different stacks. */
export interface BrokenReference {
    readonly from: string;
    readonly to: Dependency;
}

/** What a move does. */
export interface Move {
    /** URNs in the source stack, in the order of its record. */
    readonly moved: readonly string[];
    /** Asked for, and not in the source stack. */
    readonly notFound: readonly string[];
    readonly brokenInSource: readonly BrokenReference[];
    readonly brokenInTarget: readonly BrokenReference[];
}

/**
 * Moves resources with their children, and copies the providers that they use. Changes both snapshots.
 * References of `replaceWith` keep their URNs, as with the real CLI: such a record is not sound afterwards.
 * @throws Error if there is nothing to move, a provider is asked for, or the target has a resource or another provider of the same URN
 */
export function moveResources(
    source: Snapshot,
    target: Snapshot,
    into: { readonly name: string; readonly project: string },
    urns: readonly string[],
    withParents: boolean,
): Move {
    const moving = chosen(source, urns, withParents);
    const isMoving = (urn: string) => moving.has(urn);
    const going = source.resources.filter((r) => isMoving(r.urn));
    const staying = source.resources.filter((r) => !isMoving(r.urn));
    const stays = new Set(staying.map((r) => r.urn));

    const root = rootStackUrn(into.name, into.project);
    if (!target.resources.some((r) => r.type === ROOT_STACK_TYPE && r.parent === ""))
        target.resources = [newState({ urn: root, type: ROOT_STACK_TYPE, custom: false }), ...target.resources];
    const present = new Map(target.resources.map((r) => [r.urn, r]));

    const inTarget = (urn: string): string =>
        `urn:pulumi:${into.name}::${into.project}::${urnQualifiedType(urn)}::${urnName(urn)}`;
    /** A resource as the target has it; a reference to a provider is one to its copy, or to one that is equal. */
    const renamed = (r: ResourceState, providers: ReadonlyMap<string, string>): ResourceState => {
        const copy = copyState(r);
        copy.urn = inTarget(r.urn);
        copy.parent = isMoving(r.parent) ? inTarget(r.parent) : root;
        if (r.provider !== "") copy.provider = providers.get(r.provider) ?? inTarget(r.provider);
        copy.dependencies = r.dependencies.map(inTarget);
        copy.propertyDependencies = withReferences(r.propertyDependencies, (deps) => deps.map(inTarget));
        copy.deletedWith = r.deletedWith === "" ? "" : inTarget(r.deletedWith);
        return copy;
    };

    const used = new Set(going.map((r) => r.provider));
    const providers = new Map<string, string>();
    for (const r of staying.filter((one) => used.has(`${one.urn}::${one.id}`))) {
        const copy = renamed(r, new Map());
        const same = present.get(copy.urn);
        if (!same) target.resources.push(copy);
        else if (same.id !== r.id) {
            if (!mapEquals(same.inputs, copy.inputs))
                throw new Error(`provider ${copy.urn} already exists in destination stack`);
            providers.set(`${r.urn}::${r.id}`, `${same.urn}::${same.id}`);
        }
    }

    const brokenInSource = staying.flatMap((r) => dropReferences(r, isMoving));
    const brokenInTarget: BrokenReference[] = [];
    for (const r of going) {
        const own = copyState(r);
        brokenInTarget.push(...dropReferences(own, (urn) => stays.has(urn)));
        const copy = renamed(own, providers);
        if (present.has(copy.urn)) throw new Error(`resource ${copy.urn} already exists in destination stack`);
        target.resources.push(copy);
    }
    source.resources = staying;
    const known = new Set(going.map((r) => r.urn));
    return {
        moved: going.map((r) => r.urn),
        notFound: urns.filter((urn) => !known.has(urn)),
        brokenInSource,
        brokenInTarget,
    };
}

/** URNs of what moves: what is asked for and all below it, and on request its parents; never the stack's own resource. */
function chosen(source: Snapshot, urns: readonly string[], withParents: boolean): Set<string> {
    const named = source.resources.filter((r) => urns.includes(r.urn));
    if (named.some((r) => isProviderType(r.type)))
        throw new Error(
            "cannot move providers. Only resources can be moved, and providers will be included automatically",
        );
    if (named.length === 0) throw new Error("no resources found to move");
    const byUrn = new Map(source.resources.map((r) => [r.urn, r]));
    const moving = new Set(named.map((r) => r.urn));
    if (withParents)
        for (const r of named) for (let up = byUrn.get(r.parent); up; up = byUrn.get(up.parent)) moving.add(up.urn);
    const root = source.resources.find((r) => r.type === ROOT_STACK_TYPE && r.parent === "");
    // Whoever asks for the stack's own resource asks for all below it; as a parent it stands for nothing.
    if (root && !urns.includes(root.urn)) moving.delete(root.urn);
    for (const r of source.resources) if (moving.has(r.parent)) moving.add(r.urn);
    if (root) moving.delete(root.urn);
    return moving;
}

/** Takes the references to some resources out of a record. A parent is no such reference: the move gives another one. */
function dropReferences(r: ResourceState, isCut: (urn: string) => boolean): BrokenReference[] {
    const cut = dependenciesOf(r).filter((to) => to.kind !== "parent" && to.kind !== "replaceWith" && isCut(to.urn));
    if (cut.length === 0) return [];
    const kept = (list: readonly string[]) => list.filter((urn) => !isCut(urn));
    r.dependencies = kept(r.dependencies);
    r.propertyDependencies = withReferences(r.propertyDependencies, kept);
    if (isCut(r.deletedWith)) r.deletedWith = "";
    return cut.map((to) => ({ from: r.urn, to }));
}

/** Property dependencies with other lists; properties that depend on nothing are left out, as the real CLI does. */
function withReferences(
    all: ResourceState["propertyDependencies"],
    change: (deps: readonly string[]) => string[],
): ResourceState["propertyDependencies"] {
    return Object.fromEntries(
        Object.entries(all)
            .map(([key, deps]) => [key, change(deps)] as const)
            .filter(([, deps]) => deps.length > 0),
    );
}
