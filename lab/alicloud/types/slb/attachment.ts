import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, placed, providerSource } from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { TfSet } from "../../terraform/value";
import { either, flag, optional, required, text, textSet, whole } from "../../terraform/shorthand";
import { plainBetween, plainOneOf } from "../../terraform/validators";
import type { ResourceType } from "../type";
import { listOf, numberOf, objectOf, textOf } from "../values";
import { describeLoadBalancer, isGoneUnlessProtected } from "./describe-load-balancer";
import { busyCodes } from "./listener-read";

const file = "resource_alicloud_slb_attachment.go";
const service = "service_alicloud_slb.go";

const schema: SchemaMap = {
    load_balancer_id: text(required),
    instance_ids: textSet({ ...required, maxItems: 20, minItems: 1 }),
    weight: whole({ ...optional, default: 100, validate: plainBetween(0, 100) }),
    server_type: text({ ...optional, default: "ecs", validate: plainOneOf("eni", "ecs") }),
    backend_servers: text(either),
    delete_protection_validation: flag({ ...optional, default: false }),
};

/** Servers of one weight and type as the API takes them: JSON with single quotes. */
function memberText(ids: TfSet, weight: number, type: string): string {
    const members = ids
        .list()
        .map((id) => `{'ServerId':'${String(id)}','Weight':'${weight}', 'Type': '${type.trim()}'}`);
    return members.length === 0 ? "" : `[${members.join(",")}]`;
}

const serversOf = (loadBalancer: Answer): Answer[] => listOf(objectOf(loadBalancer["BackendServers"])["BackendServer"]);

async function create(data: ResourceData, client: Client): Promise<void> {
    try {
        data.id = textOf((await describeLoadBalancer(client, data.text("load_balancer_id")))["LoadBalancerId"]);
    } catch (error) {
        throw placed(error, `${file}:74`);
    }
    await update(data, client);
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
        throw placed(error, `${file}:90`);
    }
    const servers = serversOf(object);
    const ids = servers.map((server) => textOf(server["ServerId"]));
    data.set("load_balancer_id", textOf(object["LoadBalancerId"]));
    data.set("instance_ids", ids);
    data.set("weight", numberOf(servers[0]?.["Weight"]));
    data.set("server_type", textOf(servers[0]?.["Type"]));
    data.set("backend_servers", ids.join(","));
}

async function call(
    client: Client,
    id: string,
    action: string,
    line: number,
    limit: number,
    BackendServers: string,
): Promise<void> {
    try {
        await retry(client.clock, { limit, when: (error) => isOneOf(error, ...busyCodes) }, () =>
            client.typed(action, { LoadBalancerId: id, BackendServers }),
        );
    } catch (error) {
        throw failed(error, `${file}:${line}`, id, action);
    }
}

async function update(data: ResourceData, client: Client): Promise<void> {
    const weight = data.number("weight");
    const [oldType, type] = data.change("server_type") as [string, string];
    let sets = data.hasChanges("server_type", "weight");
    if (data.hasChange("instance_ids")) {
        const [before, after] = data.change("instance_ids") as [TfSet, TfSet];
        const [gone, come] = [before.difference(after), after.difference(before)];
        if (come.size > 0) await call(client, data.id, "AddBackendServers", 154, 120, memberText(come, weight, type));
        if (gone.size > 0)
            await call(client, data.id, "RemoveBackendServers", 175, 120, memberText(gone, weight, oldType));
        sets ||= come.size === 0 && gone.size === 0;
    }
    if (sets)
        await call(
            client,
            data.id,
            "SetBackendServers",
            203,
            120,
            memberText(data.get("instance_ids") as TfSet, weight, type),
        );
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const gone =
        data.flag("delete_protection_validation") &&
        (await isGoneUnlessProtected(client, {
            loadBalancerId: data.id,
            file,
            lines: [221, 224],
            refusal: `Current SLB Instance ${data.id} has enabled DeleteProtection. Please set delete_protection_validation to false to delete the resource.`,
        }));
    if (gone) return;
    const ids = data.get("instance_ids") as TfSet;
    if (ids.size > 0) {
        await call(
            client,
            data.id,
            "RemoveBackendServers",
            249,
            180,
            memberText(ids, data.number("weight"), data.text("server_type")),
        );
    }
    try {
        await waitDetached(client, data.id, ids);
    } catch (error) {
        throw placed(error, `${file}:252`);
    }
}

/** Looks without a pause until none of the servers is there any more. */
async function waitDetached(client: Client, id: string, ids: TfSet): Promise<void> {
    const end = client.clock.now() + 120;
    for (;;) {
        let object: Answer;
        try {
            object = await describeLoadBalancer(client, id);
        } catch (error) {
            if (isNotFound(error)) return;
            throw placed(error, `${service}:391`);
        }
        if (client.clock.now() > end) {
            throw placed(
                undefined,
                `${service}:394`,
                `Resource ${id} WaitSlbAttribute Timeout In 120 Seconds. Got: Null Expected: ${id} !!! ${providerSource}`,
            );
        }
        if (!serversOf(object).some((server) => ids.has(textOf(server["ServerId"])))) return;
    }
}

export const attachment: ResourceType = {
    token: "alicloud:slb/attachment:Attachment",
    schema,
    create,
    read,
    update,
    delete: remove,
    deprecated:
        "This resource has been deprecated since v1.153.0 and will be removed in the future. Please use 'alicloud_slb_backend_server' instead.",
};
