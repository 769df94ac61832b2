/** Changes that a Service makes to a reused instance. */
import { defined } from "../../schema/defined";
import type { ObservedInstance, ObservedLoadBalancer } from "../observed";
import type { ZoneMap } from "../../schema/settings";
import type { ReusedAttributes, ReuseRequest } from "../../service/reuse";
import { type Attributes, diffAttributes, type Differing } from "../diff";

/** Attributes of an instance as a Service requests them. */
type Requested = ReusedAttributes;

/**
 * Attributes of an instance that is paid for by usage. Source: SLB API, ModifyLoadBalancerInstanceChargeType. An
 * instance whose traffic is paid for by volume reports the highest bandwidth.
 */
const BY_USAGE: ReusedAttributes = { spec: "slb.lcu.elastic", internetChargeType: "PayByTraffic", bandwidth: 5120 };

/** Returns the attributes that an instance has after a run, as far as the Service decides about them. */
const decided = (attributes: Requested, found: ObservedInstance): Requested =>
    attributes.instanceChargeType === "PayByCLCU" && found.kind === "clb" && found.instanceChargeType === "PayBySpec"
        ? { ...attributes, ...BY_USAGE }
        : attributes;

/**
 * Returns the attributes and tags of the instance that the Service sets to another value, and what goes with them. Case
 * does not count.
 */
export function instanceChanges(
    request: Pick<ReuseRequest, "additionalTags"> & { readonly attributes: ReusedAttributes },
    found: ObservedInstance & Required<Pick<ObservedInstance, "tags">>,
): Differing[] {
    const attributes = decided(request.attributes, found);
    const observed = onlyRequested(attributes, found);
    return [
        ...diffAttributes(writtenAll(attributes), writtenAll(observed)),
        ...diffAttributes(tagsOf(request.additionalTags), tagsOf(found.tags)),
    ].filter((one) => one.observed.toLowerCase() !== one.desired.toLowerCase());
}

const writtenAll = (attributes: Requested): Attributes =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, written(value)]));

const tagsOf = (tags: Readonly<Record<string, string>>): Attributes =>
    Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tag ${key}`, value]));

/**
 * Returns the observed values of the attributes that a Service sets. A value that differs only in case is returned as
 * specified: the cloud writes some values in lower case.
 */
export function onlyRequested<Some extends ReusedAttributes>(specified: Some, found: ObservedInstance): Some {
    const actual: Attributes =
        found.kind === "nlb"
            ? { ...found, zoneMaps: mergeZones(specified.zoneMaps ?? [], found.zoneMaps) }
            : { ...found };
    return Object.fromEntries(
        Object.entries(specified).flatMap(([name, value]) => {
            const now = actual[name];
            if (now === undefined) return [];
            return [[name, written(now).toLowerCase() === written(value).toLowerCase() ? value : now]];
        }),
    ) as Some;
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

/** Returns the value as the annotation writes it, empty if there is none. */
function written(value: unknown): string {
    if (!Array.isArray(value)) return String(value ?? "");
    return value.map((item: unknown) => (typeof item === "string" ? item : writtenZone(item as ZoneMap))).join(",");
}

function writtenZone({ zoneId, vswitchId, privateIpv4 = "", allocationId = "" }: ZoneMap): string {
    return `${zoneId}:${vswitchId}:${privateIpv4}:${allocationId}`.replace(/:+$/, "");
}

/** Tags of a reused instance before a Service first set them. A tag without a value did not exist. */
export type FormerTags = Readonly<Record<string, { readonly value?: string }>>;

/** Returns the tags that existed before. */
export const formerValues = (recorded: FormerTags): Readonly<Record<string, string>> =>
    Object.fromEntries(
        Object.entries(recorded).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
    );

/** Tags and reuse in the state of a contract. */
export interface RecordedTags {
    /** `found` is absent if there was no such instance. */
    readonly reuse?: { readonly request?: ReuseRequest; readonly found?: ObservedLoadBalancer };
    readonly formerTags?: FormerTags;
}

/**
 * Returns the former values of a Service's tags, to be recorded before the first is set.
 *
 * A recorded value stays while the Service sets the tag.
 *
 * @returns undefined if there is nothing to record
 */
export function formerTags(
    recorded: RecordedTags,
    { reuse }: { readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer } },
): FormerTags | undefined {
    if (reuse?.found === undefined) return undefined;
    const { request, found } = reuse;
    const last = recorded.reuse?.request;
    const same = last?.loadBalancerId === request.loadBalancerId;
    const kept = Object.keys(request.additionalTags).flatMap((key): [string, { value?: string }][] => {
        const known = same ? recorded.formerTags?.[key] : undefined;
        if (known !== undefined) return [[key, known]];
        const value = found.tags[key];
        return [[key, value === undefined ? {} : { value }]];
    });
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
