import { isProviderType, providerUrn, type ResourceState } from "../state";
import { UNKNOWN, type ValueMap } from "../value";
import type { Deployment } from "./deployment";
import { applyReplaceOnChanges, diffResource, needsReplacement } from "./diff";
import { identityOf } from "./steps";

/** Dependants that have to be replaced as well when `root` is deleted before its replacement is made. */
export async function dependentReplacements(
    d: Deployment,
    root: ResourceState,
    generated: (urn: string) => boolean,
): Promise<{ state: ResourceState; keys: string[] }[]> {
    const out: { state: ResourceState; keys: string[] }[] = [];
    const set = new Set([root.urn]);
    for (const r of d.graph.dependants(root, generated, false)) {
        if (!r.custom || r.external) continue;
        if (r.provider !== "" && set.has(providerUrn(r.provider))) {
            await d.ensureProvider(r.provider);
            out.push({ state: r, keys: [] });
            set.add(r.urn);
            continue;
        }
        let depends = false;
        const inputs: ValueMap = {};
        for (const [k, v] of Object.entries(r.inputs)) {
            const unknown = (r.propertyDependencies[k] ?? []).some((u) => set.has(u));
            depends = depends || unknown;
            inputs[k] = unknown ? UNKNOWN : v;
        }
        if (!depends) continue;
        if (!isProviderType(r.type)) await d.ensureProvider(r.provider);
        else await d.providers.same(r);
        const provider = d.providerFor(r);
        const diff = applyReplaceOnChanges(
            await diffResource(provider, identityOf(r.urn, r.type), r.id, r.inputs, r.outputs, inputs, r.ignoreChanges),
            r.replaceOnChanges,
            false,
        );
        if (needsReplacement(diff)) {
            out.push({ state: r, keys: diff.replaceKeys });
            set.add(r.urn);
        }
    }
    return out;
}
