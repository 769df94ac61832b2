import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, notFound, notFoundText, placed } from "../../sdk/errors";
import { sortedJson } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { Value } from "../../terraform/value";
import { either, fixed, required, text, whole } from "../../terraform/shorthand";
import { between, oneOf } from "../../terraform/validators";
import { readable } from "../readable";
import type { ResourceType } from "../type";
import { goText, idParts, listOf, need, numberOf, valueOf } from "../values";

const file = "resource_alicloud_slb_server_group_server_attachment.go";
const service = "service_alicloud_slb.go";

const schema: SchemaMap = {
    server_group_id: text(fixed(required)),
    server_id: text(fixed(required)),
    port: whole({ ...fixed(required), validate: between(1, 65535) }),
    type: text({ ...fixed(either), validate: oneOf("ecs", "eni", "eci") }),
    weight: whole({ ...fixed(either), validate: between(0, 100) }),
    description: text(fixed(either)),
};

function parts(id: string, place: string): string[] {
    try {
        return idParts(id, 3);
    } catch (error) {
        throw placed(error, place);
    }
}

async function describe(client: Client, id: string): Promise<Answer> {
    const [groupId, serverId, port] = parts(id, `${service}:1140`);
    const action = "DescribeVServerGroupAttribute";
    let answer: Answer;
    try {
        answer = await client.callPatiently(
            action,
            { RegionId: client.region, VServerGroupId: groupId },
            { autoRetry: true },
        );
    } catch (error) {
        if (isOneOf(error, "The specified VServerGroupId does not exist", "InvalidParameter")) {
            throw notFound(notFoundText("SLB", id), `${service}:1165`, "Response: map[]");
        }
        throw failed(error, `${service}:1167`, id, action);
    }
    const servers = listOf(need(answer, "$.BackendServers.BackendServer", `${service}:1172`, id));
    const found = servers.find((server) => goText(server["ServerId"]) === serverId && goText(server["Port"]) === port);
    if (found !== undefined) return found;
    throw notFound(
        notFoundText("Slb:ServerGroupServerAttachment", id),
        `${service}:${servers.length === 0 ? 1176 : 1187}`,
        `Response: ${goText(answer)}`,
    );
}

/** Returns the one member as the API takes it. */
function member(data: ResourceData, ServerId: string, Port: Value): string {
    return sortedJson([
        {
            ServerId,
            Port,
            Type: data.given("type"),
            Weight: data.present("weight"),
            Description: data.given("description"),
        },
    ]);
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const [groupId, serverId, port] = [data.text("server_group_id"), data.text("server_id"), data.number("port")];
    await client.callPatiently(
        "AddVServerGroupBackendServers",
        { RegionId: client.region, VServerGroupId: groupId, BackendServers: member(data, serverId, port) },
        {
            limit: data.timeout("create"),
            also: ["VServerGroupProcessing", "ServiceIsStopping", "ServiceIsConfiguring"],
            fail: { place: `${file}:117`, subject: "alicloud_slb_server_group_server_attachment" },
        },
    );
    data.id = `${groupId}:${serverId}:${port}`;
    await read(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:136`, () => describe(client, data.id));
    if (object === undefined) return;
    data.set("server_group_id", data.id.split(":")[0]);
    data.set("server_id", valueOf(object["ServerId"]));
    data.set("port", numberOf(object["Port"]));
    data.set("type", valueOf(object["Type"]));
    data.set("weight", numberOf(object["Weight"]));
    data.set("description", valueOf(object["Description"]));
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const [groupId, serverId, port] = parts(data.id, `${file}:162`);
    const action = "RemoveVServerGroupBackendServers";
    try {
        await client.callPatiently(
            action,
            { RegionId: client.region, VServerGroupId: groupId, BackendServers: member(data, serverId!, port) },
            { limit: data.timeout("delete"), also: ["VServerGroupProcessing"] },
        );
    } catch (error) {
        if (!isNotFound(error)) throw failed(error, `${file}:214`, data.id, action);
    }
}

export const serverGroupServerAttachment: ResourceType = {
    token: "alicloud:slb/serverGroupServerAttachment:ServerGroupServerAttachment",
    schema,
    timeouts: { create: 300, delete: 300 },
    create,
    read,
    delete: remove,
};
