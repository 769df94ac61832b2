import type { Client } from "../../sdk/client";
import { failed, isNotFound, isOneOf, notFound, notFoundText, placed, sdkSource } from "../../sdk/errors";
import { sortedJson, type Arguments } from "../../sdk/flatten";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { ResourceType } from "../type";
import { goText, listOf, need, numberOf, textOf, valueOf } from "../values";
import { describeBalancer } from "./load-balancer";
import { ruleSchema } from "./rule-schema";

const file = "resource_alicloud_slb_rule.go";
const service = "service_alicloud_slb.go";
const name = "alicloud_slb_rule";

/** Settings that travel together once one of them changes. */
const ownSettings = [
    "listener_sync",
    "scheduler",
    "cookie",
    "cookie_timeout",
    "health_check",
    "health_check_http_code",
    "health_check_interval",
    "health_check_domain",
    "health_check_uri",
    "health_check_connect_port",
    "health_check_timeout",
    "healthy_threshold",
    "unhealthy_threshold",
    "sticky_session",
    "sticky_session_type",
];

async function describe(client: Client, id: string): Promise<Answer> {
    const action = "DescribeRuleAttribute";
    let answer: Answer;
    try {
        answer = await client.callPatiently(action, undefined, {
            query: { RuleId: id, RegionId: client.region },
            method: "GET",
            autoRetry: true,
        });
    } catch (error) {
        if (isOneOf(error, "InvalidRuleId.NotFound"))
            throw notFound(notFoundText("SlbRule", id), `${service}:92`, sdkSource);
        throw failed(error, `${service}:94`, id, action);
    }
    if (goText(answer["RuleId"]) !== id) throw notFound(notFoundText("SlbRule", id), `${service}:98`, sdkSource);
    return answer;
}

async function create(data: ResourceData, client: Client): Promise<void> {
    const rule = {
        Domain: data.given("domain"),
        Url: data.given("url"),
        VServerGroupId: data.text("server_group_id").trim(),
        RuleName: data.text("name").trim(),
    };
    const answer = await client.callPatiently(
        "CreateRules",
        {
            RegionId: client.region,
            LoadBalancerId: data.text("load_balancer_id"),
            ListenerPort: data.number("frontend_port"),
            RuleList: sortedJson([rule]),
        },
        {
            limit: data.timeout("create"),
            also: ["ServiceIsConfiguring", "BackendServer.configuring", "OperationFailed.ListenerStatusNotSupport"],
            fail: { place: `${file}:224`, subject: name },
        },
    );
    const rules = listOf(need(answer, "$.Rules.Rule", `${file}:230`, name));
    const id = rules.length === 1 ? textOf(rules[0]!["RuleId"]) : "";
    if (id === "")
        throw placed(
            undefined,
            `${file}:238`,
            `Getting resource ${name} attribute by path RuleId failed!!! Response: ${goText(answer)}.`,
        );
    data.id = id;
    await update(data, client);
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
        throw placed(error, `${file}:255`);
    }
    data.set("frontend_port", numberOf(object["ListenerPort"]));
    const copied: readonly (readonly [string, string])[] = [
        ["name", "RuleName"],
        ["load_balancer_id", "LoadBalancerId"],
        ["domain", "Domain"],
        ["url", "Url"],
        ["server_group_id", "VServerGroupId"],
        ["sticky_session", "StickySession"],
        ["sticky_session_type", "StickySessionType"],
        ["unhealthy_threshold", "UnhealthyThreshold"],
        ["healthy_threshold", "HealthyThreshold"],
        ["health_check_timeout", "HealthCheckTimeout"],
        ["health_check_connect_port", "HealthCheckConnectPort"],
        ["health_check_uri", "HealthCheckURI"],
        ["health_check", "HealthCheck"],
        ["health_check_http_code", "HealthCheckHttpCode"],
        ["health_check_interval", "HealthCheckInterval"],
        ["scheduler", "Scheduler"],
        ["listener_sync", "ListenerSync"],
        ["cookie_timeout", "CookieTimeout"],
        ["cookie", "Cookie"],
        ["health_check_domain", "HealthCheckDomain"],
    ];
    for (const [attribute, field] of copied) data.set(attribute, valueOf(object[field]));
}

