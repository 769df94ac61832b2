import type { Client } from "../../sdk/client";
import {
    failed,
    isNotFound,
    isOneOf,
    notFound,
    notFoundText,
    placed,
    providerSource,
    sdkSource,
} from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { TfSet, ValueMap } from "../../terraform/value";
import { fixed, flag, optional, required, set, text, whole } from "../../terraform/shorthand";
import { plainBetween, plainNumberOf, plainOneOf } from "../../terraform/validators";
import type { ResourceType } from "../type";
import { listOf, numberOf, objectOf, textOf } from "../values";
import { isGoneUnlessProtected } from "./describe-load-balancer";

const file = "resource_alicloud_slb_master_slave_server_group.go";
const service = "service_alicloud_slb.go";
const missingCodes = ["The specified MasterSlaveGroupId does not exist", "InvalidParameter"] as const;

const schema: SchemaMap = {
    load_balancer_id: text(fixed(required)),
    name: text(fixed(required)),
    servers: set(
        {
            server_id: text(required),
            port: whole({ ...required, validate: plainBetween(1, 65535) }),
            weight: whole({ ...optional, default: 100, validate: plainBetween(0, 100) }),
            type: text({ ...optional, default: "ecs", validate: plainOneOf("eni", "ecs") }),
            server_type: text({ ...optional, validate: plainOneOf("Master", "Slave") }),
            is_backup: whole({
                ...optional,
                validate: plainNumberOf(0, 1),
                removed: "Field 'is_backup' has been removed from provider version 1.63.0.",
            }),
        },
        { ...fixed(optional), maxItems: 2, minItems: 2 },
    ),
    delete_protection_validation: flag({ ...optional, default: false }),
};

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "DescribeMasterSlaveServerGroupAttribute";
    let answer: Answer;
    try {
        answer = await client.typed(action, { MasterSlaveServerGroupId: id });
    } catch (error) {
        if (isOneOf(error, ...missingCodes)) throw notFound(error, `${service}:139`, sdkSource);
        throw placed(
            error,
            `${service}:141`,
            `\n*************** ${id} Response *************** \n${action}\n${sdkSource}******************************\n\n`,
        );
    }
    if (textOf(answer["MasterSlaveServerGroupId"]) === "")
        throw notFound(notFoundText("SlbMasterSlaveServerGroup", id), `${service}:146`, providerSource);
    return answer;
}

/** The members as the API takes them: JSON with single quotes. */
function memberText(servers: TfSet): string {
    const members = (servers.list() as ValueMap[]).map(
        (server) =>
            `{'ServerId':'${String(server["server_id"]).trim()}','Port':'${String(server["port"])}',` +
            `'Weight':'${String(server["weight"])}', 'Type': '${String(server["type"]).trim()}', 'ServerType': '${String(server["server_type"]).trim()}',` +
            ` 'IsBackup':'${String(server["is_backup"])}'}`,
    );
    return members.length === 0 ? "" : `[${members.join(",")}]`;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const action = "CreateMasterSlaveServerGroup";
    try {
        const answer = await client.typed(action, {
            LoadBalancerId: data.text("load_balancer_id"),
            MasterSlaveServerGroupName: data.given("name") as string,
            MasterSlaveBackendServers: memberText(data.get("servers") as TfSet),
        });
        data.id = textOf(answer["MasterSlaveServerGroupId"]);
    } catch (error) {
        throw failed(error, `${file}:104`, "alicloud_slb_master_slave_server_group", action);
    }
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
        throw placed(error, `${file}:123`);
    }
    data.set("name", textOf(object["MasterSlaveServerGroupName"]));
    data.set("load_balancer_id", textOf(object["LoadBalancerId"]));
    data.set(
        "servers",
        listOf(objectOf(object["MasterSlaveBackendServers"])["MasterSlaveBackendServer"]).map((server): ValueMap => ({
            server_id: textOf(server["ServerId"]),
            port: numberOf(server["Port"]),
            weight: numberOf(server["Weight"]),
            type: textOf(server["Type"]),
            server_type: textOf(server["ServerType"]),
        })),
    );
}

/** Only whether to look at deletion protection can change, and that is not in the cloud. */
async function update(): Promise<void> {
    // Nothing to send.
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const id = data.text("load_balancer_id");
    const gone =
        data.flag("delete_protection_validation") &&
        (await isGoneUnlessProtected(client, {
            loadBalancerId: id,
            file,
            lines: [164, 167],
            refusal: `Current master-slave server group's SLB Instance ${id} has enabled DeleteProtection. Please set delete_protection_validation to false to delete the resource.`,
        }));
    if (gone) return;
    const action = "DeleteMasterSlaveServerGroup";
    try {
        await retry(client.clock, { limit: 300, when: (error) => isOneOf(error, "RspoolVipExist") }, () =>
            client.typed(action, { MasterSlaveServerGroupId: data.id }),
        );
    } catch (error) {
        if (isOneOf(error, ...missingCodes)) return;
        throw failed(error, `${file}:192`, data.id, action);
    }
    try {
        await waitGone(client, data.id);
    } catch (error) {
        throw placed(error, `${file}:195`);
    }
}

async function waitGone(client: Client, id: string): Promise<void> {
    const end = client.clock.now() + 500;
    for (;;) {
        try {
            await describe(client, id);
        } catch (error) {
            if (isNotFound(error)) return;
            throw placed(error, `${service}:368`);
        }
        if (client.clock.now() > end) {
            throw placed(
                undefined,
                `${service}:375`,
                `Resource ${id} WaitForSlbMasterSlaveServerGroup Timeout In 500 Seconds. Got: ${id} Expected: ${id} !!! ${providerSource}`,
            );
        }
        await client.clock.sleep(5);
    }
}

export const masterSlaveServerGroup: ResourceType = {
    token: "alicloud:slb/masterSlaveServerGroup:MasterSlaveServerGroup",
    schema,
    create,
    read,
    update,
    delete: remove,
};
