import type { ZoneMap } from "../../schema/settings";
import type { ObservedLoadBalancer, ReusedAttributes, ObservedAttributes, ReuseRequest } from "../../model/observed";

/** Something of the instance itself, rather than of what stands on it, that would change. */
export interface InstanceChange {
    /** Name of the attribute, or `tag <key>`. */
    readonly what: string;
    /** Empty = not there. */
    readonly before: string;
    readonly after: string;
}

/**
 * Every attribute and tag of the instance that the Service sets to another value.
 *
 * Only what the Service states counts. Tags are added, or get another value; those that are not named stay.
 */
export function instanceChanges(
    request: Pick<ReuseRequest, "attributes" | "additionalTags">,
    found: ObservedLoadBalancer,
): InstanceChange[] {
    const actual: Readonly<Record<string, unknown>> = { ...onlyRequested(request.attributes, found) };
    const attributes = Object.entries(request.attributes).map(([what, after]) => ({
        what,
        before: written(actual[what]),
        after: written(after),
    }));
    const tags = Object.entries(request.additionalTags).map(([key, after]) => ({
        what: `tag ${key}`,
        before: found.tags[key] ?? "",
        after,
    }));
    return [...attributes, ...tags].filter(({ before, after }) => before.toLowerCase() !== after.toLowerCase());
}

/**
 * The attributes that a Service states, as they are: in the words of the statement where both mean the same, for the cloud writes some words in lower case that it takes in
 * any.
 */
export function onlyRequested(specified: ReusedAttributes, found: ObservedAttributes): ReusedAttributes {
    const actual: Readonly<Record<string, unknown>> = {
        ...found,
        ...(specified.zoneMaps && { zoneMaps: mergeZones(specified.zoneMaps, found.zoneMaps ?? []) }),
    };
    return Object.fromEntries(
        Object.entries(specified).flatMap(([name, value]) => {
            const now = actual[name];
            return now === undefined
                ? []
                : [[name, written(now).toLowerCase() === written(value).toLowerCase() ? value : now]];
        }),
    );
}

/** An address that is not asked for may be any. */
function mergeZones(specified: readonly ZoneMap[], actual: readonly ZoneMap[]): ZoneMap[] {
    return actual.map(({ zoneId, vswitchId, privateIpv4, allocationId }) => {
        const asked = specified.find((zone) => zone.zoneId === zoneId);
        return {
            zoneId,
            vswitchId,
            ...(asked?.privateIpv4 === undefined || privateIpv4 === undefined ? {} : { privateIpv4 }),
            ...(asked?.allocationId === undefined || allocationId === undefined ? {} : { allocationId }),
        };
    });
}

/** A value as people read it; empty where there is none. Zones are written as the annotation writes them. */
function written(value: unknown): string {
    if (Array.isArray(value)) {
        return value.map((item: unknown) => (typeof item === "string" ? item : writtenZone(item as ZoneMap))).join(",");
    }
    return String(value ?? "");
}

function writtenZone({ zoneId, vswitchId, privateIpv4 = "", allocationId = "" }: ZoneMap): string {
    return `${zoneId}:${vswitchId}:${privateIpv4}:${allocationId}`.replace(/:+$/, "");
}
