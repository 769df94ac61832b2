/** Difference between the present and the desired backends of a server group. */
import { type Backend, type Backends, formatBackendKey } from "../schema/backend";
import type { Differing } from "../schema/difference";
import { sameOwner } from "../schema/names";

/** Changes of the backends of a group, in order: add, update, remove. Capacity never dips. */
export interface GroupDifference {
    readonly add: readonly Backend[];
    readonly update: readonly Backend[];
    readonly remove: readonly Backend[];
}

export interface DiffOptions {
    /** Keeps the weights of present backends. Source: "Configure CLB using annotations", ignore-weight-update. */
    readonly ignoreWeights?: boolean;
    /** Writes all backends again, because the ownership mark has changed. */
    readonly remark?: boolean;
}

/**
 * Returns the changes from the present to the desired backends. A backend is identified by address and port: after a
 * change of the nodePort, a node is added on the new port before it is removed from the old port.
 */
export function diffBackends(
    present: readonly Backend[],
    desired: readonly Backend[],
    { ignoreWeights, remark }: DiffOptions = {},
): GroupDifference {
    const before = byKey(present);
    const after = byKey(ignoreWeights ? keepWeights(present, desired) : desired);
    return {
        add: [...after].filter(([key]) => !before.has(key)).map(([, backend]) => backend),
        update: [...after].flatMap(([key, backend]) => {
            const known = before.get(key);
            return known !== undefined && (remark || known.weight !== backend.weight) ? [backend] : [];
        }),
        remove: [...before].filter(([key]) => !after.has(key)).map(([, backend]) => backend),
    };
}

/** Returns the desired backends with the weights of the present backends. */
export function keepWeights(present: readonly Backend[], desired: readonly Backend[]): Backend[] {
    const before = byKey(present);
    return desired.map((one) => ({ ...one, weight: before.get(formatBackendKey(one))?.weight ?? one.weight }));
}

/**
 * Returns the desired backends of a map, with the weights of those that are present. A write produces these where
 * weights are ignored.
 */
export const keepMappedWeights = (present: Backends, desired: Backends): Backends =>
    Object.fromEntries(Object.entries(desired).map(([key, backend]) => [key, present[key] ?? backend]));

const byKey = (backends: readonly Backend[]) => new Map(backends.map((one) => [formatBackendKey(one), one]));

export const isEmpty = ({ add, update, remove }: GroupDifference): boolean =>
    add.length + update.length + remove.length === 0;

/** Returns the backends with an ownership mark. User-managed backends are never recorded, changed or removed. */
export const managed = (backends: readonly Backend[], mark: string): Backend[] =>
    backends.filter((backend) => sameOwner(backend.mark, mark));

/** Returns the backends of a group that differ, one line each. */
export function diffBackendMaps(desired: Backends, observed: Backends, ignoreWeights: boolean): Differing[] {
    const wanted = ignoreWeights ? keepMappedWeights(observed, desired) : desired;
    const text = (backend: Backends[string] | undefined): string => (backend ? `weight ${backend.weight}` : "-");
    return [...new Set([...Object.keys(wanted), ...Object.keys(observed)])]
        .sort()
        .map((key) => ({ attribute: `backend ${key}`, observed: text(observed[key]), desired: text(wanted[key]) }))
        .filter((one) => one.observed !== one.desired);
}
