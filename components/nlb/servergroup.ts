import * as nlb from "@pulumi/alicloud/nlb";
import * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, networkOwnershipKey, OWNER_TAG } from "../../provider/model/names";
import type { NetworkHealthCheck, NetworkServerGroup } from "../../provider/model/nlb/servergroup";
import type { PlacedBackends } from "../backends";
import { childName, type NetworkContext, owner } from "../context";
import type { ServiceHandle } from "../service";
import { networkSweepHooks } from "./hooks";

/** A server group in the making: its model, its resource, and what its backends need of it. */
export interface PlacedNetworkGroup extends PlacedBackends {
    readonly model: NetworkServerGroup;
    readonly resource: nlb.ServerGroup;
}

/** Shortest draining time that the plugin can say, seconds. The cloud takes shorter ones. */
export const SHORTEST_DRAIN = 10;

/**
 * The server groups, by key. They belong to the VPC, not to the instance.
 *
 * @param keptWith the instance, if it stays when the Service goes: its groups stay too.
 */
export function createNetworkServerGroups(context: NetworkContext, handle: ServiceHandle, keptWith: nlb.LoadBalancer | undefined): Record<string, PlacedNetworkGroup> {
    return Object.fromEntries(context.desired.serverGroups.map((model) => [model.key, createServerGroup(context, handle, model, keptWith)]));
}

function createServerGroup(context: NetworkContext, handle: ServiceHandle, model: NetworkServerGroup, keptWith: nlb.LoadBalancer | undefined): PlacedNetworkGroup {
    const [port] = model.ports;
    const nodePort = model.kind === "ecs" && port !== undefined ? handle.nodePort(port) : undefined;
    const named = pulumi.output<number | string | undefined>(nodePort ?? model.range ?? model.backendPort);
    const mark = named.apply((text) => networkOwnershipKey(text ?? "", model.protocol, owner(context)));
    const { loadBalancer } = context.desired;
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    const binding = networkSweepHooks(context.region).serverGroup;
    const resource = new nlb.ServerGroup(
        childName(context, model.key),
        {
            serverGroupName: mark,
            vpcId: loadBalancer.vpcId,
            protocol: model.protocol,
            serverGroupType: model.type,
            anyPortEnabled: model.anyPort,
            // Left out for IPv4: plugin and cloud do not write it alike, and a difference would replace the group.
            ...(model.ipVersion === "ipv4" ? {} : { addressIpVersion: "DualStack" }),
            resourceGroupId: context.references.resourceGroupId ?? loadBalancer.resourceGroupId,
            scheduler: model.scheduler,
            connectionDrainEnabled: model.drainTimeout !== undefined,
            ...(model.drainTimeout !== undefined && model.drainTimeout >= SHORTEST_DRAIN ? { connectionDrainTimeout: model.drainTimeout } : {}),
            preserveClientIpEnabled: model.preserveClientIp,
            healthCheck: healthCheckAttributes(model.healthCheck),
            tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.facts.clusterId },
        },
        { parent: context.parent, ...(keptWith === undefined ? {} : { deletedWith: keptWith }), ...(binding === undefined ? {} : { hooks: binding }) },
    );
    const memberPort = nodePort ?? (model.anyPort ? pulumi.output(0) : undefined);
    return { model, resource, mark, groupType: model.type, nodePort: memberPort };
}

/** The plugin keeps the cloud's value of what a program leaves out; so everything that has a default is written out. */
function healthCheckAttributes(check: NetworkHealthCheck): pulumi.Unwrap<NonNullable<nlb.ServerGroupArgs["healthCheck"]>> {
    if (!check.enabled) {
        return { healthCheckEnabled: false };
    }
    return {
        healthCheckEnabled: true,
        healthCheckType: check.type,
        healthCheckConnectPort: check.connectPort,
        healthCheckConnectTimeout: check.connectTimeout,
        healthCheckInterval: check.interval,
        healthyThreshold: check.healthyThreshold,
        unhealthyThreshold: check.unhealthyThreshold,
        ...(check.http === undefined
            ? {}
            : {
                  healthCheckUrl: check.http.url,
                  healthCheckDomain: check.http.domain,
                  httpCheckMethod: check.http.method,
                  healthCheckHttpCodes: [...check.http.codes],
              }),
    };
}
