import type { Client } from "../../sdk/client";
import {
    failed,
    isNotFound,
    isOneOf,
    notFound,
    notFoundText,
    placed,
    providerSource,
    rethrowAt,
} from "../../sdk/errors";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import { either, fixed, flag, map, optional, required, set, text, texts, whole } from "../../terraform/shorthand";
import { between, oneOf } from "../../terraform/validators";
import { readable } from "../readable";
import { tagArguments } from "../tags";
import type { ResourceType } from "../type";
import { listOf, numberOf, objectOf, textOf } from "../values";
import { isGoneUnlessProtected } from "./describe-load-balancer";
import { updateServers } from "./server-group-servers";
import { readTags, writeTags } from "./tags";

const file = "resource_alicloud_slb_server_group.go";
const service = "service_alicloud_slb.go";

const schema: SchemaMap = {
    load_balancer_id: text(fixed(required)),
    name: text({ ...optional, default: "tf-server-group" }),
    tags: map(optional),
    delete_protection_validation: flag({ ...optional, default: false }),
    servers: set(
        {
            type: text({ ...optional, default: "ecs", validate: oneOf("ecs", "eni") }),
            port: whole({ ...required, validate: between(1, 65535) }),
            weight: whole({ ...optional, default: 100, validate: between(0, 100) }),
            server_ids: texts({ ...required, minItems: 1 }),
        },
        {
            ...either,
            deprecated:
                "Field `servers` has been deprecated from provider version " +
                "1.163.0 and it will be removed in the future version. " +
                "Please use the new resource `alicloud_slb_server_group_server_attachment`.",
        },
    ),
};

async function describe(client: Client, id: string): Promise<Answer> {
    let answer: Answer;
    try {
        answer = await client.typed("DescribeVServerGroupAttribute", { VServerGroupId: id });
    } catch (error) {
        if (isOneOf(error, "The specified VServerGroupId does not exist", "InvalidParameter")) {
            throw notFound(notFoundText("Slb:ServerGroup", id), `${service}:116`, `${providerSource}RequestId: `);
        }
        throw failed(error, `${service}:118`, id, "DescribeVServerGroupAttribute");
    }
    if (textOf(answer["VServerGroupId"]) === "") {
        throw notFound(
            notFoundText("Slb:ServerGroup", id),
            `${service}:123`,
            `${providerSource}RequestId: ${textOf(answer["RequestId"])}`,
        );
    }
    return answer;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const tags = Object.entries((data.given("tags") ?? {}) as ValueMap).filter(
        (tag): tag is [string, string] => typeof tag[1] === "string",
    );
    let answer: Answer;
    try {
        answer = await client.typed("CreateVServerGroup", {
            LoadBalancerId: data.text("load_balancer_id"),
            VServerGroupName: data.given("name") as string,
            ...tagArguments(tags),
        });
    } catch (error) {
        throw failed(error, `${file}:114`, "alicloud_slb_server_group", "CreateVServerGroup");
    }
    data.id = textOf(answer["VServerGroupId"]);
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:134`, () => describe(client, data.id));
    if (object === undefined) return;
    data.set("load_balancer_id", textOf(object["LoadBalancerId"]));
    data.set("name", textOf(object["VServerGroupName"]));
    data.set("tags", await readTags(client, data.id, "vservergroup").catch(rethrowAt(`${file}:142`)));
    data.set("servers", groupServers(listOf(objectOf(object["BackendServers"])["BackendServer"])));
}

/** Groups members with the same port, weight and type into an entry. */
function groupServers(members: Answer[]): ValueMap[] {
    const groups = new Map<string, { server_ids: string[]; port: number; weight: number; type: string }>();
    for (const member of members) {
        const [port, weight, type] = [numberOf(member["Port"]), numberOf(member["Weight"]), textOf(member["Type"])];
        const key = `${port}:${weight}:${type}`;
        const group = groups.get(key) ?? { server_ids: [], port, weight, type };
        group.server_ids.push(textOf(member["ServerId"]));
        groups.set(key, group);
    }
    return [...groups.values()];
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    if (!data.isNewResource && data.hasChange("tags"))
        await writeTags(data, client, "vservergroup").catch(rethrowAt(`${file}:192`));
    await updateServers(data, client, file);
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const id = data.text("load_balancer_id");
    const gone =
        data.flag("delete_protection_validation") &&
        (await isGoneUnlessProtected(client, {
            loadBalancerId: id,
            file,
            lines: [381, 385],
            refusal:
                `Current VServerGroup's SLB Instance ${id} has enabled DeleteProtection. ` +
                "Please set delete_protection_validation to false to delete the group.",
        }));
    if (gone) return;
    try {
        await retry(client.clock, { limit: 300, when: (error) => isOneOf(error, "RspoolVipExist") }, () =>
            client.typed("DeleteVServerGroup", { VServerGroupId: data.id }),
        );
    } catch (error) {
        if (isOneOf(error, "The specified VServerGroupId does not exist", "InvalidParameter")) return;
        throw failed(error, `${file}:411`, data.id, "DeleteVServerGroup");
    }
    await waitGone(client, data.id).catch(rethrowAt(`${file}:414`));
}

/** A group that is still there right after its deletion is not waited for. */
async function waitGone(client: Client, id: string): Promise<void> {
    const end = client.clock.now() + 500;
    while (client.clock.now() < end) {
        try {
            if ((await describe(client, id))["VServerGroupId"] === id) return;
        } catch (error) {
            if (isNotFound(error)) return;
            throw placed(error, `${service}:344`);
        }
        await client.clock.sleep(5);
    }
    throw placed(
        undefined,
        `${service}:351`,
        `Resource ${id} Deleted Timeout In 500 Seconds. Got:  Expected: ${id} !!! ${providerSource}`,
    );
}

export const serverGroup: ResourceType = {
    token: "alicloud:slb/serverGroup:ServerGroup",
    schema,
    create,
    read,
    update,
    delete: remove,
};
