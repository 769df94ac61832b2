import { DiffUnavailable, type DiffResult, type Provider } from "../plugin";
import type { ResourceState } from "../state";
import { deepEquals, mapEquals } from "../value";
import type { Deployment } from "./deployment";
import { diffResource } from "./diff";
import type { RunProviders } from "./providers";
import { identityOf } from "./steps";

/** True if the user wants a new object, whatever has changed. */
export function mustReplace(d: Deployment, urn: string, old: ResourceState | undefined): boolean {
    return old?.taint === true || (d.options.replaceTargets.constrained && d.options.replaceTargets.contains(urn));
}

/** True if the program asks for a new object by another value of the trigger. */
export function replacementTriggered(old: ResourceState, now: ResourceState): boolean {
    return (
        now.replacementTrigger !== undefined &&
        old.replacementTrigger !== undefined &&
        !deepEquals(old.replacementTrigger, now.replacementTrigger)
    );
}

function verdict(changes: "none" | "some", replaceKeys: string[] = []): DiffResult {
    return {
        changes,
        replaceKeys,
        stableKeys: [],
        changedKeys: [],
        detailedDiff: undefined,
        deleteBeforeReplace: false,
    };
}

/**
 * What has to change for the old object to become what the program wants. A provider that cannot tell yet is taken to
 * mean a change, with a warning.
 */
export async function compare(
    d: Deployment,
    providers: RunProviders,
    old: ResourceState,
    now: ResourceState,
    provider: Provider | undefined,
): Promise<DiffResult> {
    try {
        if (mustReplace(d, now.urn, old)) return verdict("some", ["id"]);
        if (await providers.changed(old, now)) return verdict("some", ["provider"]);
        if (!provider) return verdict(mapEquals(old.inputs, now.inputs) ? "none" : "some");
        return await diffResource(
            provider,
            identityOf(now.urn, now.type),
            old.id,
            old.inputs,
            old.outputs,
            now.inputs,
            now.ignoreChanges,
        );
    } catch (e) {
        if (!(e instanceof DiffUnavailable)) throw e;
        d.diag.warning(now.urn, e.message);
        return verdict("some");
    }
}
