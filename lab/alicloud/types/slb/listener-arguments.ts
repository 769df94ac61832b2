/** Parameters of the calls that make and change a listener. */
import type { Client } from "../../sdk/client";
import { placed } from "../../sdk/errors";
import type { ResourceData } from "../../terraform/data";
import type { TfSet } from "../../terraform/value";

export const file = "resource_alicloud_slb_listener.go";

export type Parameters = Record<string, string>;

const needs = (line: number, text: string): Error => placed(new Error(text), `${file}:${line}`);

/** Returns the parameters that every call about a listener carries, whatever changed. */
export function commonParameters(data: ResourceData, client: Client): Parameters {
    const result: Parameters = {
        RegionId: client.region,
        LoadBalancerId: data.text("load_balancer_id"),
        ListenerPort: String(data.number("frontend_port")),
    };
    const add = (parameter: string, attribute: string): void => {
        const value = data.given(attribute);
        if (value !== undefined) result[parameter] = String(value);
    };
    add("BackendServerPort", "backend_port");
    add("Bandwidth", "bandwidth");
    add("VServerGroupId", "server_group_id");
    add("MasterSlaveServerGroupId", "master_slave_server_group_id");
    add("AclStatus", "acl_status");
    add("AclType", "acl_type");
    if (data.given("acl_ids") !== undefined) result["AclId"] = joined(data.get("acl_ids") as TfSet);
    else add("AclId", "acl_id");
    add("Description", "description");
    add("Scheduler", "scheduler");
    add("ProxyProtocolV2Enabled", "proxy_protocol_v2_enabled");
    return result;
}

export const joined = (ids: TfSet): string => ids.list().join(",");

/**
 * Adds the arguments of a web listener. Calls for TCP and UDP then also send arguments that have a value. It throws if
 * a cookie setting is missing.
 */
export function addWebParameters(data: ResourceData, parameters: Parameters): void {
    const [stickySession, healthCheck] = [data.text("sticky_session"), data.text("health_check")];
    parameters["StickySession"] = stickySession;
    parameters["HealthCheck"] = healthCheck;
    parameters["RequestTimeout"] = String(data.number("request_timeout"));
    parameters["IdleTimeout"] = String(data.number("idle_timeout"));
    if (stickySession === "on") addCookieParameters(data, parameters);
    if (healthCheck !== "on") return;
    parameters["HealthCheckURI"] = data.text("health_check_uri");
    const port = data.given("health_check_connect_port");
    if (port !== undefined) parameters["HealthCheckConnectPort"] = String(port);
    parameters["HealthyThreshold"] = String(data.number("healthy_threshold"));
    parameters["UnhealthyThreshold"] = String(data.number("unhealthy_threshold"));
    parameters["HealthCheckTimeout"] = String(data.number("health_check_timeout"));
    parameters["HealthCheckInterval"] = String(data.number("health_check_interval"));
    parameters["HealthCheckHttpCode"] = httpCode(data);
    const method = data.given("health_check_method");
    if (isWeb(data.text("protocol")) && method !== undefined) parameters["HealthCheckMethod"] = String(method);
}

function addCookieParameters(data: ResourceData, parameters: Parameters): void {
    const type = data.given("sticky_session_type");
    if (type === undefined)
        throw needs(914, "'sticky_session_type': required field is not set when the StickySession is on.");
    parameters["StickySessionType"] = String(type);
    if (type === "insert") {
        const timeout = data.given("cookie_timeout");
        if (timeout === undefined) {
            throw needs(
                921,
                "'cookie_timeout': " +
                    "required field is not set when the StickySession is on and StickySessionType is insert.",
            );
        }
        parameters["CookieTimeout"] = String(timeout);
        return;
    }
    const cookie = data.given("cookie");
    if (cookie === undefined)
        throw needs(
            928,
            "'cookie': required field is not set when the StickySession is on and StickySessionType is server.",
        );
    parameters["Cookie"] = String(cookie);
}

/**
 * Adds the arguments of a listener that forwards. A backend port goes under an empty name, as the real plugin sends it.
 */
export function addForwardParameters(data: ResourceData, parameters: Parameters): void {
    parameters["StickySession"] = "off";
    parameters["HealthCheck"] = "off";
    parameters["ListenerForward"] = "on";
    const port = data.given("backend_port");
    if (port !== undefined) parameters[""] = String(port);
    else parameters["BackendServerPort"] = "80";
    const target = data.given("forward_port");
    if (target !== undefined) parameters["ForwardPort"] = String(target);
}

export const httpCode = (data: ResourceData): string => String(data.given("health_check_http_code") ?? "http_2xx");

export const isWeb = (protocol: string): boolean => protocol === "http" || protocol === "https";

/** The certificate of an https listener, under its current or its former name. */
export const certificateOf = (data: ResourceData): string =>
    data.text("server_certificate_id") || data.text("ssl_certificate_id");

export const missingCertificate = (line: number): Error =>
    needs(line, "'server_certificate_id': required field is not set when the protocol is 'https'.");
