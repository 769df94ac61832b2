/** Changes that a Service makes to a reused instance. */
import { compareClbAttributes } from "../../clb/compare";
import { compareNlbAttributes } from "../../nlb/compare";
import { type Attributes, type Difference, valuesOf } from "../../schema/difference";
import type { ReusedAttributes, ReuseRequest } from "../../service/reuse";
import type { ObservedInstance, ObservedLoadBalancer } from "../observed";

/** Compares the attributes and tags that the Service sets, and what changes with them. Others are the user's. */
export function compareReused(
    { attributes, additionalTags }: Pick<ReuseRequest, "attributes" | "additionalTags">,
    found: ObservedInstance,
): Difference[] {
    const desired = { ...attributes, tags: additionalTags };
    const tags = valuesOf(found.tags ?? {}, additionalTags);
    return found.kind === "nlb"
        ? compareNlbAttributes(desired, { ...found, tags })
        : compareClbAttributes(desired, { ...found, tags });
}

/** Returns the observed values of the attributes that a Service sets: as specified where they do not differ. */
export function onlyRequested<Some extends ReusedAttributes>(attributes: Some, found: ObservedInstance): Some {
    const differing = new Set(
        compareReused({ attributes, additionalTags: {} }, found).map(({ attribute }) => attribute),
    );
    const entries = Object.entries(attributes).map(([name, value]) => [
        name,
        differing.has(name) ? ({ ...found } as Attributes)[name] : (value as unknown),
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Some;
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
