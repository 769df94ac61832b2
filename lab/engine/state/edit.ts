import { DependencyGraph, dependenciesOf } from "./graph";
import { providerUrn, type ResourceState } from "./resource";
import type { Snapshot } from "./snapshot";
import { isProviderType, makeUrn, urnName, urnParts, urnType } from "./urn";

/** Resources that stand in the way of taking one out of the record. */
export class HasDependants extends Error {
    constructor(
        readonly condemned: ResourceState,
        readonly dependants: readonly ResourceState[],
    ) {
        super(
            `${condemned.urn} can't be safely deleted because the following resources depend on it:\n` +
                dependants.map((d) => ` * ${JSON.stringify(urnName(d.urn)).padEnd(15)} (${d.urn})\n`).join("") +
                "\nDelete those resources first or pass --target-dependents.",
        );
    }
}

/**
 * Takes a resource out of the record; nothing happens to the real object.
 * @param unprotect called for protected resources; may throw
 */
export function forgetResource(
    snap: Snapshot,
    condemned: ResourceState,
    withDependants: boolean,
    unprotect: (r: ResourceState) => void,
): void {
    if (condemned.protect) unprotect(condemned);
    const dependants = new DependencyGraph(snap.resources).dependants(condemned, () => false, true);
    if (dependants.length > 0 && !withDependants) throw new HasDependants(condemned, dependants);
    for (const d of dependants) if (d.protect) unprotect(d);
    const gone = new Set([condemned, ...dependants]);
    snap.resources = snap.resources.filter((r) => !gone.has(r));
}

/** Gives a resource another URN, and everything that refers to it the new reference. Children get new URNs as well. */
export function changeUrn(snap: Snapshot, from: string, to: string): void {
    const found = snap.resources.filter((r) => r.urn === from);
    const [subject] = found;
    if (!subject || found.length !== 1) throw new Error("The input URN does not correspond to an existing resource");
    if (from === to) return;
    if (snap.resources.some((r) => r.urn === to))
        throw new Error("The chosen new urn for the state corresponds to an already existing resource");
    subject.urn = to;
    const renamed = (u: string) => (u === from ? to : u);
    for (const r of snap.resources) {
        if (r === subject) continue;
        const isChild = r.parent === from;
        if (isChild) {
            r.parent = to;
            const p = urnParts(r.urn);
            changeUrn(snap, r.urn, makeUrn(p.stack, p.project, to, urnType(r.urn), p.name));
        }
        const properties: Record<string, string[]> = {};
        // Keys without dependencies do not survive the real CLI's renaming either.
        for (const d of dependenciesOf(r))
            if (d.kind === "property" && d.key !== undefined) (properties[d.key] ??= []).push(renamed(d.urn));
        r.propertyDependencies = properties;
        r.dependencies = r.dependencies.map(renamed);
        r.replaceWith = r.replaceWith.map(renamed);
        r.deletedWith = renamed(r.deletedWith);
    }
    if (!isProviderType(subject.type)) return;
    for (const r of snap.resources)
        if (r.provider !== "" && providerUrn(r.provider) === from) r.provider = `${to}::${subject.id}`;
}

/** Gives a resource another name. */
export function renameResource(snap: Snapshot, urn: string, name: string): void {
    const at = urn.lastIndexOf("::");
    changeUrn(snap, urn, `${urn.slice(0, at)}::${name}`);
}
