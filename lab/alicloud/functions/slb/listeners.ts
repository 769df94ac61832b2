import type { Client } from "../../sdk/client";
import type { Answer } from "../../sdk/tea";
import type { SchemaMap } from "../../terraform/schema";
import type { ValueMap } from "../../terraform/value";
import { flag, list, optional, output, required, text, whole } from "../../terraform/shorthand";
import { plainPattern } from "../../terraform/validators";
import type { FunctionType } from "../../types/type";
import { listOf, numberOf, objectOf, textOf } from "../../types/values";
import { callTyped, copiedTyped, filterOf, finish } from "../common";

const source = "alicloud_slb_listeners";

const listenerSchema: SchemaMap = {
    frontend_port: whole(output),
    backend_port: whole(output),
    protocol: text(output),
    status: text(output),
    security_status: text(output),
    bandwidth: whole(output),
    description: text(output),
    scheduler: text(output),
    server_group_id: text(output),
    master_slave_server_group_id: text(output),
    persistence_timeout: whole(output),
    established_timeout: whole(output),
    sticky_session: text(output),
    sticky_session_type: text(output),
    cookie_timeout: whole(output),
    cookie: text(output),
    health_check: text(output),
    health_check_type: text(output),
    health_check_domain: text(output),
    health_check_uri: text(output),
    health_check_connect_port: whole(output),
    health_check_connect_timeout: whole(output),
    healthy_threshold: whole(output),
    unhealthy_threshold: whole(output),
    health_check_timeout: whole(output),
    health_check_interval: whole(output),
    health_check_http_code: text(output),
    gzip: text(output),
    ssl_certificate_id: text(output),
    server_certificate_id: text(output),
    ca_certificate_id: text(output),
    x_forwarded_for: text(output),
    x_forwarded_for_slb_ip: text(output),
    x_forwarded_for_slb_id: text(output),
    x_forwarded_for_slb_proto: text(output),
    idle_timeout: whole(output),
    request_timeout: whole(output),
    enable_http2: text(output),
    tls_cipher_policy: text(output),
    proxy_protocol_v2_enabled: flag(output),
};

const ofAll = {
    backend_port: "BackendServerPort",
    status: "Status",
    bandwidth: "Bandwidth",
    scheduler: "Scheduler",
    server_group_id: "VServerGroupId",
    health_check: "HealthCheck",
    health_check_connect_port: "HealthCheckConnectPort",
    healthy_threshold: "HealthyThreshold",
    unhealthy_threshold: "UnhealthyThreshold",
    health_check_interval: "HealthCheckInterval",
};
const ofUdp = {
    ...ofAll,
    master_slave_server_group_id: "MasterSlaveServerGroupId",
    persistence_timeout: "PersistenceTimeout",
    health_check_connect_timeout: "HealthCheckConnectTimeout",
    proxy_protocol_v2_enabled: "ProxyProtocolV2Enabled",
};
const ofTcp = {
    ...ofUdp,
    established_timeout: "EstablishedTimeout",
    health_check_type: "HealthCheckType",
    health_check_domain: "HealthCheckDomain",
    health_check_uri: "HealthCheckURI",
    health_check_http_code: "HealthCheckHttpCode",
};
const ofHttp = {
    ...ofAll,
    sticky_session: "StickySession",
    sticky_session_type: "StickySessionType",
    cookie_timeout: "CookieTimeout",
    cookie: "Cookie",
    health_check_domain: "HealthCheckDomain",
    health_check_uri: "HealthCheckURI",
    health_check_timeout: "HealthCheckTimeout",
    health_check_http_code: "HealthCheckHttpCode",
    gzip: "Gzip",
    x_forwarded_for: "XForwardedFor",
    x_forwarded_for_slb_ip: "XForwardedFor_SLBIP",
    x_forwarded_for_slb_id: "XForwardedFor_SLBID",
    x_forwarded_for_slb_proto: "XForwardedFor_proto",
    idle_timeout: "IdleTimeout",
    request_timeout: "RequestTimeout",
};
const ofHttps = {
    ...ofHttp,
    security_status: "SecurityStatus",
    ssl_certificate_id: "ServerCertificateId",
    server_certificate_id: "ServerCertificateId",
    ca_certificate_id: "CACertificateId",
    enable_http2: "EnableHttp2",
    tls_cipher_policy: "TLSCipherPolicy",
};

/** Fields by protocol, and the line that passes on a failed look. */
const protocols: Readonly<Record<string, { fields: Readonly<Record<string, string>>; line: number }>> = {
    http: { fields: ofHttp, line: 289 },
    https: { fields: ofHttps, line: 326 },
    tcp: { fields: ofTcp, line: 369 },
    udp: { fields: ofUdp, line: 400 },
};

async function listenerOf(client: Client, LoadBalancerId: string, found: Answer): Promise<ValueMap> {
    const port = numberOf(found["ListenerPort"]);
    const protocol = textOf(found["ListenerProtocol"]);
    const known = protocols[protocol];
    const details =
        known === undefined
            ? {}
            : copiedTyped(
                  await callTyped(
                      client,
                      source,
                      `DescribeLoadBalancer${protocol.toUpperCase()}ListenerAttribute`,
                      { LoadBalancerId, ListenerPort: String(port) },
                      known.line,
                  ),
                  known.fields,
                  listenerSchema,
              );
    return { frontend_port: port, protocol, description: textOf(found["Description"]), ...details };
}

export const slbListeners: FunctionType = {
    token: "alicloud:slb/getListeners:getListeners",
    schema: {
        load_balancer_id: text(required),
        frontend_port: whole(optional),
        protocol: text(optional),
        description_regex: text({ ...optional, validate: plainPattern }),
        output_file: text(optional),
        slb_listeners: list(listenerSchema, output),
    },
    async read(data, client) {
        const id = data.text("load_balancer_id");
        const balancer = await callTyped(client, source, "DescribeLoadBalancerAttribute", { LoadBalancerId: id }, 228);
        const [port, protocol, isWanted] = [
            data.given("frontend_port"),
            data.given("protocol"),
            filterOf(data, "description_regex"),
        ];
        const listeners: ValueMap[] = [];
        for (const found of listOf(objectOf(balancer["ListenerPortsAndProtocol"])["ListenerPortAndProtocol"])) {
            const matches =
                (port === undefined || port === numberOf(found["ListenerPort"])) &&
                (protocol === undefined || protocol === textOf(found["ListenerProtocol"])) &&
                isWanted(undefined, textOf(found["Description"]));
            if (matches) listeners.push(await listenerOf(client, id, found));
        }
        finish(
            data,
            listeners.map((listener) => String(listener["frontend_port"])),
            { slb_listeners: listeners },
        );
    },
};
