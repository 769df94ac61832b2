import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, PluginPanic, placed } from "../../sdk/errors";
import { sortedJson, type Arguments } from "../../sdk/flatten";
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
    missing,
    presentArguments,
    service,
    stateOf,
    waitForJob,
    writeTags,
} from "./common";

const file = "resource_alicloud_nlb_listener.go";

const schema: SchemaMap = {
    alpn_enabled: flag(either),
    alpn_policy: text(optional),
    ca_certificate_ids: texts(optional),
    ca_enabled: flag(either),
    certificate_ids: texts(optional),
    cps: whole({ ...optional, validate: between(0, 1000000) }),
    end_port: whole({ ...fixed(optional), validate: between(0, 65535) }),
    idle_timeout: whole({ ...either, validate: between(0, 900) }),
    listener_description: text(optional),
    listener_port: whole({ ...fixed(required), validate: between(0, 65535) }),
    listener_protocol: text({ ...fixed(required), validate: oneOf("TCP", "UDP", "TCPSSL") }),
    load_balancer_id: text(fixed(required)),
    mss: whole({ ...optional, validate: between(0, 1500) }),
    proxy_protocol_config: list(
        {
            proxy_protocol_config_private_link_eps_id_enabled: flag(optional),
            proxy_protocol_config_private_link_ep_id_enabled: flag(either),
            proxy_protocol_config_vpc_id_enabled: flag(optional),
        },
        { ...either, maxItems: 1 },
    ),
    proxy_protocol_enabled: flag(either),
    region_id: text(output),
    sec_sensor_enabled: flag(either),
    security_policy_id: text(either),
    server_group_id: text(required),
    start_port: whole({ ...fixed(optional), validate: between(0, 65535) }),
    status: text({ ...either, validate: oneOf("Stopped", "Running") }),
    tags: map(optional),
};

const proxyFields = {
    proxy_protocol_config_vpc_id_enabled: "Ppv2VpcIdEnabled",
    proxy_protocol_config_private_link_ep_id_enabled: "Ppv2PrivateLinkEpIdEnabled",
    proxy_protocol_config_private_link_eps_id_enabled: "Ppv2PrivateLinkEpsIdEnabled",
};

/** The proxy protocol settings, as JSON. */
function proxyText(data: ResourceData): string {
    const given = (data.list("proxy_protocol_config")[0] ?? {}) as ValueMap;
    return sortedJson(
        Object.fromEntries(Object.entries(proxyFields).map(([attribute, field]) => [field, given[attribute]])),
    );
}

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "GetListenerAttribute";
    try {
        return await call(client, action, { ListenerId: id });
    } catch (error) {
        if (isOneOf(error, "ResourceNotFound.listener")) throw missing("Listener", id, `${service}:694`, undefined);
        throw failed(error, `${service}:696`, id, action);
    }
}

const wait = (
    data: ResourceData,
    client: Client,
    desired: { target: string; line: number; limit: number; delay: number },
): Promise<void> =>
    waitFor(client.clock, data.id, `${file}:${desired.line}`, {
        target: [desired.target],
        limit: desired.limit,
        delay: desired.delay,
        look: () => stateOf(() => describe(client, data.id), "ListenerStatus", 709),
    });

async function create(data: ResourceData, client: Client): Promise<void> {
    const idle = data.present("idle_timeout") as number | undefined;
    const answer = await call(
        client,
        "CreateListener",
        {
            ListenerProtocol: data.text("listener_protocol"),
            ListenerPort: data.number("listener_port"),
            LoadBalancerId: data.text("load_balancer_id"),
            ServerGroupId: data.text("server_group_id"),
            IdleTimeout: idle !== undefined && idle > 0 ? idle : undefined,
            ...givenArguments(data, {
                listener_description: "ListenerDescription",
                security_policy_id: "SecurityPolicyId",
                certificate_ids: "CertificateIds",
                ca_certificate_ids: "CaCertificateIds",
                alpn_policy: "AlpnPolicy",
            }),
            ...presentArguments(data, {
                proxy_protocol_enabled: "ProxyProtocolEnabled",
                sec_sensor_enabled: "SecSensorEnabled",
                alpn_enabled: "AlpnEnabled",
                ca_enabled: "CaEnabled",
                start_port: "StartPort",
                end_port: "EndPort",
                cps: "Cps",
                mss: "Mss",
            }),
            ProxyProtocolV2Config: data.list("proxy_protocol_config").length > 0 ? proxyText(data) : undefined,
            ...givenTags(data),
        },
        {
            limit: data.timeout("create"),
            also: ["SystemBusy"],
            fail: { place: `${file}:267`, subject: "alicloud_nlb_listener" },
        },
    );
    data.id = goText(answer["ListenerId"]);
    await wait(data, client, { target: "Running", line: 275, limit: data.timeout("create"), delay: 5 });
    await update(data, client);
}

