import type { ObservedLoadBalancer } from "../../schema/observed";
import type { ReuseRequest } from "../../service/reuse";

/** Tags of a reused instance before a Service first set them; one without a value did not exist. */
export type FormerTags = Readonly<Record<string, { readonly value?: string }>>;

/** Reuse in the state of a contract. States of version 0.1 have the request as `wish`. */
interface RecordedReuse {
    readonly request?: ReuseRequest;
    readonly wish?: ReuseRequest;
    /** Absent if there was no such instance. */
    readonly found?: ObservedLoadBalancer;
}

/** Returns the recorded request; undefined if no instance was reused. */
export const recordedRequest = (reuse: RecordedReuse | undefined): ReuseRequest | undefined =>
    reuse?.request ?? reuse?.wish;

/** Tags and reuse in the state of a contract. */
export interface RecordedTags {
    readonly reuse?: RecordedReuse;
    readonly formerTags?: FormerTags;
}

/**
 * Returns the former values of a Service's tags, to be recorded before the first is set.
 *
 * A recorded value stays while the Service sets the tag. Tags that a version without this record set are left out.
 *
 * @returns undefined if there is nothing to record
 */
export function formerTags(
    recorded: RecordedTags,
    { reuse }: { readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer } },
): FormerTags | undefined {
    if (reuse?.found === undefined) return undefined;
    const { request, found } = reuse;
    const last = recordedRequest(recorded.reuse);
    const same = last?.loadBalancerId === request.loadBalancerId;
    const kept = Object.keys(request.additionalTags).flatMap((key): [string, { value?: string }][] => {
        const known = same ? recorded.formerTags?.[key] : undefined;
        if (known !== undefined) return [[key, known]];
        if (same && last.additionalTags[key] !== undefined) return [];
        const value = found.tags[key];
        return [[key, value === undefined ? {} : { value }]];
    });
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
