import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { AclEntries } from "../../provider/resources";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG } from "../../provider/model/names";
import { takeOver } from "../service/take-over";
import { type Context, childName, accountArgs } from "../service/context";
import { sweepHooks } from "./hooks";
import type { ServiceHandle } from "../service/service";
import { defined } from "../../provider/schema/defined";

/** The access control list of a Service's source ranges. */
export interface AclResources {
    readonly acl: slb.Acl;
    /** Listeners wait for them: an empty list lets everyone in. */
    readonly entries: AclEntries;
}

/**
 * A list of our own for `spec.loadBalancerSourceRanges`; undefined where everyone may connect. Its name is the Service's, as that of its instance.
 *
 * @param keptWith the instance, if it stays when the Service is deleted: the list that guards it stays too.
 */
export function createAcl(
    context: Context,
    handle: ServiceHandle,
    keptWith: pulumi.Resource | undefined,
): AclResources | undefined {
    const { sourceRanges, ipVersion } = context.desired.loadBalancer;
    if (sourceRanges.length === 0) {
        return undefined;
    }
    const name = handle.uid.apply(defaultLoadBalancerName);
    const binding = sweepHooks(context.account).acl;
    const acl = new slb.Acl(
        childName(context),
        { name, ipVersion, tags: { [OWNER_TAG]: name, [CLUSTER_TAG]: context.cluster.facts.clusterId } },
        {
            parent: context.parent,
            ...defined({ deletedWith: keptWith, hooks: binding }),
            ...takeOver(context.adoption?.aclId),
        },
    );
    const entries = new AclEntries(
        childName(context),
        {
            aclId: acl.id,
            entries: Object.fromEntries(sourceRanges.map((range) => [range, context.subject])),
            ...accountArgs(context),
        },
        { parent: context.parent, deletedWith: acl },
    );
    return { acl, entries };
}
