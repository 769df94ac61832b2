import type * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerRelease, ReusedLoadBalancer } from "../../provider/resources";
import { groupResources } from "../service/backends";
import type { NlbContext } from "../service/context";
import type { InstanceHandle } from "../service/instance";
import { type Reuse, reuseLoadBalancer } from "../service/reuse";
import { attachBandwidthPackage } from "./bandwidth";
import type { NlbBase } from "./base";
import { createLoadBalancer, createRelease } from "./load-balancer";
import { createSecurityGroup } from "./security-group";
import { createServerGroups, type ServerGroupHandle } from "./server-group";
import { createZones } from "./zones";

/** What a Service gets, or uses, before servers and listeners are made. */
export interface NlbResources {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, ServerGroupHandle>>;
    readonly loadBalancer?: nlb.LoadBalancer;
    readonly release?: LoadBalancerRelease;
    readonly reused?: ReusedLoadBalancer;
    /** What changes the instance, which takes one change at a time and no listener meanwhile. */
    readonly changes: readonly pulumi.Resource[];
}

/**
 * Makes the instance of a Service with its server groups.
 *
 * Groups outlive the instance, whose listeners use them, so that destroying a Service is one delete for the instance and one for each group, as under CCM. Where
 * the instance is to stay, its groups stay with it, and so are made after it.
 *
 * @param replaceable whether a new instance may take the place of the one that is there.
 */
export function createInstance(context: NlbContext, base: NlbBase, replaceable: boolean): NlbResources {
    const early = context.desired.loadBalancer.preserve ? undefined : createServerGroups(context, base, undefined);
    const securityGroup = createSecurityGroup(context, base);
    const loadBalancer = createLoadBalancer(context, {
        ...base,
        // One that is taken over is known before the run, and what is imported must be known then.
        ownSecurityGroupId:
            securityGroup === undefined ? undefined : (context.adoption?.securityGroupId ?? securityGroup.id),
        replaceable,
        dependsOn: [...base.dependsOn, ...Object.values(groupResources(early ?? {}))],
    });
    const groups = early ?? createServerGroups(context, base, loadBalancer);
    const release = createRelease(context, loadBalancer, groups);
    // An instance takes one change at a time, and no listener meanwhile.
    const inZones = createZones(context, loadBalancer);
    const bandwidth = attachBandwidthPackage(context, loadBalancer, inZones);
    return {
        instance: { origin: "created", id: loadBalancer.id, address: loadBalancer.dnsName, resource: loadBalancer },
        groups,
        loadBalancer,
        release,
        changes: [inZones, ...(bandwidth === undefined ? [] : [bandwidth])],
    };
}

/** Puts a Service on a user-managed instance. Its server groups outlive the use of the instance too: whoever else uses one of them is named before anything is deleted. */
export function reuseInstance(context: NlbContext, base: NlbBase, reuse: pulumi.Output<Reuse>): NlbResources {
    const groups = createServerGroups(context, base, undefined);
    const dependsOn = [...base.dependsOn, ...Object.values(groupResources(groups))];
    const instance = reuseLoadBalancer(context, reuse, { contract: base.contract, dependsOn });
    return { instance, groups, reused: instance.resource, changes: [instance.resource] };
}