function checkCookies(data: ResourceData): void {
    const missing = (line: number, attribute: string, when: string): void => {
        if (data.given(attribute) === undefined)
            throw placed(new Error(`'${attribute}': required field is not set when the ${when}.`), `${file}:${line}`);
    };
    if (data.given("listener_sync") !== "off") return;
    if (data.text("sticky_session") === "on") missing(295, "sticky_session_type", "sticky_session is 'on'");
    if (data.text("sticky_session_type") === "insert")
        missing(300, "cookie_timeout", "sticky_session_type is 'insert'");
    if (data.text("sticky_session_type") === "server") missing(305, "cookie", "sticky_session_type is 'server'");
}

function ownParameters(data: ResourceData): Arguments {
    const result: Arguments = { ListenerSync: data.text("listener_sync") };
    if (data.given("listener_sync") !== "off") return result;
    Object.assign(result, {
        Scheduler: data.text("scheduler"),
        HealthCheck: data.text("health_check"),
        StickySession: data.text("sticky_session"),
    });
    if (result["HealthCheck"] === "on") {
        Object.assign(result, {
            HealthCheckTimeout: data.number("health_check_timeout"),
            HealthCheckURI: data.text("health_check_uri"),
            HealthyThreshold: data.number("healthy_threshold"),
            UnhealthyThreshold: data.number("unhealthy_threshold"),
            HealthCheckInterval: data.number("health_check_interval"),
            HealthCheckHttpCode: data.text("health_check_http_code"),
            HealthCheckDomain: data.given("health_check_domain"),
            HealthCheckConnectPort: data.given("health_check_connect_port"),
        });
    }
    if (result["StickySession"] === "on") {
        const type = data.text("sticky_session_type");
        result["StickySessionType"] = type;
        if (type === "insert") result["CookieTimeout"] = data.number("cookie_timeout");
        if (type === "server") result["Cookie"] = data.text("cookie");
    }
    return result;
}

async function update(data: ResourceData, client: Client): Promise<void> {
    checkCookies(data);
    const parameters: Arguments = { RuleId: data.id };
    if (data.hasChange("server_group_id")) parameters["VServerGroupId"] = data.text("server_group_id");
    if (data.hasChange("name")) parameters["RuleName"] = data.text("name");
    const own = data.hasChanges(...ownSettings);
    if (own) Object.assign(parameters, ownParameters(data));
    if (own || data.hasChanges("server_group_id", "name")) {
        await client.callPatiently(
            "SetRule",
            { ...parameters, RegionId: client.region },
            {
                limit: data.timeout("update"),
                also: ["BackendServer.configuring", "OperationFailed.ListenerStatusNotSupport"],
                fail: { place: `${file}:372`, subject: name },
            },
        );
    }
    await read(data, client);
}

async function remove(data: ResourceData, client: Client): Promise<void> {
    if (
        data.flag("delete_protection_validation") &&
        (await isUnderDeletedBalancer(client, data.text("load_balancer_id")))
    )
        return;
    const action = "DeleteRules";
    try {
        await client.callPatiently(
            action,
            { RegionId: client.region, RuleIds: `['${data.id}']` },
            { limit: data.timeout("delete"), also: ["OperationFailed.ListenerStatusNotSupport"] },
        );
    } catch (error) {
        if (isOneOf(error, "InvalidRuleId.NotFound")) return;
        throw failed(error, `${file}:422`, name, action);
    }
    try {
        await waitGone(client, data.id);
    } catch (error) {
        throw placed(error, `${file}:424`);
    }
}

async function isUnderDeletedBalancer(client: Client, id: string): Promise<boolean> {
    let balancer: Answer;
    try {
        balancer = await describeBalancer(client, id);
    } catch (error) {
        if (isNotFound(error)) return true;
        throw placed(error, `${file}:390`);
    }
    if (balancer["DeleteProtection"] !== "on") return false;
    throw placed(
        new Error(
            `current rule's SLB Instance ${id} has enabled DeleteProtection. ` +
                "Please set delete_protection_validation to false to delete the rule",
        ),
        `${file}:393`,
    );
}

async function waitGone(client: Client, id: string): Promise<void> {
    const end = client.clock.now() + 500;
    for (;;) {
        try {
            await describe(client, id);
        } catch (error) {
            if (isNotFound(error)) return;
            throw placed(error, `${service}:319`);
        }
        if (client.clock.now() > end) {
            throw placed(
                undefined,
                `${service}:327`,
                `Resource ${id} WaitForSlbRule Timeout In 500 Seconds. Got:  Expected: ${id} !!! [Provider ERROR]`,
            );
        }
        await client.clock.sleep(5);
    }
}

export const rule: ResourceType = {
    token: "alicloud:slb/rule:Rule",
    schema: ruleSchema,
    timeouts: { create: 60, update: 60, delete: 60 },
    create,
    read,
    update,
    delete: remove,
};
