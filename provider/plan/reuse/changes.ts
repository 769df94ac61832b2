import type { ExistingInstance, InstanceAttributes, ReuseWish } from "../../model/instance";

/** Something of the instance itself, rather than of what stands on it, that would change. */
export interface InstanceChange {
    /** Name of the attribute, or `tag <key>`. */
    readonly what: string;
    /** Empty = not there. */
    readonly before: string;
    readonly after: string;
}

/**
 * Every attribute and tag of the instance that the Service sets to something else than it is.
 *
 * Only what the Service states counts. Tags are added, or get another value; those that are not named stay.
 */
export function instanceChanges(wish: Pick<ReuseWish, "attributes" | "additionalTags">, found: ExistingInstance): InstanceChange[] {
    const actual: Record<keyof InstanceAttributes, string | number | undefined> = {
        name: found.name,
        instanceChargeType: found.instanceChargeType,
        spec: found.spec,
        internetChargeType: found.internetChargeType,
        bandwidth: found.bandwidth,
        deleteProtection: found.deleteProtection,
        modificationProtection: found.modificationProtection,
    };
    const attributes = Object.entries(wish.attributes).map(([what, after]) => ({ what, before: String(actual[what as keyof InstanceAttributes] ?? ""), after: String(after) }));
    const tags = Object.entries(wish.additionalTags).map(([key, after]) => ({ what: `tag ${key}`, before: found.tags[key] ?? "", after }));
    return [...attributes, ...tags].filter(({ before, after }) => before.toLowerCase() !== after.toLowerCase());
}
