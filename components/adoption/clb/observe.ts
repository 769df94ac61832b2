import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { observedArguments } from "../../../provider/annotations";
import { isLayer4 } from "../../../provider/model/clb";
import type { ObservedClb, ObservedClbListener } from "../../../provider/model/observed";
import { userTags } from "../instance";

/** An instance in the words of the alicloud plugin. */
export function observeInstance(observed: ObservedClb): Record<string, unknown> {
    const { name, spec, internetChargeType, ipVersion, modificationProtection, tags, ...same } = observed;
    return {
        ...same,
        loadBalancerName: name,
        loadBalancerSpec: spec,
        addressIpVersion: ipVersion,
        modificationProtectionStatus: modificationProtection,
        internetChargeType: internetChargeType?.replace(/^payby(traffic|bandwidth)$/i, (_, kind: string) =>
            kind.toLowerCase() === "traffic" ? "PayByTraffic" : "PayByBandwidth",
        ),
        tags: userTags(tags),
    };
}

/** A listener in the words of the alicloud plugin. Most of them are the API's with a small first letter. */
export function observeListener({ protocol, port, attributes }: ObservedClbListener): Record<string, unknown> {
    const plain = observedArguments<pulumi.Unwrap<slb.ListenerArgs>>("clb", attributes);
    return {
        ...Object.fromEntries(
            Object.entries(attributes).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
        ),
        ...plain,
        protocol,
        frontendPort: port,
        serverGroupId: attributes["VServerGroupId"],
        aclIds: String(attributes["AclId"] ?? "")
            .split(",")
            .filter((id) => id !== ""),
        healthCheckTimeout: attributes[isLayer4({ protocol }) ? "HealthCheckConnectTimeout" : "HealthCheckTimeout"],
        xForwardedFor: {
            ...plain.xForwardedFor,
            retriveSlbIp: attributes["XForwardedFor_SLBIP"] === "on",
            retriveSlbId: attributes["XForwardedFor_SLBID"] === "on",
        },
    };
}
