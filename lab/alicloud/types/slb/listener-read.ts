/** Finding a listener and turning its description into attributes. */
import type { Client } from "../../sdk/client";
import {
    failed,
    isNotFound,
    isOneOf,
    notFound,
    notFoundText,
    placed,
    PluginPanic,
    ProviderError,
    providerSource,
    rethrowAt,
    sdkSource,
} from "../../sdk/errors";
import { parseJson } from "../../sdk/legacy";
import { retry } from "../../sdk/retry";
import type { Answer } from "../../sdk/tea";
import type { ResourceData } from "../../terraform/data";
import type { ValueMap } from "../../terraform/value";
import { listOf, objectOf } from "../values";
import { describeLoadBalancer } from "./describe-load-balancer";
import { file } from "./listener-arguments";

const service = "service_alicloud_slb.go";

/** Codes after which calls about listeners are repeated. */
export const busyCodes = [
    "SystemBusy",
    "OperationBusy",
    "ServiceIsStopping",
    "BackendServer.configuring",
    "ServiceIsConfiguring",
] as const;

export interface ListenerId {
    readonly loadBalancerId: string;
    readonly protocol: string;
    readonly port: number;
}

export const idText = ({ loadBalancerId, protocol, port }: ListenerId): string =>
    `${loadBalancerId}:${protocol}:${port}`;

/** Looks a listener up at its load balancer. An id may lack the protocol, and then it must be the only listener. */
export async function findListener(data: ResourceData, client: Client): Promise<ListenerId> {
    const parts = data.id.split(":");
    if (parts.length !== 2 && parts.length !== 3) {
        throw placed(
            placed(
                new Error(
                    `Invalid alicloud_slb_listener Id ${data.id}. ` +
                        "Expected Id format is <slb id>:<protocol>:< frontend>.",
                ),
                "common.go:1013",
            ),
            `${file}:982`,
        );
    }
    const protocol = parts.length === 3 ? parts[1]! : String(data.given("protocol") ?? "");
    const port = parsePort(parts.at(-1)!);
    const loadBalancer = await describeLoadBalancer(client, parts[0]!).catch(rethrowAt(`${file}:1000`));
    const listeners = listOf(objectOf(loadBalancer["ListenerPortsAndProtocol"])["ListenerPortAndProtocol"]);
    if (protocol === "" && listeners.length > 1) {
        throw placed(
            new Error(`More than one listener was with with the same id: ${data.id}, please specify protocol.`),
            `${file}:1010`,
        );
    }
    const found = listeners.find(
        (listener) =>
            listener["ListenerPort"] === port && (protocol === "" || listener["ListenerProtocol"] === protocol),
    );
    if (found === undefined)
        throw new ProviderError("Instance.Notfound", `The specified Listener ${data.id} is not found.`);
    return {
        loadBalancerId: String(loadBalancer["LoadBalancerId"]),
        protocol: String(found["ListenerProtocol"]),
        port,
    };
}

