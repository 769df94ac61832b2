/** What was written of statuses and has not come back by the watch yet. */
import { isDeepStrictEqual } from "node:util";
import { type BindingObject, bindingKeyOf, readStatus } from "./binding/object";
import type { BindingStatus } from "./binding/status";

interface Written {
    readonly uid: string | undefined;
    readonly last: BindingStatus;
    /** Resource versions of the copies from which this process wrote: each says that a copy is old. */
    readonly versions: ReadonlySet<string>;
    /** Its own writes before the last one; their versions are not known. */
    readonly superseded: readonly BindingStatus[];
}

/**
 * Statuses that this process wrote last. A binding comes from the watch, which lags behind the process's own writes: a status that were made of an old one would take back the
 * time of the last change, and events would be recorded twice.
 */
export class WrittenStatuses {
    readonly #written = new Map<string, Written>();

    /** The binding with the status that it has in the cluster. */
    latest(binding: BindingObject): BindingObject {
        const key = bindingKeyOf(binding);
        const written = this.#written.get(key);
        if (written === undefined) return binding;
        if (written.uid === binding.metadata.uid && isOld(binding, written))
            return { ...binding, status: written.last };
        this.#written.delete(key);
        return binding;
    }

    /** Notes a status that was written. @param latest what {@link latest} has given for it */
    note(latest: BindingObject, status: BindingStatus): void {
        const key = bindingKeyOf(latest);
        const before = this.#written.get(key);
        const { uid, resourceVersion } = latest.metadata;
        this.#written.set(key, {
            uid,
            last: status,
            versions: new Set([
                ...(before?.versions ?? []),
                ...(resourceVersion === undefined ? [] : [resourceVersion]),
            ]),
            superseded: before === undefined ? [] : [...before.superseded, before.last],
        });
    }

    /** Forgets bindings that are not there any more. */
    keepOnly(bindings: ReadonlySet<string>): void {
        for (const key of this.#written.keys()) if (!bindings.has(key)) this.#written.delete(key);
    }
}

function isOld(copy: BindingObject, { versions, superseded }: Written): boolean {
    const status = readStatus(copy);
    return (
        versions.has(copy.metadata.resourceVersion ?? "") || superseded.some((one) => isDeepStrictEqual(one, status))
    );
}
