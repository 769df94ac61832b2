/** The one call that changes a listener, its parameters and the decision to make it. */
import type { Client } from "../../sdk/client";
import { asError, placed, rethrowAt } from "../../sdk/errors";
import type { ResourceData } from "../../terraform/data";
import type { TfSet, Value, ValueMap } from "../../terraform/value";
import { describeLoadBalancer } from "./describe-load-balancer";
import {
    addWebParameters,
    certificateOf,
    commonParameters,
    file,
    httpCode,
    isWeb,
    joined,
    missingCertificate,
    type Parameters,
} from "./listener-arguments";

/** Attributes whose change alone needs the call. Their values travel with the common or the web parameters. */
const carriedAnyway = [
    "description",
    "sticky_session",
    "sticky_session_type",
    "cookie_timeout",
    "cookie",
    "health_check",
    "gzip",
    "x_forwarded_for",
    "idle_timeout",
    "request_timeout",
    "health_check_method",
    "health_check_domain",
];

/** Attributes that are carried only when they changed, and under which name. */
const carriedOnChange: readonly (readonly [string, string])[] = [
    ["scheduler", "Scheduler"],
    ["bandwidth", "Bandwidth"],
    ["acl_status", "AclStatus"],
    ["acl_type", "AclType"],
    ["acl_id", "AclId"],
    ["proxy_protocol_v2_enabled", "ProxyProtocolV2Enabled"],
    ["unhealthy_threshold", "UnhealthyThreshold"],
    ["healthy_threshold", "HealthyThreshold"],
    ["health_check_timeout", "HealthCheckConnectTimeout"],
    ["health_check_interval", "HealthCheckInterval"],
    ["persistence_timeout", "PersistenceTimeout"],
    ["health_check_uri", "HealthCheckURI"],
    ["health_check_type", "HealthCheckType"],
    ["established_timeout", "EstablishedTimeout"],
];

/** Returns the parameters of the call, or `undefined` when nothing changed. It throws when they do not fit together. */
export async function updateParameters(data: ResourceData, client: Client): Promise<Parameters | undefined> {
    const protocol = data.text("protocol");
    const parameters = commonParameters(data, client);
    let needed = data.hasChanges(...carriedAnyway);
    const change = (attribute: string, apply: () => void): void => {
        if (!data.hasChange(attribute)) return;
        apply();
        needed = true;
    };
    const group = (attribute: string, parameter: string): void =>
        change(attribute, () => {
            const id = data.text(attribute);
            parameters[parameter] = id === "" ? "off" : "on";
            if (id !== "") parameters[`${parameter}Id`] = id;
        });
    group("server_group_id", "VServerGroup");
    group("master_slave_server_group_id", "MasterSlaveServerGroup");
    try {
        addWebParameters(data, parameters);
    } catch (error) {
        // The same code runs for tcp and udp, where what is missing does not matter.
        if (isWeb(protocol)) throw placed(asError(error), `${file}:588`);
    }
    for (const [attribute, parameter] of carriedOnChange)
        change(attribute, () => {
            parameters[parameter] = String(data.get(attribute));
        });
    change("acl_ids", () => {
        parameters["AclId"] = joined(data.get("acl_ids") as TfSet);
    });
    parameters["Gzip"] = data.flag("gzip") ? "on" : "off";
    if (isWeb(protocol)) addForwardedFor(data, parameters);
    if (data.hasChange("health_check_connect_port") && data.given("health_check_connect_port") !== undefined) {
        parameters["HealthCheckConnectPort"] = String(data.number("health_check_connect_port"));
        needed = true;
    }
    const domain = data.given("health_check_domain");
    if (domain !== undefined) parameters["HealthCheckDomain"] = String(domain);
    change("health_check_http_code", () => {
        parameters["HealthCheckHttpCode"] = httpCode(data);
    });
    if (protocol === "https") needed = (await addHttpsParameters(data, client, parameters)) || needed;
    return needed ? parameters : undefined;
}

function addForwardedFor(data: ResourceData, parameters: Parameters): void {
    const header = data.list("x_forwarded_for")[0] as ValueMap | undefined;
    if (header === undefined) return;
    const state = (value: Value): string => (value === true ? "on" : "off");
    parameters["XForwardedFor_SLBIP"] = state(header["retrive_slb_ip"]);
    parameters["XForwardedFor_SLBID"] = state(header["retrive_slb_id"]);
    parameters["XForwardedFor_proto"] = state(header["retrive_slb_proto"]);
}

/** True when something that only https listeners have changed. */
async function addHttpsParameters(data: ResourceData, client: Client, parameters: Parameters): Promise<boolean> {
    const certificate = certificateOf(data);
    if (certificate === "") throw missingCertificate(725);
    parameters["ServerCertificateId"] = certificate;
    let needed = data.hasChanges("ssl_certificate_id", "server_certificate_id");
    if (data.hasChange("enable_http2")) {
        parameters["EnableHttp2"] = data.text("enable_http2");
        needed = true;
    }
    if (data.hasChange("tls_cipher_policy") && (await allowsCipherPolicy(data, client))) {
        parameters["TLSCipherPolicy"] = data.text("tls_cipher_policy");
        needed = true;
    }
    if (data.hasChange("ca_certificate_id")) {
        parameters["CACertificateId"] = data.text("ca_certificate_id");
        needed = true;
    }
    return needed;
}

/**
 * Load balancers without a specification accept no policy: the default is skipped on creation, any other is an error.
 */
async function allowsCipherPolicy(data: ResourceData, client: Client): Promise<boolean> {
    const id = data.text("load_balancer_id");
    const specification = (await describeLoadBalancer(client, id).catch(rethrowAt(`${file}:743`)))["LoadBalancerSpec"];
    if (specification !== undefined && specification !== "") return true;
    if (data.isNewResource && data.text("tls_cipher_policy") === "tls_cipher_policy_1_0") return false;
    throw placed(
        new Error(
            'Currently the param "tls_cipher_policy" can not be updated ' +
                'when load balancer instance is "Shared-Performance".',
        ),
        `${file}:748`,
    );
}