function parsePort(text: string): number {
    if (/^[+-]?\d+$/.test(text)) return Number(text);
    throw placed(new Error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`), `${file}:996`);
}

/** The description of a listener (form B). A description without a port is asked for again, for five minutes. */
export async function describeListener(client: Client, id: string): Promise<Answer> {
    const [loadBalancerId = "", protocol = "", port = ""] = id.split(":");
    const action = `DescribeLoadBalancer${protocol.toUpperCase()}ListenerAttribute`;
    return retry(client.clock, { limit: 300, when: (error) => error instanceof PassingTrouble }, async () => {
        let body: string;
        try {
            body = await client.common(action, {
                LoadBalancerId: loadBalancerId,
                ListenerPort: String(Number(port)),
                RegionId: client.region,
            });
        } catch (error) {
            if (isOneOf(error, "The specified resource does not exist"))
                throw notFound(error, `${service}:198`, sdkSource);
            if (isOneOf(error, ...busyCodes)) throw new PassingTrouble(failed(error, `${service}:200`, id, action));
            throw failed(error, `${service}:202`, id, action);
        }
        const listener = parseBody(body);
        const foundPort = listener["ListenerPort"];
        if (foundPort !== undefined && typeof foundPort !== "number")
            throw new PluginPanic("interface conversion: interface {} is string, not float64");
        if (foundPort === undefined || foundPort <= 0) {
            throw new PassingTrouble(notFound(notFoundText("SlbListener", id), `${service}:212`, providerSource));
        }
        return listener;
    }).catch((error: unknown) => {
        throw error instanceof PassingTrouble ? error.reason : error;
    });
}

/** Marks an error after which the description is asked for again. */
class PassingTrouble extends Error {
    constructor(readonly reason: Error) {
        super(reason.message);
    }
}

function parseBody(body: string): Answer {
    try {
        return parseJson(body) as Answer;
    } catch (error) {
        throw placed(error, `${service}:207`);
    }
}

/** Waits in steps of 5 s until the listener is in a state, or gone when no state is given. */
export async function waitForListener(
    client: Client,
    id: string,
    state: "stopped" | "running" | undefined,
    limit: number,
): Promise<void> {
    const end = client.clock.now() + limit;
    for (;;) {
        let got = "";
        try {
            const listener = await describeListener(client, id);
            got = String(listener["Status"] ?? "").toLowerCase();
        } catch (error) {
            if (!isOneOf(error, "InvalidLoadBalancerId.NotFound")) {
                if (!isNotFound(error)) throw placed(error, `${service}:289`);
                if (state === undefined) return;
            }
        }
        if (got === (state ?? "deleted")) return;
        if (client.clock.now() > end) {
            const desired = state === undefined ? "Deleted" : state[0]!.toUpperCase() + state.slice(1);
            throw placed(
                undefined,
                `${service}:301`,
                `Resource ${id} WaitForSlbListener Timeout In ${limit} Seconds. ` +
                    `Got: ${got} Expected: ${desired} !!! ${providerSource}`,
            );
        }
        await client.clock.sleep(5);
    }
}

const numbers: readonly (readonly [string, string])[] = [
    ["BackendServerPort", "backend_port"],
    ["ListenerPort", "frontend_port"],
    ["Bandwidth", "bandwidth"],
    ["CookieTimeout", "cookie_timeout"],
    ["PersistenceTimeout", "persistence_timeout"],
    ["EstablishedTimeout", "established_timeout"],
    ["HealthCheckConnectPort", "health_check_connect_port"],
    ["HealthyThreshold", "healthy_threshold"],
    ["UnhealthyThreshold", "unhealthy_threshold"],
    ["HealthCheckTimeout", "health_check_timeout"],
    ["HealthCheckConnectTimeout", "health_check_timeout"],
    ["HealthCheckInterval", "health_check_interval"],
    ["IdleTimeout", "idle_timeout"],
    ["RequestTimeout", "request_timeout"],
    ["ForwardPort", "forward_port"],
];

const texts: readonly (readonly [string, string])[] = [
    ["Scheduler", "scheduler"],
    ["VServerGroupId", "server_group_id"],
    ["MasterSlaveServerGroupId", "master_slave_server_group_id"],
    ["AclStatus", "acl_status"],
    ["AclType", "acl_type"],
    ["AclId", "acl_id"],
    ["HealthCheck", "health_check"],
    ["StickySession", "sticky_session"],
    ["StickySessionType", "sticky_session_type"],
    ["Cookie", "cookie"],
    ["HealthCheckDomain", "health_check_domain"],
    ["HealthCheckMethod", "health_check_method"],
    ["HealthCheckURI", "health_check_uri"],
    ["HealthCheckHttpCode", "health_check_http_code"],
    ["ServerCertificateId", "ssl_certificate_id"],
    ["ServerCertificateId", "server_certificate_id"],
    ["CACertificateId", "ca_certificate_id"],
    ["EnableHttp2", "enable_http2"],
    ["TLSCipherPolicy", "tls_cipher_policy"],
    ["ListenerForward", "listener_forward"],
    ["Description", "description"],
];

const forwardedFor: readonly (readonly [string, string])[] = [
    ["XForwardedFor", "retrive_client_ip"],
    ["XForwardedFor_SLBIP", "retrive_slb_ip"],
    ["XForwardedFor_SLBID", "retrive_slb_id"],
    ["XForwardedFor_proto", "retrive_slb_proto"],
];

/** Sets the attributes in the description and leaves the others. A wrong JSON type ends the real plugin. */
export function setFromDescription(data: ResourceData, protocol: string, listener: Answer): void {
    const typed = <T extends "string" | "number">(field: string, type: T): T extends "string" ? string : number => {
        const value = listener[field];
        if (typeof value !== type)
            throw new PluginPanic(
                "interface conversion: " +
                    `interface {} is ${goType(value)}, not ${type === "string" ? "string" : "float64"}`,
            );
        return value as never;
    };
    for (const [field, attribute] of numbers) if (field in listener) data.set(attribute, typed(field, "number"));
    for (const [field, attribute] of texts) if (field in listener) data.set(attribute, typed(field, "string"));
    if ("HealthCheckType" in listener && protocol === "tcp")
        data.set("health_check_type", typed("HealthCheckType", "string"));
    if ("Gzip" in listener) data.set("gzip", typed("Gzip", "string") === "on");
    const aclIds = objectOf(listener["AclIds"])["AclId"];
    if (aclIds !== undefined) data.set("acl_ids", aclIds as string[]);
    const header: ValueMap = {};
    for (const [field, attribute] of forwardedFor)
        if (field in listener) header[attribute] = typed(field, "string") === "on";
    if (Object.keys(header).length > 0) data.set("x_forwarded_for", [header]);
    if ("ProxyProtocolV2Enabled" in listener)
        data.set("proxy_protocol_v2_enabled", listener["ProxyProtocolV2Enabled"] as boolean);
}

/** The name of a decoded JSON value's type in Go. */
function goType(value: unknown): string {
    if (value === null) return "nil";
    if (Array.isArray(value)) return "[]interface {}";
    const names: Record<string, string> = { number: "float64", boolean: "bool", object: "map[string]interface {}" };
    return names[typeof value] ?? typeof value;
}
