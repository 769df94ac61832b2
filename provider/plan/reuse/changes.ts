import type { ObservedAttributes, ObservedLoadBalancer } from "../../schema/observed";
import type { ReusedAttributes, ReuseRequest } from "../../service/reuse";
import { defined } from "../../schema/defined";
import type { ZoneMap } from "../../schema/settings";

/** Change of an attribute or tag of the instance. */
export interface InstanceChange {
    /** Name of the attribute, or `tag <key>`. */
    readonly what: string;
    /** Empty if it does not exist. */
    readonly before: string;
    readonly after: string;
}

/** Returns the attributes and tags of the instance that the Service sets to another value. */
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
 * Returns the observed values of the attributes that a Service sets. A value that differs only in case is returned as
 * specified: the cloud writes some values in lower case.
 */
export function onlyRequested(specified: ReusedAttributes, found: ObservedAttributes): ReusedAttributes {
    const actual: Readonly<Record<string, unknown>> = {
        ...found,
        ...(specified.zoneMaps && { zoneMaps: mergeZones(specified.zoneMaps, found.zoneMaps ?? []) }),
    };
    return Object.fromEntries(
        Object.entries(specified).flatMap(([name, value]) => {
            const now = actual[name];
            if (now === undefined) return [];
            return [[name, written(now).toLowerCase() === written(value).toLowerCase() ? value : now]];
        }),
    );
}

/** Addresses count only where they are specified. */
function mergeZones(specified: readonly ZoneMap[], actual: readonly ZoneMap[]): ZoneMap[] {
    return actual.map(({ zoneId, vswitchId, ...addresses }) => {
        const asked = specified.find((zone) => zone.zoneId === zoneId);
        return {
            zoneId,
            vswitchId,
            ...defined({
                privateIpv4: asked?.privateIpv4 === undefined ? undefined : addresses.privateIpv4,
                allocationId: asked?.allocationId === undefined ? undefined : addresses.allocationId,
            }),
        };
    });
}

/** Value as the annotation writes it; empty if there is none. */
function written(value: unknown): string {
    if (!Array.isArray(value)) return String(value ?? "");
    return value.map((item: unknown) => (typeof item === "string" ? item : writtenZone(item as ZoneMap))).join(",");
}

function writtenZone({ zoneId, vswitchId, privateIpv4 = "", allocationId = "" }: ZoneMap): string {
    return `${zoneId}:${vswitchId}:${privateIpv4}:${allocationId}`.replace(/:+$/, "");
}
