import type { Client } from "../../sdk/client";
import { failed } from "../../sdk/errors";
import { isPassing } from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { ResourceData } from "../../terraform/data";
import type { ValueMap } from "../../terraform/value";
import { isOwnedByCloud, tagArguments, tagChanges, tagKeyArguments, tagMap } from "../tags";
import { need } from "../values";

const service = "service_alicloud_slb.go";

/** Reads the tags of an object. An answer without the list is an error. */
export async function readTags(client: Client, id: string, resourceType: string): Promise<ValueMap> {
    try {
        const answer = await client.callPatiently(
            "ListTagResources",
            { RegionId: client.region, ResourceType: resourceType, "ResourceId.1": id },
            { pauses: [3, 5] },
        );
        return tagMap(need(answer, "$.TagResources.TagResource", `${service}:835`, id));
    } catch (error) {
        throw failed(error, `${service}:843`, id, "ListTagResources");
    }
}

/** Sets changed tags by form C: those that go or change are taken off first, then all are put on. */
export async function writeTags(data: ResourceData, client: Client, resourceType: string): Promise<void> {
    if (!data.hasChange("tags")) return;
    const { desired, removed } = tagChanges(data);
    const target = { RegionId: client.region, ResourceType: resourceType, "ResourceId.1": data.id };
    const keys = removed.filter((key) => !isOwnedByCloud(key));
    const patience = (line: number) => ({
        limit: 600,
        pauses: [2, 1] as const,
        fail: { place: `${service}:${line}`, subject: data.id },
    });
    if (keys.length > 0)
        await client.callPatiently("UntagResources", { ...target, ...tagKeyArguments(keys) }, patience(892));
    if (desired.length > 0)
        await client.callPatiently("TagResources", { ...target, ...tagArguments(desired) }, patience(924));
    data.done("tags");
}

/** Writes tags as {@link writeTags} does, but by form A and without sparing the cloud's own tags. */
export async function writeTagsTyped(data: ResourceData, client: Client, resourceType: string): Promise<void> {
    const { desired, removed } = tagChanges(data);
    const target = { RegionId: client.region, ResourceType: resourceType, "ResourceId.1": data.id };
    const call = async (action: string, line: number, parameters: Record<string, string>): Promise<void> => {
        try {
            await retry(client.clock, { limit: 600, pauses: [1, 1], when: isPassing }, () =>
                client.typed(action, { ...target, ...parameters }),
            );
        } catch (error) {
            throw failed(error, `${service}:${line}`, data.id, action);
        }
    };
    if (removed.length > 0) await call("UntagResources", 718, tagKeyArguments(removed));
    if (desired.length > 0) await call("TagResources", 746, tagArguments(desired));
    data.done("tags");
}
