import * as nlb from "@pulumi/alicloud/nlb";
import * as pulumi from "@pulumi/pulumi";
import { ServerGroupOptions } from "../../provider/resources";
import { CLUSTER_TAG, defaultLoadBalancerName, nlbOwnershipKey, OWNER_TAG } from "../../provider/schema/names";
import type { NlbHealthCheck, NlbServerGroup, ObservedNlbServerGroup } from "../../provider/nlb/server-group";
import type { BackendsResources } from "../service/resources";
import { accountArgs, childName, type NlbContext, takeOver } from "../service/context";
import { groupKeep } from "../../provider/plan/adoption";
import { keptInputs, resourceGroupOf } from "../service/resource-group";
import type { NlbBase } from "./base";
import { nlbSweepHooks } from "./hooks";
import { defined } from "../../provider/schema/defined";

/** A server group in the making: its model, its resource, and what its backends need of it. */
export interface NlbServerGroupHandle extends BackendsResources {
    readonly model: NlbServerGroup;
    /** Undefined if the group is user-managed. */
    readonly resource: nlb.ServerGroup | undefined;
}

/** Shortest draining time that the plugin can say, seconds. The cloud takes shorter ones. */
const SHORTEST_DRAIN = 10;

/**
 * The server groups, by key. They belong to the VPC, not to the instance.
 *
 * @param keptWith the instance, if it stays when the Service is deleted: its groups stay too.
 */
export function createNlbServerGroups(
    context: NlbContext,
    base: NlbBase,
    keptWith: nlb.LoadBalancer | undefined,
): Record<string, NlbServerGroupHandle> {
    return Object.fromEntries(
        context.desired.serverGroups.map((model) => [model.key, placeServerGroup(context, base, model, keptWith)]),
    );
}

function placeServerGroup(
    context: NlbContext,
    base: NlbBase,
    model: NlbServerGroup,
    keptWith: nlb.LoadBalancer | undefined,
): NlbServerGroupHandle {
    const { handle } = base;
    const [port] = model.ports;
    const nodePort = model.kind === "ecs" && port !== undefined ? handle.nodePort(port) : undefined;
    const named = pulumi.output<number | string | undefined>(nodePort ?? model.range ?? model.backendPort);
    const mark = pulumi
        .all([named, context.owner])
        .apply(([text, owner]) => nlbOwnershipKey(text ?? "", model.protocol, owner));
    const resource = model.joined === undefined ? createServerGroup(context, base, model, mark, keptWith) : undefined;
    const memberPort = nodePort ?? (model.anyPort ? pulumi.output(0) : undefined);
    return {
        model,
        id: resource?.id ?? pulumi.output(model.joined ?? ""),
        resource,
        mark,
        groupType: model.type,
        nodePort: memberPort,
    };
}

/** Server group arguments that do not come from settings. */
export interface GroupIdentity {
    readonly name: pulumi.Input<string>;
    readonly vpcId: pulumi.Input<string>;
    /** Value of the ownership tag. */
    readonly ownerName: pulumi.Input<string>;
    readonly clusterId: pulumi.Input<string>;
    readonly resourceGroupId: pulumi.Input<string> | undefined;
}

/** A server group in the words of the alicloud plugin. */
export function nlbGroupAttributes(
    model: NlbServerGroup | ObservedNlbServerGroup,
    identity: GroupIdentity,
): nlb.ServerGroupArgs {
    const { name, vpcId, ownerName, clusterId, resourceGroupId } = identity;
    return {
        serverGroupName: name,
        vpcId,
        protocol: model.protocol.toUpperCase(),
        serverGroupType: model.type,
        anyPortEnabled: model.anyPort,
        // Left out for IPv4: plugin and cloud do not write it alike, and a difference would replace the group.
        ...(model.ipVersion === "ipv4" ? {} : { addressIpVersion: "DualStack" }),
        resourceGroupId,
        scheduler: model.scheduler,
        connectionDrainEnabled: model.drainTimeout !== undefined,
        ...(model.drainTimeout !== undefined && model.drainTimeout >= SHORTEST_DRAIN
            ? { connectionDrainTimeout: model.drainTimeout }
            : {}),
        preserveClientIpEnabled: model.preserveClientIp,
        healthCheck: healthCheckAttributes(model.healthCheck),
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: clusterId },
    };
}

function createServerGroup(
    context: NlbContext,
    { handle, vpcId, dependsOn }: NlbBase,
    model: NlbServerGroup,
    name: pulumi.Output<string>,
    keptWith: nlb.LoadBalancer | undefined,
): nlb.ServerGroup {
    const binding = nlbSweepHooks(context.account).serverGroup;
    const taken = takeOver(context.adoption?.serverGroups[model.key], context.adoption?.keep[groupKeep(model.key)]);
    return new nlb.ServerGroup(
        childName(context, model.key),
        nlbGroupAttributes(model, {
            name,
            vpcId,
            ownerName: handle.uid.apply(defaultLoadBalancerName),
            clusterId: context.cluster.ids.clusterId,
            resourceGroupId: resourceGroupOf(context),
        }),
        {
            parent: context.parent,
            dependsOn: [...dependsOn],
            ...taken,
            ignoreChanges: [...keptInputs(context), ...(taken.ignoreChanges ?? [])],
            ...defined({ deletedWith: keptWith, hooks: binding }),
        },
    );
}

/** Affinity by IP version: a dual-stack group prefers backends of the client's version, or any. */
const AFFINITY = { ipv4: undefined, ipv6: "NonAffinity", dualstack: "Affinity" } as const;

/** Server group attributes that the plugin cannot set, or only in part, by the API's names. */
export function serverGroupOptions({ drainTimeout, ipVersion }: NlbServerGroup): Record<string, string> {
    return defined({
        ConnectionDrainTimeout: drainTimeout?.toString(),
        IpVersionAffinityMode: AFFINITY[ipVersion],
    });
}

/** Sets what the plugin cannot say of the groups; no resource where there is nothing to set. */
export function createServerGroupOptions(
    context: NlbContext,
    groups: Readonly<Record<string, NlbServerGroupHandle>>,
): ServerGroupOptions[] {
    return Object.values(groups).flatMap(({ model, resource }) => {
        const options = serverGroupOptions(model);
        if (resource === undefined || Object.keys(options).length === 0) {
            return [];
        }
        const args = { serverGroupId: resource.id, options, ...accountArgs(context) };
        return [
            new ServerGroupOptions(childName(context, model.key), args, {
                parent: context.parent,
                deletedWith: resource,
            }),
        ];
    });
}

/** The plugin keeps the cloud's value of what a program leaves out; so everything that has a default is written out. */
function healthCheckAttributes(check: NlbHealthCheck): pulumi.Unwrap<NonNullable<nlb.ServerGroupArgs["healthCheck"]>> {
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
        ...(check.http && {
            healthCheckUrl: check.http.url,
            healthCheckDomain: check.http.domain,
            httpCheckMethod: check.http.method,
            healthCheckHttpCodes: [...check.http.codes],
        }),
    };
}
