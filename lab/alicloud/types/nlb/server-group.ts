import type { Client } from "../../sdk/client";
import { failed, isNotFound } from "../../sdk/errors";
import type { Arguments } from "../../sdk/flatten";
import { waitFor } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import {
    either,
    fixed,
    flag,
    list,
    map,
    optional,
    output,
    required,
    text,
    texts,
    whole,
} from "../../terraform/shorthand";
import { between, oneOf } from "../../terraform/validators";
import { readable } from "../readable";
import { tagMap } from "../tags";
import type { ResourceType } from "../type";
import { goText, objectOf, valueOf } from "../values";
import {
    call,
    changedArguments,
    givenArguments,
    givenTags,
    moveToGroup,
    needSome,
    presentArguments,
    service,
    stateOf,
    waitForJob,
    writeTags,
} from "./common";

const file = "resource_alicloud_nlb_server_group.go";

const healthCheckSchema: SchemaMap = {
    health_check_interval: whole({ ...either, validate: between(0, 50) }),
    health_check_url: text(either),
    unhealthy_threshold: whole({ ...either, validate: between(2, 10) }),
    health_check_connect_timeout: whole({ ...either, validate: between(0, 300) }),
    health_check_enabled: flag(either),
    health_check_connect_port: whole({ ...either, validate: between(0, 65535) }),
    health_check_req: text(optional),
    healthy_threshold: whole({ ...either, validate: between(2, 10) }),
    http_check_method: text({ ...either, validate: oneOf("GET", "HEAD") }),
    health_check_exp: text(optional),
    health_check_domain: text(either),
    health_check_http_code: texts(either),
    health_check_type: text({ ...either, validate: oneOf("TCP", "HTTP", "UDP") }),
    health_check_http_version: text({ ...either, validate: oneOf("HTTP1.0", "HTTP1.1") }),
};

const schema: SchemaMap = {
    address_ip_version: text({ ...fixed(either), validate: oneOf("DualStack", "Ipv4") }),
    any_port_enabled: flag(fixed(either)),
    connection_drain_enabled: flag({ ...either, conflictsWith: ["connection_drain"] }),
    connection_drain_timeout: whole({ ...either, validate: between(10, 900) }),
    health_check: list(healthCheckSchema, { ...either, maxItems: 1 }),
    preserve_client_ip_enabled: flag(either),
    protocol: text({ ...fixed(either), validate: oneOf("TCP", "UDP", "TCPSSL") }),
    region_id: text(output),
    resource_group_id: text(either),
    scheduler: text({ ...either, validate: oneOf("Wrr", "Rr", "Qch", "Tch", "Sch", "Wlc") }),
    server_group_name: text(required),
    server_group_type: text({ ...fixed(either), validate: oneOf("Instance", "Ip") }),
    status: text(output),
    tags: map(optional),
    vpc_id: text(fixed(required)),
    connection_drain: flag({
        ...either,
        deprecated:
            "Field 'connection_drain' has been deprecated since provider version 1.214.0. " +
            "New field 'connection_drain_enabled' instead.",
    }),
};

/** Fields of the health check that must be above 0 to count. */
const positive = ["healthy_threshold", "unhealthy_threshold", "health_check_connect_timeout", "health_check_interval"];
const healthCheckFields = Object.keys(healthCheckSchema);

/** `health_check_type` is `HealthCheckType` in the API. */
const apiName = (attribute: string): string =>
    attribute
        .split("_")
        .map((word) => word[0]!.toUpperCase() + word.slice(1))
        .join("");

function healthCheckArguments(data: ResourceData, changed: (attribute: string) => boolean): Arguments {
    const given = (data.list("health_check")[0] ?? {}) as ValueMap;
    const result: Arguments = {};
    for (const attribute of healthCheckFields) {
        const value = given[attribute];
        if (value === undefined || value === null || (value === "" && !changed(attribute))) continue;
        if (positive.includes(attribute) && !(Number(value) > 0)) continue;
        result[apiName(attribute)] = value as string;
    }
    return result;
}

async function describe(client: Client, id: string): Promise<Answer> {
    const answer = await call(
        client,
        "ListServerGroups",
        { "ServerGroupIds.1": id },
        { token: false, fail: { place: `${service}:492`, subject: id } },
    );
    return needSome(answer, "ServerGroups", "ServerGroup", id, [497, 501])[0]!;
}

