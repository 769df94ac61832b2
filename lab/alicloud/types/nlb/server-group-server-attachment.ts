import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, placed } from "../../sdk/errors";
import type { Argument, Arguments } from "../../sdk/flatten";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import { either, fixed, optional, output, required, text, whole } from "../../terraform/shorthand";
import type { ResourceType } from "../type";
import { goText, valueOf } from "../values";
import { call, missing, needSome, readable, service, stateOf } from "./common";

const file = "resource_alicloud_nlb_server_group_server_attachment.go";

const schema: SchemaMap = {
    description: text(optional),
    port: whole(fixed(either)),
    server_group_id: text(fixed(required)),
    server_id: text(fixed(required)),
    server_ip: text(fixed(either)),
    server_type: text(fixed(required)),
    status: text(output),
    weight: whole(either),
    zone_id: text(output),
};

interface Key {
    readonly group: string;
    readonly server: string;
    /** Ids of older versions have none. */
    readonly ip: string | undefined;
    readonly type: string;
    readonly port: string;
}

/** `<group>_<server>_<ip>_<type>_<port>`, earlier `<group>:<server>:<type>:<port>`. */
function keyOf(id: string): Key {
    const [group = "", server = "", ip = "", type = "", port = "", more] = id.split("_");
    if (id.split("_").length === 5 && more === undefined) return { group, server, ip, type, port };
    const old = id.split(":");
    if (old.length !== 4)
        throw placed(
            new Error(`invalid Resource Id ${id}. Expected parts' length 4, got ${old.length}`),
            `${file}:344`,
        );
    return { group: old[0]!, server: old[1]!, ip: undefined, type: old[2]!, port: old[3]! };
}

async function describe(client: Client, id: string): Promise<Answer> {
    const key = keyOf(id);
    const isOld = key.ip === undefined;
    const source = isOld ? file : service;
    const answer = await call(
        client,
        "ListServerGroupServers",
        {
            ServerGroupId: key.group,
            "ServerIds.1": key.server,
            "ServerIps.1": key.ip === "" ? undefined : key.ip,
        },
        { token: false, fail: { place: `${source}:${isOld ? 369 : 606}`, subject: id } },
    );
    const servers = needSome(answer, "Servers", "ServerGroupServerAttachment", id, [611, 615]);
    const found = servers.find(
        (server) =>
            goText(server["Port"]) === key.port &&
            goText(server["ServerType"]) === key.type &&
            (!isOld || (server["ServerGroupId"] === key.group && server["ServerId"] === key.server)),
    );
    if (found === undefined) throw missing("ServerGroupServerAttachment", id, `${source}:${isOld ? 398 : 629}`, answer);
    return found;
}

const wait = (data: ResourceData, client: Client, target: string, line: number, limit: number): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${line}`, {
        target: [target],
        limit,
        delay: 5,
        look: () => stateOf(() => describe(client, data.id), "Status", 639),
    });

/** The one server that a call is about. */
function serverOf(data: ResourceData): Arguments {
    const key = keyOf(data.id);
    return {
        ServerId: key.server,
        ServerType: key.type,
        Port: key.port,
        ServerIp: key.ip ?? (data.given("server_ip") as string | undefined),
    };
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const server: { [name: string]: Argument } = {
        ServerId: data.text("server_id"),
        ServerType: data.text("server_type"),
        ServerIp: data.text("server_ip"),
        Port: data.number("port"),
        Weight: data.present("weight") as number | undefined,
        Description: data.given("description") as string | undefined,
    };
    const answer = await call(
        client,
        "AddServersToServerGroup",
        { ServerGroupId: data.text("server_group_id"), Servers: [server] },
        {
            limit: data.timeout("create"),
            also: ["IncorrectStatus.serverGroup", "OperationFailed.ResourceIsConfiguring", "Conflict.Lock"],
            fail: { place: `${file}:148`, subject: "alicloud_nlb_server_group_server_attachment" },
        },
    );
    data.id = [answer["ServerGroupId"], server["ServerId"], server["ServerIp"], server["ServerType"], server["Port"]]
        .map(goText)
        .join("_");
    await wait(data, client, "Available", 160, data.timeout("create"));
    await read(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:177`, () => describe(client, data.id));
    if (object === undefined) return;
    const fields = {
        description: "Description",
        status: "Status",
        weight: "Weight",
        zone_id: "ZoneId",
        port: "Port",
        server_group_id: "ServerGroupId",
        server_id: "ServerId",
        server_ip: "ServerIp",
        server_type: "ServerType",
    };
    for (const [attribute, field] of Object.entries(fields)) data.set(attribute, valueOf(object[field]));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    if (data.hasChanges("weight", "description")) {
        const server: Arguments = {
            ...serverOf(data),
            Weight: data.present("weight") as number | undefined,
            Description: data.given("description") as string | undefined,
        };
        await call(
            client,
            "UpdateServerGroupServersAttribute",
            { ServerGroupId: keyOf(data.id).group, Servers: [server] },
            {
                limit: data.timeout("update"),
                also: [
                    "IncorrectStatus.serverGroup",
                    "Conflict.Lock",
                    "SystemBusy",
                    "OperationFailed.ResourceIsConfiguring",
                ],
                fail: { place: `${file}:262`, subject: data.id },
            },
        );
        await wait(data, client, "Available", 267, data.timeout("update"));
    }
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "RemoveServersFromServerGroup";
    try {
        await call(
            client,
            action,
            { ServerGroupId: keyOf(data.id).group, Servers: [serverOf(data)] },
            { limit: data.timeout("delete"), also: ["IncorrectStatus.serverGroup", "Conflict.Lock"] },
        );
    } catch (error) {
        if (isNotFound(error) || isOneOf(error, "ResourceNotFound.serverGroup", "ResourceNotFound.BackendServer"))
            return;
        throw failed(error, `${file}:326`, data.id, action);
    }
    await wait(data, client, "", 332, data.timeout("delete"));
}

export const nlbServerGroupServerAttachment: ResourceType = {
    token: "alicloud:nlb/serverGroupServerAttachment:ServerGroupServerAttachment",
    schema,
    timeouts: { create: 300, update: 300, delete: 300 },
    create,
    read,
    update,
    delete: remove,
};
