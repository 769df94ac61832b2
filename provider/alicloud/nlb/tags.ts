import { batches } from "../http/batch";
import type { Cloud } from "../http/client";
import { list, text, type Json } from "../http/json";
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

/** Tags of an object in an answer; the API calls their parts Key and Value in some answers, TagKey and TagValue in others. */
export function readNlbTags(item: Json): Tags {
    const tags: Record<string, string> = {};
    for (const tag of list(item, "Tags")) {
        const key = text(tag, "Key") ?? text(tag, "TagKey");
        if (key !== undefined) tags[key] = text(tag, "Value") ?? text(tag, "TagValue") ?? "";
    }
    return tags;
}
