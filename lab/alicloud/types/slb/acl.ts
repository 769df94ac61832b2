import type { Client } from "../../sdk/client";
import { failed, isOneOf, notFound, notFoundText, placed, providerSource, rethrowAt } from "../../sdk/errors";
import { sortedJson, type Arguments } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { TfSet, Value, ValueMap } from "../../terraform/value";
import { either, fixed, map, optional, required, set, text } from "../../terraform/shorthand";
import { plainOneOf } from "../../terraform/validators";
import type { ResourceType } from "../type";
import { goText, listOf, objectOf, valueOf } from "../values";
import { readTags, writeTagsTyped } from "./tags";

const file = "resource_alicloud_slb_acl.go";
const service = "service_alicloud_slb.go";

/** Entries per call. */
const step = 50;

const schema: SchemaMap = {
    name: text(required),
    resource_group_id: text(fixed(either)),
    ip_version: text({ ...fixed(optional), default: "ipv4", validate: plainOneOf("ipv4", "ipv6") }),
    entry_list: set(
        { entry: text(either), comment: text(either) },
        {
            ...either,
            maxItems: 300,
            deprecated:
                "Field 'entry_list' has been deprecated from provider version " +
                "1.162.0 and it will be removed in the future version. " +
                "Please use the new resource 'alicloud_slb_acl_entry_attachment'.",
        },
    ),
    tags: map(optional),
};

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "DescribeAccessControlListAttribute";
    try {
        return await client.callPatiently(action, { RegionId: client.region, AclId: id }, { autoRetry: true });
    } catch (error) {
        if (isOneOf(error, "AclNotExist"))
            throw notFound(notFoundText("SLB:Acl", id), `${service}:242`, `${providerSource}RequestId: <nil>`);
        throw failed(error, `${service}:244`, id, action);
    }
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const answer = await client.callPatiently(
        "CreateAccessControlList",
        {
            RegionId: client.region,
            ResourceGroupId: data.text("resource_group_id") || undefined,
            AclName: data.text("name").trim(),
            AddressIPVersion: data.given("ip_version") as string,
        },
        { limit: data.timeout("create"), fail: { place: `${file}:99`, subject: "alicloud_slb_acl" } },
    );
    data.id = goText(answer["AclId"]);
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    data.set("tags", await readTags(client, data.id, "acl").catch(rethrowAt(`${file}:112`)));
    let object: Answer;
    try {
        object = await describe(client, data.id);
    } catch (error) {
        // The plugin looks for the code in an error that no longer has it, so a missing list is an error.
        if (isOneOf(error, "AclNotExist")) {
            data.id = "";
            return;
        }
        throw placed(error, `${file}:122`);
    }
    data.set("name", valueOf(object["AclName"]));
    data.set("resource_group_id", valueOf(object["ResourceGroupId"]));
    data.set("ip_version", valueOf(object["AddressIPVersion"]));
    const entries = objectOf(object["AclEntrys"])["AclEntry"];
    if (Array.isArray(entries)) {
        data.set(
            "entry_list",
            listOf(entries).map((entry): ValueMap => ({
                comment: valueOf(entry["AclEntryComment"]),
                entry: valueOf(entry["AclEntryIP"]),
            })),
        );
    }
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    const call = (action: string, line: number, parameters: Arguments): Promise<Answer> =>
        client.callPatiently(
            action,
            { AclId: data.id, RegionId: client.region, ...parameters },
            { limit: data.timeout("update"), fail: { place: `${file}:${line}`, subject: data.id } },
        );
    if (data.hasChange("tags")) await writeTagsTyped(data, client, "acl").catch(rethrowAt(`${file}:157`));
    if (!data.isNewResource && data.hasChange("name")) {
        await call("SetAccessControlListAttribute", 185, { AclName: data.given("name") as string });
        data.done("name");
    }
    if (data.hasChange("entry_list")) {
        const [before, after] = data.change("entry_list") as [TfSet, TfSet];
        for (const AclEntrys of slices(before.difference(after).list()))
            await call("RemoveAccessControlListEntry", 224, { AclEntrys });
        for (const AclEntrys of slices(after.difference(before).list()))
            await call("AddAccessControlListEntry", 256, { AclEntrys });
        data.done("entry_list");
    }
    data.partial(false);
    await read(data, client);
}

function slices(entries: Value[]): string[] {
    const result: string[] = [];
    for (let i = 0; i < entries.length; i += step) {
        result.push(
            sortedJson((entries.slice(i, i + step) as ValueMap[]).map(({ comment, entry }) => ({ comment, entry }))),
        );
    }
    return result;
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "DeleteAccessControlList";
    try {
        await client.callPatiently(
            action,
            { AclId: data.id, RegionId: client.region },
            { limit: data.timeout("delete") },
        );
    } catch (error) {
        if (!isOneOf(error, "AclNotExist")) throw failed(error, `${file}:294`, data.id, action);
    }
}

export const acl: ResourceType = { token: "alicloud:slb/acl:Acl", schema, create, read, update, delete: remove };
