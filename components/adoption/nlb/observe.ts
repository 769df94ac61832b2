/** NLB objects in the words of the alicloud plugin, from the API's own. */
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { observedArguments } from "../../../provider/service/annotations";
import { nlbAddressType } from "../../../provider/nlb/load-balancer";
import type { ObservedNlb, ObservedNlbListener, ObservedNlbServerGroup } from "../../../provider/schema/observed";
import { type Attributes, compareAttributes } from "../../../provider/plan/diff";
import { difference, type Difference } from "../../../provider/plan/adoption";
import { userTags } from "../spec";

type Json = Readonly<Record<string, unknown>>;

/** An instance. Its zones are compared by themselves. */
export function observeNlbInstance(observed: ObservedNlb): Json {
    const { addressType, ipv6AddressType, modificationProtection } = observed;
    return {
        loadBalancerName: observed.name,
        vpcId: observed.vpcId,
        addressType: addressTypeOf(addressType),
        addressIpVersion: observed.ipVersion,
        ipv6AddressType: addressTypeOf(ipv6AddressType),
        crossZoneEnabled: observed.crossZoneEnabled !== "off",
        securityGroupIds: observed.securityGroupIds ?? [],
        resourceGroupId: observed.resourceGroupId,
        deletionProtectionEnabled: observed.deleteProtection === "on",
        modificationProtectionStatus: modificationProtection,
        modificationProtectionReason: observed.modificationProtectionReason,
        cps: observed.cps,
        tags: userTags(observed.tags),
    };
}

const addressTypeOf = (word: string | undefined) =>
    word === "internet" || word === "intranet" ? nlbAddressType(word) : word;

/** A listener. */
export function observeNlbListener({ protocol, attributes, serverGroupId }: ObservedNlbListener): Json {
    const proxy = (attributes["ProxyProtocolV2Config"] ?? {}) as Json;
    return {
        ...observedArguments<pulumi.Unwrap<nlb.ListenerArgs>>("nlb", attributes),
        listenerPort: Number(attributes["ListenerPort"] ?? 0),
        startPort: number(attributes["StartPort"]),
        endPort: number(attributes["EndPort"]),
        listenerProtocol: protocol.toUpperCase(),
        listenerDescription: attributes["ListenerDescription"],
        status: attributes["ListenerStatus"],
        serverGroupId,
        mss: number(attributes["Mss"]),
        proxyProtocolEnabled: attributes["ProxyProtocolEnabled"] === true,
        proxyProtocolConfig: {
            proxyProtocolConfigVpcIdEnabled: proxy["Ppv2VpcIdEnabled"] === true,
            proxyProtocolConfigPrivateLinkEpIdEnabled: proxy["Ppv2PrivateLinkEpIdEnabled"] === true,
            proxyProtocolConfigPrivateLinkEpsIdEnabled: proxy["Ppv2PrivateLinkEpsIdEnabled"] === true,
        },
        certificateIds: attributes["CertificateIds"] ?? [],
        caEnabled: attributes["CaEnabled"] === true,
        caCertificateIds: attributes["CaCertificateIds"] ?? [],
        alpnEnabled: attributes["AlpnEnabled"] === true,
        alpnPolicy: attributes["AlpnPolicy"],
        tags: tagsOf(attributes["Tags"]),
    };
}

