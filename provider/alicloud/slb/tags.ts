import { batches } from "../http/batch";
import { list, object, readAnswer, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { tokenPages } from "../http/page";

/** Tag values by key. */
export type Tags = Readonly<Record<string, string>>;

/** What tags can be put on. */
export type TaggedType = "instance" | "vservergroup" | "acl" | "certificate";

/** Most tags in one call. */
const PER_CALL = 20;

const TAG_PAGE = object({ TagResources: list(object({ TagKey: text, TagValue: text }), "TagResource") });

/** All tags of one resource (ListTagResources, every page). A resource that does not exist has none. */
export async function listTags(cloud: Cloud, type: TaggedType, id: string): Promise<Tags> {
    const action = "ListTagResources";
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("slb", action, { ResourceType: type, ResourceId: [id], NextToken }),
    );
    return readTags(pages.flatMap((page) => readAnswer(action, TAG_PAGE, page).TagResources ?? []));
}

/** Sets tags, over former values of the same keys; other tags stay (TagResources, 20 a call). */
export async function setTags(cloud: Cloud, type: TaggedType, id: string, tags: Tags): Promise<void> {
    for (const batch of batches(Object.entries(tags), PER_CALL)) {
        await cloud.call("slb", "TagResources", {
            ResourceType: type,
            ResourceId: [id],
            Tag: batch.map(([Key, Value]) => ({ Key, Value })),
        });
    }
}

/** Takes tags off; keys that are not there are fine (UntagResources, 20 a call). */
export async function removeTags(cloud: Cloud, type: TaggedType, id: string, keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys, PER_CALL))
        await cloud.call("slb", "UntagResources", { ResourceType: type, ResourceId: [id], TagKey: batch });
}

/** A tag in the list form of an answer. */
export const TAG = object({ TagKey: text, TagValue: text });

/** Tags from the list form of an answer. */
export function readTags(
    items: readonly { readonly TagKey?: string | undefined; readonly TagValue?: string | undefined }[] = [],
): Tags {
    return Object.fromEntries(
        items.flatMap(({ TagKey, TagValue = "" }) => (TagKey === undefined ? [] : [[TagKey, TagValue]])),
    );
}
