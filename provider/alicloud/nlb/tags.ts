import { batches } from "../http/batch";
import { list, object, text } from "../http/answer";
import type { Cloud } from "../http/client";
import type { Tags } from "../slb/tags";

/** Most tags in one call. Source: NLB API, TagResources, Tag. */
const PER_CALL = 20;

/** Sets tags of an instance, over former values of the same keys; other tags stay (TagResources, 20 a call). */
export async function setNlbTags(cloud: Cloud, id: string, tags: Tags): Promise<void> {
    for (const batch of batches(Object.entries(tags), PER_CALL))
        await cloud.call("nlb", "TagResources", {
            ResourceType: "loadbalancer",
            ResourceId: [id],
            Tag: batch.map(([Key, Value]) => ({ Key, Value })),
        });
}

/** Takes tags off; keys that are not there are fine (UntagResources). */
export async function removeNlbTags(
    cloud: Cloud,
    type: "loadbalancer" | "servergroup",
    ids: readonly string[],
    keys: readonly string[],
): Promise<void> {
    if (ids.length > 0 && keys.length > 0)
        await cloud.call("nlb", "UntagResources", { ResourceType: type, ResourceId: ids, TagKey: keys });
}

/** Tags in an answer; the API calls their parts Key and Value in some answers, TagKey and TagValue in others. */
export const NLB_TAGS = list(object({ Key: text, TagKey: text, Value: text, TagValue: text }));

/** Those tags by key. */
export function readNlbTags(tags: ReturnType<typeof NLB_TAGS.parse> = []): Tags {
    return Object.fromEntries(
        tags.flatMap(({ Key, TagKey, Value, TagValue }) => {
            const key = Key ?? TagKey;
            return key === undefined ? [] : [[key, Value ?? TagValue ?? ""]];
        }),
    );
}
