import type { ObservedLoadBalancer, ReuseRequest } from "../../model/observed";
import { type RecordedReuse, recordedRequest } from "./recorded";

/** Tags of a reused instance as they were before a Service first set them; one without a value was not there. */
export type FormerTags = Readonly<Record<string, { readonly value?: string }>>;

/** What a run records of a Service's use of an instance. */
export interface RecordedTags {
    readonly reuse?: RecordedReuse;
    readonly formerTags?: FormerTags;
}

/** What a run asks of an instance, and what there is. */
interface TagsNow {
    readonly reuse?: { readonly request: ReuseRequest; readonly found?: ObservedLoadBalancer };
}

/**
 * What the tags that a Service asks for were before, for a run to record before it sets the first of them: of a run that is killed in between, the cloud would know the
 * Service's values alone. What was recorded stays as long as the Service asks for the tag; tags that a version without this record has set are left out.
 *
 * @returns undefined where there is nothing to record
 */
export function formerTags(recorded: RecordedTags, { reuse }: TagsNow): FormerTags | undefined {
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