/** A server group; its health check is taken apart, because a program says only a part of it. */
export function observeNlbGroup({ name, attributes }: ObservedNlbServerGroup, tags: Json): Json {
    const check = (attributes["HealthCheck"] ?? {}) as Json;
    const drains = attributes["ConnectionDrainEnabled"] === true;
    return {
        serverGroupName: name,
        vpcId: attributes["VpcId"],
        protocol: attributes["Protocol"],
        serverGroupType: attributes["ServerGroupType"],
        anyPortEnabled: attributes["AnyPortEnabled"] === true,
        addressIpVersion: attributes["AddressIPVersion"],
        resourceGroupId: attributes["ResourceGroupId"],
        scheduler: attributes["Scheduler"],
        connectionDrainEnabled: drains,
        connectionDrainTimeout: attributes["ConnectionDrainTimeout"],
        preserveClientIpEnabled: attributes["PreserveClientIpEnabled"] === true,
        "healthCheck.healthCheckEnabled": check["HealthCheckEnabled"] === true,
        "healthCheck.healthCheckType": check["HealthCheckType"],
        "healthCheck.healthCheckConnectPort": check["HealthCheckConnectPort"],
        "healthCheck.healthCheckConnectTimeout": check["HealthCheckConnectTimeout"],
        "healthCheck.healthCheckInterval": check["HealthCheckInterval"],
        "healthCheck.healthyThreshold": check["HealthyThreshold"],
        "healthCheck.unhealthyThreshold": check["UnhealthyThreshold"],
        "healthCheck.healthCheckUrl": check["HealthCheckUrl"],
        "healthCheck.healthCheckDomain": check["HealthCheckDomain"],
        "healthCheck.httpCheckMethod": check["HttpCheckMethod"],
        "healthCheck.healthCheckHttpCodes": check["HealthCheckHttpCode"] ?? [],
        "healthCheck.healthCheckReq": check["HealthCheckReq"],
        "healthCheck.healthCheckExp": check["HealthCheckExp"],
        tags,
    };
}

/** Attributes of a group that the plugin cannot say, by the API's names. */
export function observeNlbGroupOptions({ attributes }: ObservedNlbServerGroup): Json {
    return {
        ConnectionDrainTimeout: attributes["ConnectionDrainTimeout"],
        IpVersionAffinityMode: attributes["IpVersionAffinityMode"],
    };
}

/** Tags as an answer lists them. */
export function tagsOf(rows: unknown): Record<string, string> {
    const list = Array.isArray(rows) ? (rows as readonly Json[]) : [];
    return userTags(
        Object.fromEntries(
            list.map((row) => [String(row["Key"] ?? row["TagKey"]), String(row["Value"] ?? row["TagValue"] ?? "")]),
        ),
    );
}

/** 0 is how the API writes that there is none. */
function number(value: unknown): number | undefined {
    return value === undefined || value === null || Number(value) === 0 ? undefined : Number(value);
}

/**
 * Attributes that the cloud cannot change on an existing object. Adopted with a difference, they would cause a
 * replacement in the next run.
 */
const IMMUTABLE = new Set([
    "vpcId",
    "addressIpVersion",
    "protocol",
    "serverGroupType",
    "anyPortEnabled",
    "listenerPort",
    "startPort",
    "endPort",
    "listenerProtocol",
]);

/** Words that the API takes in any case. */
const WORDS = new Set([
    "addressType",
    "addressIpVersion",
    "ipv6AddressType",
    "scheduler",
    "serverGroupType",
    "protocol",
    "status",
    "healthCheck.healthCheckType",
    "healthCheck.httpCheckMethod",
]);

/** Differences of an object, and the plugin inputs that are not compared when it is imported. */
export interface ComparedAttributes {
    readonly differences: readonly Difference[];
    readonly keep: readonly string[];
}

/** Compares an NLB object in the plugin's words. A part of an input has a point in its name. */
export function compareNlbAttributes(object: string, desired: Attributes, observed: Attributes): ComparedAttributes {
    const found = compareAttributes(object, desired, observed);
    const differences = found
        .filter((one) => !WORDS.has(one.attribute) || one.observed.toLowerCase() !== one.desired.toLowerCase())
        .map((one) => {
            if (IMMUTABLE.has(one.attribute)) return difference({ ...one, verdict: "refused" });
            // The reason is for people.
            return one.attribute === "modificationProtectionReason" ? difference({ ...one, verdict: "note" }) : one;
        });
    return { differences, keep: [...new Set(found.map(({ attribute }) => attribute.split(".")[0] ?? attribute))] };
}
