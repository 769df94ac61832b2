import { providerUrn, type ResourceState } from "./resource";

/** What a resource refers to, apart from its provider. */
export interface Dependency {
    urn: string;
    kind: "parent" | "dependency" | "property" | "deletedWith" | "replaceWith";
    /** Name of the property, for kind `property`. */
    key?: string;
}

/** All references of a resource; its provider is not among them. */
export function dependenciesOf(r: ResourceState): Dependency[] {
    const out: Dependency[] = [];
    if (r.parent !== "") out.push({ urn: r.parent, kind: "parent" });
    for (const d of r.dependencies) out.push({ urn: d, kind: "dependency" });
    for (const [key, deps] of Object.entries(r.propertyDependencies))
        for (const d of deps) out.push({ urn: d, kind: "property", key });
    if (r.deletedWith !== "") out.push({ urn: r.deletedWith, kind: "deletedWith" });
    for (const d of r.replaceWith) out.push({ urn: d, kind: "replaceWith" });
    return out;
}

/** URNs of everything that a resource refers to, its provider among them. */
export function referencesOf(r: ResourceState): string[] {
    const urns = dependenciesOf(r).map((d) => d.urn);
    return r.provider === "" ? urns : [...urns, providerUrn(r.provider)];
}

/** Dependencies between the resources of a list in which everything stands after what it refers to. */
export class DependencyGraph {
    private readonly index = new Map<ResourceState, number>();
    private readonly children = new Map<string, number[]>();

    constructor(private readonly resources: readonly ResourceState[]) {
        resources.forEach((r, i) => this.index.set(r, i));
        const parents = new Map<string, string>();
        for (const r of resources) parents.set(r.urn, r.parent);
        resources.forEach((r, i) => {
            for (let p = r.parent; p !== ""; p = parents.get(p) ?? "") {
                const list = this.children.get(p);
                if (list) list.push(i);
                else this.children.set(p, [i]);
            }
        });
    }

    contains(r: ResourceState): boolean {
        return this.index.has(r);
    }

    /** Direct and indirect dependants in list order; those named in `ignore` and what only they lead to are left out. */
    dependants(of: ResourceState, ignore: (urn: string) => boolean, includeChildren: boolean): ResourceState[] {
        const start = this.index.get(of);
        if (start === undefined) return [];
        const set = new Set([of.urn]);
        const out: ResourceState[] = [];
        for (let i = start + 1; i < this.resources.length; i++) {
            const c = this.resources[i] as ResourceState;
            if (ignore(c.urn)) continue;
            const depends =
                (c.provider !== "" && set.has(providerUrn(c.provider))) ||
                dependenciesOf(c).some((d) => (d.kind === "parent" ? includeChildren : true) && set.has(d.urn));
            if (depends) {
                out.push(c);
                set.add(c.urn);
            }
        }
        return out;
    }

    /** What a resource refers to directly: provider, parent, dependencies. A component stands for its children as well. */
    dependencies(of: ResourceState): Set<ResourceState> {
        const out = new Set<ResourceState>();
        const at = this.index.get(of);
        if (at === undefined) return out;
        const urns = new Set(
            dependenciesOf(of)
                .filter((d) => d.kind !== "parent")
                .map((d) => d.urn),
        );
        if (of.provider !== "") urns.add(providerUrn(of.provider));
        for (let i = at - 1; i >= 0; i--) {
            const c = this.resources[i] as ResourceState;
            if (urns.has(c.urn)) {
                out.add(c);
                if (!c.custom)
                    for (const child of this.children.get(c.urn) ?? [])
                        if (child < at) out.add(this.resources[child] as ResourceState);
            }
            if (c.urn === of.parent) out.add(c);
        }
        return out;
    }

    /** Everything a resource needs, directly or not. */
    transitiveDependencies(of: ResourceState): Set<ResourceState> {
        const out = new Set<ResourceState>();
        const todo = [of];
        for (let r = todo.pop(); r; r = todo.pop()) {
            for (const d of this.dependencies(r)) {
                if (!out.has(d)) {
                    out.add(d);
                    todo.push(d);
                }
            }
        }
        out.delete(of);
        return out;
    }
}

/**
 * Groups resources for deletion: each group may be deleted at once, after all groups before it. Dependants come before
 * what they depend on.
 */
export function deletionOrder(condemned: readonly ResourceState[], all: readonly ResourceState[]): ResourceState[][] {
    const graph = new DependencyGraph(all);
    const left = new Set(condemned);
    const deps = new Map(condemned.map((r) => [r, graph.dependencies(r)]));
    const groups: ResourceState[][] = [];
    while (left.size > 0) {
        const group = [...left].filter((r) => ![...(deps.get(r) ?? [])].some((d) => left.has(d)));
        if (group.length === 0) return [...groups, [...left]].reverse();
        for (const r of group) left.delete(r);
        groups.push(group);
    }
    return groups.reverse();
}

/**
 * The list with every resource after those that it refers to; otherwise the order stays. Resources that a run leaves
 * alone are recorded when the program registers them, which may be before a change of what they still refer to.
 */
export function inDependencyOrder(resources: readonly ResourceState[]): ResourceState[] {
    const first = new Map<string, ResourceState>();
    for (const r of resources) if (!first.has(r.urn)) first.set(r.urn, r);
    const placed = new Set<ResourceState>();
    const place = (r: ResourceState): void => {
        if (placed.has(r)) return;
        placed.add(r);
        for (const urn of referencesOf(r)) {
            const other = first.get(urn);
            if (other && !placed.has(other)) place(other);
        }
        sorted.push(r);
    };
    const sorted: ResourceState[] = [];
    for (const r of resources) place(r);
    return sorted;
}
