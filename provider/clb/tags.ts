/** Tags of a CLB. */
import { object, list, readAnswer, type Tags, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { batches, tokenItems } from "../cloud/http/page";

const PER_CALL = 20;

const TAG_PAGE = object({ TagResources: list(object({ TagKey: text, TagValue: text }), "TagResource") });

const INSTANCE = { ResourceType: "instance" } as const;

/** Returns the tags of an instance; none if it does not exist (ListTagResources, every page). */
export async function listTags(cloud: Cloud, id: string): Promise<Tags> {
    const action = "ListTagResources";
    const tags = await tokenItems(
        action,
        (NextToken) => cloud.call("slb", action, { ...INSTANCE, ResourceId: [id], NextToken }),
        (page) => readAnswer(action, TAG_PAGE, page).TagResources ?? [],
    );
    return Object.fromEntries(
        tags.flatMap(({ TagKey, TagValue = "" }) => (TagKey === undefined ? [] : [[TagKey, TagValue]])),
    );
}

/** Sets tags of an instance; other tags stay (TagResources, 20 a call). */
export async function setTags(cloud: Cloud, id: string, tags: Tags): Promise<void> {
    for (const batch of batches(Object.entries(tags), PER_CALL)) {
        const Tag = batch.map(([Key, Value]) => ({ Key, Value }));
        await cloud.call("slb", "TagResources", { ...INSTANCE, ResourceId: [id], Tag });
    }
}

/** Removes tags of an instance, if it has them (UntagResources, 20 a call). */
export async function removeTags(cloud: Cloud, id: string, keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys, PER_CALL))
        await cloud.call("slb", "UntagResources", { ...INSTANCE, ResourceId: [id], TagKey: batch });
}
