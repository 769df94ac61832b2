/** Tags of instances and access control lists of a CLB. */
import * as api from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { batches, listByToken } from "../cloud/http/page";

const TAGS_PER_CALL = 20;

const TAG = api.object({ TagKey: api.text, TagValue: api.text });

const TAGGED = { ResourceType: "instance" } as const;

/**
 * Returns the tags of an instance, or of an access control list, none if it does not exist (ListTagResources, every
 * page).
 */
export async function listTags(cloud: Cloud, id: string, ResourceType: "instance" | "acl" = "instance") {
    const field = ["TagResources", TAG, "TagResource"] as const;
    const tags = await listByToken(cloud, "slb", "ListTagResources", { ResourceType, ResourceId: [id] }, field);
    return Object.fromEntries(
        tags.flatMap(({ TagKey, TagValue = "" }) => (TagKey === undefined ? [] : [[TagKey, TagValue]])),
    ) as api.Tags;
}

/** Sets tags of an instance, and leaves other tags (TagResources, 20 a call). */
export async function setTags(cloud: Cloud, id: string, tags: api.Tags): Promise<void> {
    const pairs = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    for (const Tag of batches(pairs, TAGS_PER_CALL))
        await cloud.call("slb", "TagResources", { ...TAGGED, ResourceId: [id], Tag });
}

/** Removes tags of an instance, if it has them (UntagResources, 20 a call). */
export async function removeTags(cloud: Cloud, id: string, keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys, TAGS_PER_CALL))
        await cloud.call("slb", "UntagResources", { ...TAGGED, ResourceId: [id], TagKey: batch });
}