const waitUntilAvailable = (data: ResourceData, client: Client, line: number, limit: number): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${line}`, {
        target: ["Available"],
        limit,
        delay: 5,
        look: () => stateOf(() => describe(client, data.id), "ServerGroupStatus", 514),
    });

async function create(data: ResourceData, client: Client): Promise<void> {
    const drain =
        data.present("connection_drain") ??
        (data.hasChange("connection_drain") ? data.get("connection_drain") : undefined);
    const timeout = data.present("connection_drain_timeout") as number | undefined;
    const answer = await call(
        client,
        "CreateServerGroup",
        {
            ServerGroupName: data.text("server_group_name"),
            VpcId: data.text("vpc_id"),
            ...givenArguments(data, {
                server_group_type: "ServerGroupType",
                protocol: "Protocol",
                scheduler: "Scheduler",
                resource_group_id: "ResourceGroupId",
                address_ip_version: "AddressIPVersion",
            }),
            ...presentArguments(data, {
                any_port_enabled: "AnyPortEnabled",
                preserve_client_ip_enabled: "PreserveClientIpEnabled",
            }),
            ConnectionDrainEnabled: (data.present("connection_drain_enabled") ?? drain) as boolean | undefined,
            ConnectionDrainTimeout: timeout !== undefined && timeout > 0 ? timeout : undefined,
            HealthCheckConfig: healthCheckArguments(data, () => false),
            ...givenTags(data),
        },
        { limit: data.timeout("create"), fail: { place: `${file}:327`, subject: "alicloud_nlb_server_group" } },
    );
    data.id = goText(answer["ServerGroupId"]);
    await waitUntilAvailable(data, client, 335, data.timeout("create"));
    await read(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:352`, () => describe(client, data.id));
    if (object === undefined) return;
    const fields = {
        address_ip_version: "AddressIPVersion",
        any_port_enabled: "AnyPortEnabled",
        connection_drain_enabled: "ConnectionDrainEnabled",
        connection_drain_timeout: "ConnectionDrainTimeout",
        preserve_client_ip_enabled: "PreserveClientIpEnabled",
        protocol: "Protocol",
        region_id: "RegionId",
        resource_group_id: "ResourceGroupId",
        scheduler: "Scheduler",
        server_group_name: "ServerGroupName",
        server_group_type: "ServerGroupType",
        status: "ServerGroupStatus",
        vpc_id: "VpcId",
    };
    for (const [attribute, field] of Object.entries(fields)) data.set(attribute, valueOf(object[field]));
    const check = objectOf(object["HealthCheck"]);
    const isEmpty = Object.keys(check).length === 0;
    data.set(
        "health_check",
        isEmpty
            ? []
            : [
                  Object.fromEntries(
                      healthCheckFields.map((attribute) => [attribute, valueOf(check[apiName(attribute)])]),
                  ),
              ],
    );
    data.set("tags", tagMap(object["Tags"]));
    data.set("connection_drain", data.get("connection_drain_enabled"));
}

async function update(data: ResourceData, client: Client): Promise<void> {
    data.partial(true);
    const changes: Arguments = changedArguments(data, {
        connection_drain: "ConnectionDrainEnabled",
        connection_drain_timeout: "ConnectionDrainTimeout",
        scheduler: "Scheduler",
        preserve_client_ip_enabled: "PreserveClientIpEnabled",
        server_group_name: "ServerGroupName",
    });
    if (data.hasChange("connection_drain_enabled"))
        changes["ConnectionDrainEnabled"] = data.flag("connection_drain_enabled");
    if (data.hasChange("health_check")) {
        changes["HealthCheckConfig"] = healthCheckArguments(data, (attribute) =>
            data.hasChange(`health_check.0.${attribute}`),
        );
    }
    if (Object.keys(changes).length > 0) {
        await call(
            client,
            "UpdateServerGroupAttribute",
            { ServerGroupId: data.id, ...changes, ServerGroupName: data.text("server_group_name") },
            { limit: data.timeout("update"), fail: { place: `${file}:533`, subject: data.id } },
        );
        await waitUntilAvailable(data, client, 538, data.timeout("update"));
    }
    await moveToGroup(data, client, "servergroup", `${file}:568`);
    await writeTags(data, client, "servergroup", `${file}:575`);
    data.partial(false);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "DeleteServerGroup";
    let answer: Answer;
    try {
        answer = await call(client, action, { ServerGroupId: data.id }, { limit: data.timeout("delete") });
    } catch (error) {
        if (isNotFound(error)) return;
        throw failed(error, `${file}:615`, data.id, action);
    }
    await waitForJob(data, client, answer, { place: `${file}:621`, limit: data.timeout("delete"), delay: 5 });
}

export const nlbServerGroup: ResourceType = {
    token: "alicloud:nlb/serverGroup:ServerGroup",
    schema,
    timeouts: { create: 300, update: 300, delete: 300 },
    create,
    read,
    update,
    delete: remove,
};
