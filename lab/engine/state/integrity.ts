import { providerId, providerUrn, type ResourceState } from "./resource";
import { isProviderType, urnParts } from "./urn";

/**
 * Checks the rules a list of resources has to keep.
 * @returns the text of the first violation, in the real CLI's words, or undefined.
 */
export function integrityError(resources: readonly ResourceState[]): string | undefined {
    const seen = new Set<string>();
    const providers = new Set<string>();
    const live = new Set<string>();
    for (const r of resources) {
        if (r.urn === "") return "resource missing required field 'urn'";
        if (r.type === "") return `resource ${r.urn} missing required field 'type'`;
        if (!r.custom && r.id !== "") return `resource ${r.urn} has 'custom' false but non-empty ID`;
        if (isProviderType(r.type)) providers.add(`${r.urn}::${r.id}`);
        if (r.provider !== "") {
            const ref = `${providerUrn(r.provider)}::${providerId(r.provider)}`;
            if (!providers.has(ref) && !r.pendingReplacement)
                return `resource ${r.urn} refers to unknown provider ${ref}`;
        }
        if (r.parent !== "" && !seen.has(r.parent)) return dangling(resources, r, r.parent, "parent");
        for (const d of r.dependencies) if (!seen.has(d)) return dangling(resources, r, d, "dependency");
        for (const [k, deps] of Object.entries(r.propertyDependencies)) {
            for (const d of deps)
                if (!seen.has(d)) return dangling(resources, r, d, `property dependency (for property "${k}")`);
        }
        if (r.deletedWith !== "" && !seen.has(r.deletedWith))
            return dangling(resources, r, r.deletedWith, "deleted with");
        for (const d of r.replaceWith) if (!seen.has(d)) return dangling(resources, r, d, "replace with");
        if (live.has(r.urn) && !r.delete) return `duplicate resource ${r.urn} (not marked for deletion)`;
        if (!r.delete) live.add(r.urn);
        seen.add(r.urn);
    }
    return undefined;
}

function dangling(resources: readonly ResourceState[], r: ResourceState, target: string, kind: string): string {
    const problem = resources.some((o) => o.urn === target) ? "comes after it" : "refers to missing resource";
    return `${kind === "parent" ? "child " : ""}resource ${r.urn}'s ${kind} ${target} ${problem}`;
}

/** True if the text names a resource of this stack and project. */
export function belongsTo(urn: string, stack: string, project: string): boolean {
    const p = urnParts(urn);
    return p.stack === stack && p.project === project;
}
