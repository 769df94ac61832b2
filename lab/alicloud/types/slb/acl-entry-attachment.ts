import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, notFound, notFoundText, placed } from "../../sdk/errors";
import { sortedJson } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import { fixed, optional, required, text } from "../../terraform/shorthand";
import type { ResourceType } from "../type";
import { goText, idParts, listOf, need, valueOf } from "../values";

const file = "resource_alicloud_slb_acl_entry_attachment.go";
const service = "service_alicloud_slb.go";

const schema: SchemaMap = {
    acl_id: text(fixed(required)),
    entry: text(fixed(required)),
    comment: text(fixed(optional)),
};

async function describe(client: Client, id: string): Promise<Answer> {
    let parts: string[];
    try {
        parts = idParts(id, 2);
    } catch (error) {
        throw placed(error, `${service}:1088`);
    }
    const action = "DescribeAccessControlListAttribute";
    let answer: Answer;
    try {
        answer = await client.callPatiently(action, { RegionId: client.region, AclId: parts[0] }, { autoRetry: true });
    } catch (error) {
        if (isOneOf(error, "AclNotExist"))
            throw notFound(notFoundText("SLB", id), `${service}:1112`, "Response: map[]");
        throw failed(error, `${service}:1114`, id, action);
    }
    const entries = listOf(need(answer, "$.AclEntrys.AclEntry", `${service}:1118`, id));
    const found = entries.find((entry) => goText(entry["AclEntryIP"]) === parts[1]);
    if (found !== undefined) return found;
    throw notFound(
        notFoundText("SLB", id),
        `${service}:${entries.length === 0 ? 1121 : 1130}`,
        `Response: ${goText(answer)}`,
    );
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const entry = { entry: data.text("entry"), comment: data.given("comment") };
    await client.callPatiently(
        "AddAccessControlListEntry",
        { AclId: data.text("acl_id"), RegionId: client.region, AclEntrys: sortedJson([entry]) },
        {
            limit: data.timeout("update"),
            also: ["AclEntryProcessing"],
            fail: { place: `${file}:82`, subject: "alicloud_slb_acl_entry_attachment" },
        },
    );
    data.id = `${data.text("acl_id")}:${entry.entry}`;
    await read(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let object: Answer;
    try {
        object = await describe(client, data.id);
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, `${file}:99`);
    }
    const [aclId, entry] = data.id.split(":");
    data.set("acl_id", aclId);
    data.set("entry", entry);
    data.set("comment", valueOf(object["AclEntryComment"]));
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    let parts: string[];
    try {
        parts = idParts(data.id, 2);
    } catch (error) {
        throw placed(error, `${file}:121`);
    }
    const action = "RemoveAccessControlListEntry";
    try {
        await client.callPatiently(
            action,
            { AclId: parts[0], RegionId: client.region, AclEntrys: sortedJson([{ entry: parts[1] }]) },
            { limit: data.timeout("update"), also: ["AclEntryProcessing"] },
        );
    } catch (error) {
        if (!isOneOf(error, "AclEntryEmpty")) throw failed(error, `${file}:154`, data.id, action);
    }
}

export const aclEntryAttachment: ResourceType = {
    token: "alicloud:slb/aclEntryAttachment:AclEntryAttachment",
    schema,
    timeouts: { create: 300, delete: 300 },
    create,
    read,
    delete: remove,
};
