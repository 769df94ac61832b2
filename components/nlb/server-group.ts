import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { NlbHealthCheck, NlbServerGroup, ObservedNlbServerGroup } from "../../provider/nlb/server-group";
import { type Adoption, groupKeep } from "../../provider/plan/adoption";
import { ServerGroupOptions } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { nlbOwnershipKey } from "../../provider/schema/names";
import { placeArgs } from "../service/account";
import * as common from "../service/resources";
import { nlbHooks } from "./hooks";

/** Shortest draining time that the plugin can say, seconds. The cloud takes shorter ones. */
const SHORTEST_DRAIN = 10;

interface NlbServerGroupBase extends Pick<common.LoadBalancerBase, "handle" | "marks" | "dependsOn"> {
    readonly vpcId: pulumi.Input<string>;
    readonly resourceGroup: common.ResourceGroup;
    readonly adoption: Adoption | undefined;
}

/**
 * Creates the server groups, by key. They belong to the VPC, not to the instance.
 *
 * @param deletedWith the instance, if it stays when the Service is deleted: its groups stay too
 */
export function createNlbServerGroups(
    component: common.Component,
    models: readonly NlbServerGroup[],
    base: NlbServerGroupBase,
    deletedWith?: nlb.LoadBalancer,
): Record<string, common.GroupHandle<nlb.ServerGroup>> {
    const { marks, vpcId, resourceGroup, adoption, dependsOn } = base;
    return common.createGroups(
        models,
        base,
        (port, owner, { protocol }) => nlbOwnershipKey(port, protocol, owner),
        (model, serverGroupName) => {
            const { key } = model;
            const identity = { serverGroupName, vpcId, resourceGroupId: resourceGroup.id, tags: marks.tags };
            const kept = adoption?.keep[groupKeep(key)];
            return new nlb.ServerGroup(common.childName(component, key), nlbGroupAttributes(model, identity), {
                parent: component.parent,
                dependsOn: [...dependsOn],
                deletedWith,
                hooks: nlbHooks(component.account).serverGroup,
                ...common.importOptions(adoption?.serverGroups[key], kept, resourceGroup.ignoreChanges),
            });
        },
    );
}

/** Server group arguments that do not come from settings. */
type GroupIdentity = Pick<nlb.ServerGroupArgs, "serverGroupName" | "vpcId" | "resourceGroupId" | "tags">;

/** A server group in the words of the alicloud plugin. */
export function nlbGroupAttributes(
    model: NlbServerGroup | ObservedNlbServerGroup,
    identity: GroupIdentity,
): nlb.ServerGroupArgs {
    return {
        ...identity,
        protocol: model.protocol.toUpperCase(),
        serverGroupType: model.type,
        anyPortEnabled: model.anyPort,
        // Left out for IPv4: plugin and cloud do not write it alike, and a difference would replace the group.
        ...(model.ipVersion === "ipv4" ? {} : { addressIpVersion: "DualStack" }),
        scheduler: model.scheduler,
        connectionDrainEnabled: model.drainTimeout !== undefined,
        ...(model.drainTimeout !== undefined && model.drainTimeout >= SHORTEST_DRAIN
            ? { connectionDrainTimeout: model.drainTimeout }
            : {}),
        preserveClientIpEnabled: model.preserveClientIp,
        healthCheck: healthCheckAttributes(model.healthCheck),
    };
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
    component: common.Component,
    models: readonly NlbServerGroup[],
    groups: Readonly<Record<string, common.GroupHandle>>,
): ServerGroupOptions[] {
    return models.flatMap((model) => {
        const group = groups[model.key]?.resource;
        const options = serverGroupOptions(model);
        if (group === undefined || Object.keys(options).length === 0) return [];
        return new ServerGroupOptions(
            common.childName(component, model.key),
            { serverGroupId: group.id, options, ...placeArgs(component.account) },
            { parent: component.parent, deletedWith: group },
        );
    });
}

/** The plugin keeps the cloud's value of what a program leaves out; so everything that has a default is written out. */
function healthCheckAttributes(check: NlbHealthCheck): pulumi.Unwrap<NonNullable<nlb.ServerGroupArgs["healthCheck"]>> {
    if (!check.enabled) return { healthCheckEnabled: false };
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