async function read(data: ResourceData, client: Client): Promise<void> {
    const object = await readable(data, `${file}:292`, () => describe(client, data.id));
    if (object === undefined) return;
    const fields = {
        alpn_enabled: "AlpnEnabled",
        alpn_policy: "AlpnPolicy",
        ca_enabled: "CaEnabled",
        cps: "Cps",
        end_port: "EndPort",
        idle_timeout: "IdleTimeout",
        listener_description: "ListenerDescription",
        listener_port: "ListenerPort",
        listener_protocol: "ListenerProtocol",
        load_balancer_id: "LoadBalancerId",
        mss: "Mss",
        proxy_protocol_enabled: "ProxyProtocolEnabled",
        region_id: "RegionId",
        sec_sensor_enabled: "SecSensorEnabled",
        security_policy_id: "SecurityPolicyId",
        server_group_id: "ServerGroupId",
        start_port: "StartPort",
        status: "ListenerStatus",
    };
    for (const [attribute, field] of Object.entries(fields)) {
        const value = object[field];
        if (value === undefined || value === null) continue;
        data.set(
            attribute,
            attribute.endsWith("_port") && attribute !== "listener_port" ? Number(value) : valueOf(value),
        );
    }
    data.set("ca_certificate_ids", valueOf(object["CaCertificateIds"] ?? []));
    data.set("certificate_ids", valueOf(object["CertificateIds"] ?? []));
    if (object["ProxyProtocolV2Config"] !== undefined && object["ProxyProtocolV2Config"] !== null) {
        const config = objectOf(object["ProxyProtocolV2Config"]);
        const values = Object.fromEntries(
            Object.entries(proxyFields).map(([attribute, field]) => [attribute, valueOf(config[field])]),
        );
        data.set("proxy_protocol_config", Object.keys(config).length === 0 ? [] : [values]);
    }
    data.set("tags", tagMap(object["Tags"]));
}

/** Starts or stops the listener. */
async function writeStatus(data: ResourceData, client: Client): Promise<void> {
    const target = data.text("status");
    let current: unknown;
    try {
        current = (await describe(client, data.id))["ListenerStatus"];
    } catch (error) {
        throw placed(error, `${file}:397`);
    }
    if (typeof current !== "string") throw new PluginPanic("interface conversion: interface {} is nil, not string");
    if (current === target) return;
    const steps: Record<string, [string, number, number]> = {
        Running: ["StartListener", 423, 428],
        Stopped: ["StopListener", 453, 458],
    };
    const [action, callLine, waitLine] = steps[target] ?? [];
    if (action === undefined) return;
    const limit = data.timeout("update");
    await call(
        client,
        action,
        { ListenerId: data.id },
        { limit, fail: { place: `${file}:${callLine}`, subject: data.id } },
    );
    await wait(data, client, { target, line: waitLine!, limit, delay: 5 });
}

async function update(data: ResourceData, client: Client): Promise<void> {
    if (data.hasChange("status")) await writeStatus(data, client);
    const changes: Arguments = data.isNewResource
        ? {}
        : changedArguments(data, {
              listener_description: "ListenerDescription",
              server_group_id: "ServerGroupId",
              security_policy_id: "SecurityPolicyId",
              certificate_ids: "CertificateIds",
              ca_certificate_ids: "CaCertificateIds",
              idle_timeout: "IdleTimeout",
              alpn_policy: "AlpnPolicy",
              ca_enabled: "CaEnabled",
              proxy_protocol_enabled: "ProxyProtocolEnabled",
              sec_sensor_enabled: "SecSensorEnabled",
              alpn_enabled: "AlpnEnabled",
              cps: "Cps",
              mss: "Mss",
          });
    if (!data.isNewResource && data.hasChange("proxy_protocol_config"))
        changes["ProxyProtocolV2Config"] = proxyText(data);
    if (Object.keys(changes).length > 0) {
        const limit = data.timeout("update");
        await call(
            client,
            "UpdateListenerAttribute",
            { ListenerId: data.id, ...changes, ServerGroupId: data.text("server_group_id") },
            { limit, fail: { place: `${file}:583`, subject: data.id } },
        );
        await wait(data, client, { target: "Running", line: 588, limit, delay: 15 });
    }
    await writeTags(data, client, "listener", `${file}:595`);
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    const action = "DeleteListener";
    let answer: Answer;
    try {
        answer = await call(client, action, { ListenerId: data.id }, { limit: data.timeout("delete") });
    } catch (error) {
        if (isNotFound(error)) return;
        throw failed(error, `${file}:634`, data.id, action);
    }
    await waitForJob(data, client, answer, { place: `${file}:640`, limit: data.timeout("delete"), delay: 30 });
}

export const nlbListener: ResourceType = {
    token: "alicloud:nlb/listener:Listener",
    schema,
    timeouts: { create: 1800, update: 1800, delete: 1800 },
    create,
    read,
    update,
    delete: remove,
};
