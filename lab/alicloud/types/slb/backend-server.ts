import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, placed } from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { TfSet, Value, ValueMap } from "../../terraform/value";
import { either, fixed, flag, optional, required, set, text, whole } from "../../terraform/shorthand";
import { plainBetween, plainOneOf } from "../../terraform/validators";
import type { ResourceType } from "../type";
import { listOf, numberOf, objectOf, textOf } from "../values";
import { callForServers, memberText, slices } from "./default-servers";
import { describeLoadBalancer, isGoneUnlessProtected } from "./describe-load-balancer";

const file = "resource_alicloud_slb_backend_server.go";

const schema: SchemaMap = {
    load_balancer_id: text(fixed(required)),
    backend_servers: set(
        {
            server_id: text(required),
            weight: whole({ ...required, validate: plainBetween(0, 100) }),
            type: text({ ...optional, default: "ecs", validate: plainOneOf("eni", "ecs", "eci") }),
            server_ip: text(either),
        },
        optional,
    ),
    delete_protection_validation: flag({ ...optional, default: false }),
};

const serversOf = (value: Value): ValueMap[] => (value as TfSet).list() as ValueMap[];
const textOfAll = (servers: ValueMap[]): string =>
    servers.length === 0 ? "" : `[${servers.map((server) => memberText(server, true)).join(",")}]`;

async function create(data: ResourceData, client: Client): Promise<void> {
    const action = "AddBackendServers";
    try {
        const answer = await retry(
            client.clock,
            { limit: 300, when: (error) => isOneOf(error, "ServiceIsConfiguring") },
            () =>
                client.typed(action, {
                    LoadBalancerId: data.text("load_balancer_id"),
                    BackendServers: textOfAll(serversOf(data.get("backend_servers"))),
                }),
        );
        data.id = textOf(answer["LoadBalancerId"]);
    } catch (error) {
        throw failed(error, `${file}:92`, "alicloud_slb_backend_servers", action);
    }
    await read(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    let object: Answer;
    try {
        object = await describeLoadBalancer(client, data.id);
    } catch (error) {
        if (isNotFound(error)) {
            data.id = "";
            return;
        }
        throw placed(error, `${file}:111`);
    }
    data.set("load_balancer_id", textOf(object["LoadBalancerId"]));
    data.set(
        "backend_servers",
        listOf(objectOf(object["BackendServers"])["BackendServer"]).map((server): ValueMap => ({
            server_id: textOf(server["ServerId"]),
            weight: numberOf(server["Weight"]),
            type: textOf(server["Type"]),
            server_ip: textOf(server["ServerIp"]),
        })),
    );
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    if (data.hasChange("backend_servers")) {
        const [before, after] = data.change("backend_servers") as [TfSet, TfSet];
        const [gone, come] = [
            before.difference(after).list() as ValueMap[],
            after.difference(before).list() as ValueMap[],
        ];
        const ids = (servers: ValueMap[]): Set<Value> => new Set(servers.map((server) => server["server_id"]));
        const [oldIds, newIds] = [ids(gone), ids(come)];
        const removed = gone
            .filter((server) => !newIds.has(server["server_id"]))
            .map((server) => memberText(server, false));
        const added = come
            .filter((server) => !oldIds.has(server["server_id"]))
            .map((server) => memberText(server, true));
        const kept = serversOf(data.get("backend_servers"))
            .filter((server) => oldIds.has(server["server_id"]) && newIds.has(server["server_id"]))
            .map((server) => memberText(server, true));
        const send = async (action: string, line: number, members: string[], reusesRequest: boolean): Promise<void> => {
            if (members.length === 0) return;
            for (const slice of slices(members, reusesRequest)) {
                await callForServers(client, data.id, action, `${file}:${line}`, slice);
                data.done("backend_servers");
            }
        };
        await send("RemoveBackendServers", 184, removed, true);
        await send("AddBackendServers", 224, added, true);
        await send("SetBackendServers", 265, kept, false);
    }
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const servers = serversOf(data.get("backend_servers"));
    if (servers.length === 0) return;
    const gone =
        data.flag("delete_protection_validation") &&
        (await isGoneUnlessProtected(client, {
            loadBalancerId: data.id,
            file,
            lines: [290, 293],
            refusal: `Current backend servers' SLB Instance ${data.id} has enabled DeleteProtection. Please set delete_protection_validation to false to delete the resource.`,
        }));
    if (gone) return;
    const action = "RemoveBackendServers";
    for (const BackendServers of slices(
        servers.map((server) => memberText(server, false)),
        true,
    )) {
        try {
            await retry(
                client.clock,
                { limit: 300, when: (error) => isOneOf(error, "RspoolVipExist", "ObtainIpFail", "ServiceIsStopping") },
                () => client.typed(action, { LoadBalancerId: data.id, BackendServers }),
            );
        } catch (error) {
            throw failed(error, `${file}:335`, data.id, action);
        }
    }
}

export const backendServer: ResourceType = {
    token: "alicloud:slb/backendServer:BackendServer",
    schema,
    create,
    read,
    update,
    delete: remove,
};
