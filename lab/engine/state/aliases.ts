import type { Snapshot } from "./snapshot";
import { copyState, type ResourceState } from "./resource";

/**
 * The snapshot with every reference to a former URN replaced by the present one. Resources keep no list of former URNs:
 * once nothing refers to them, they mean nothing. States that need no change are the same objects.
 */
export function resolveAliases(s: Snapshot): Snapshot {
    const present = new Map<string, string>();
    for (const r of s.resources) for (const a of r.aliases) if (a !== r.urn) present.set(a, r.urn);
    if (present.size === 0) return s;
    const urn = (u: string): string => present.get(u) ?? u;
    const reference = (ref: string): string => {
        const at = ref.lastIndexOf("::");
        return at < 0 ? ref : `${urn(ref.slice(0, at))}${ref.slice(at)}`;
    };
    const concerns = (r: ResourceState): boolean =>
        r.aliases.length > 0 ||
        [
            r.parent,
            r.deletedWith,
            ...r.dependencies,
            ...r.replaceWith,
            ...Object.values(r.propertyDependencies).flat(),
        ].some((u) => present.has(u)) ||
        reference(r.provider) !== r.provider;
    const resolved = (r: ResourceState): ResourceState => {
        if (!concerns(r)) return r;
        const c = copyState(r);
        c.aliases = [];
        c.parent = urn(r.parent);
        c.deletedWith = urn(r.deletedWith);
        c.dependencies = r.dependencies.map(urn);
        c.replaceWith = r.replaceWith.map(urn);
        c.propertyDependencies = Object.fromEntries(
            Object.entries(r.propertyDependencies).map(([k, deps]) => [k, deps.map(urn)]),
        );
        c.provider = reference(r.provider);
        return c;
    };
    return {
        ...s,
        resources: s.resources.map(resolved),
        pendingOperations: s.pendingOperations.map((o) => ({ ...o, resource: resolved(o.resource) })),
    };
}
