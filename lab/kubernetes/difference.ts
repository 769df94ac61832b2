import { fromCheckpoint, prune } from "./checkpoint";
import { changesOf, isBelow, parsePath, type PropertyChange } from "./diff";
import { forceNewPaths, type Mutability } from "./force-new";
import {
    hasKnownName,
    isAutonamed,
    nameOf,
    namespaceOf,
    withMetadata,
    withoutReadOnly,
    type ObjectType,
} from "./objects";
import { plain, type JsonMap } from "./properties";

export interface Difference {
    readonly changes: Map<string, PropertyChange>;
    readonly replaces: string[];
    readonly deleteBeforeReplace: boolean;
}

/** Compares the object that a program wants with the part of the live object that the program has set. */
export function differenceOf(
    type: ObjectType,
    namespaced: boolean,
    state: JsonMap,
    newInputs: JsonMap,
    ignored: readonly string[],
    mutability: Mutability,
): Difference {
    const checkpoint = fromCheckpoint(state);
    const scoped = (object: JsonMap): JsonMap =>
        withMetadata(object, { namespace: namespaced ? namespaceOf(object) || "default" : null });
    const desired = scoped(withoutReadOnly(plain(newInputs)));
    let live = scoped(prune(checkpoint.live, withoutReadOnly(checkpoint.inputs)));
    if (live["apiVersion"] === undefined) live = { ...live, apiVersion: type.apiVersion, kind: type.kind };
    if (hasKnownName(desired)) live = withMetadata(live, { name: nameOf(checkpoint.live) });
    const changes = changesOf(live, desired, forceNewPaths(type, mutability));
    for (const prefix of ignored.map(parsePath)) {
        for (const path of [...changes.keys()]) if (isBelow(parsePath(path), prefix)) changes.delete(path);
    }
    const replaces = [...changes]
        .filter(([path, { kind }]) => kind.endsWith("_REPLACE") || (kind === "DELETE" && path === "metadata"))
        .map(([path]) => path);
    const keepsName =
        hasKnownName(desired) &&
        !isAutonamed(desired) &&
        nameOf(desired) === nameOf(checkpoint.live) &&
        namespaceOf(desired) === namespaceOf(scoped(checkpoint.live));
    return { changes, replaces, deleteBeforeReplace: replaces.length > 0 && keepsName };
}
