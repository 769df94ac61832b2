import * as pulumi from "@pulumi/pulumi";
import { buildReuse } from "../../provider/builder";
import type { Ingress } from "../../provider/kubernetes";
import { ReusedLoadBalancer } from "../../provider/resources";
import type { ObservedLoadBalancer, ReuseRequest } from "../../provider/model/observed";
import { ownerKey, REUSED_TAG } from "../../provider/model/names";
import { formatSentences } from "../../provider/diagnostics";
import { checkReuse, sharePort } from "../../provider/plan";
import type { ReferenceArgs } from "./args";
import { type AnyContext, childName, type LiveService, owner, accountArgs } from "./context";
import { cloudFailure } from "./failures";
import { announceListeners } from "./hooks";
import type { InstanceHandle } from "./instance";

/** What the Service wants of the instance that it names, and what the cloud says of that; `found` is undefined if there is no such instance. */
export interface Reuse {
    readonly wish: ReuseRequest;
    readonly found?: ObservedLoadBalancer;
    /** Why the cloud could not be read; the contract refuses the run for it, in one message. */
    readonly failure?: string;
}

/**
 * Looks at the instance that the Service names, before anything is registered that depends on it. Undefined for a Service that gets an instance of its own.
 *
 * What is only worth knowing is said at once: listeners that will be replaced, and attributes of the instance that will change.
 */
export function observeReusedInstance(context: AnyContext): pulumi.Output<Reuse> | undefined {
    const built = buildReuse(context.service, context.cluster.facts, []);
    if (built === undefined) {
        return undefined;
    }
    const observe = async (view: LiveService, wish: ReuseRequest): Promise<Reuse> => {
        let found: ObservedLoadBalancer | undefined;
        try {
            found = await context.cluster.instance(wish, context.account);
        } catch (error) {
            return { wish, failure: cloudFailure(error) };
        }
        const boundTo = addressesOf(wish, view.live?.status?.loadBalancer?.ingress ?? []);
        const reuse = { wish: { ...wish, boundTo }, ...(found === undefined ? {} : { found }) };
        await announce(context, reuse);
        return reuse;
    };
    return pulumi
        .all([context.live, referring(built, context.references)])
        .apply(([view, wish]) => observe(view as LiveService, wish as ReuseRequest));
}

/** The wish with what it refers to, once that is made. */
function referring(wish: ReuseRequest, references: ReferenceArgs): pulumi.Output<ReuseRequest> {
    const { resourceGroupId, securityGroupIds, bandwidthPackageId, zoneVswitches } = references;
    const { zoneMaps } = wish.attributes;
    const network = wish.loadBalancerType === "nlb" ? { securityGroupIds, bandwidthPackageId, zoneVswitches } : {};
    return pulumi.output({ resourceGroupId, ...network }).apply((known) => ({
        ...wish,
        fixed: {
            ...wish.fixed,
            ...(known.resourceGroupId === undefined ? {} : { resourceGroupId: known.resourceGroupId }),
        },
        attributes: {
            ...wish.attributes,
            ...(known.securityGroupIds === undefined ? {} : { securityGroupIds: [...known.securityGroupIds].sort() }),
            ...(known.bandwidthPackageId === undefined ? {} : { bandwidthPackageId: known.bandwidthPackageId }),
            ...(zoneMaps === undefined
                ? {}
                : {
                      zoneMaps: zoneMaps.map((zone) => ({
                          ...zone,
                          vswitchId: known.zoneVswitches?.[zone.zoneId] ?? zone.vswitchId,
                      })),
                  }),
        },
    }));
}

/** What the Service's status says of its load balancer: the address of a CLB, the DNS name of an NLB. A CLB may bear a host name of the Service's own beside that. */
function addressesOf({ loadBalancerType }: ReuseRequest, ingress: readonly Ingress[]): string[] {
    return ingress.flatMap(({ ip, hostname }) => (loadBalancerType === "nlb" ? hostname : ip) || []);
}

async function announce(context: AnyContext, { wish, found }: Reuse): Promise<void> {
    for (const finding of checkReuse(wish, found).filter(({ severity }) => severity === "warning")) {
        await pulumi.log.warn(`Service ${childName(context)}: ${formatSentences(finding)}`, context.parent);
    }
    const standing = (found?.listeners ?? []).filter((listener) =>
        wish.listeners.some((wanted) => sharePort(wanted, listener)),
    );
    announceListeners(context.account, wish.loadBalancerId, wish.manageListeners ? standing : []);
}

/** The Service's use of an instance that is there already. */
export function reuseLoadBalancer(
    context: AnyContext,
    reuse: pulumi.Output<Reuse>,
    dependsOn: readonly pulumi.Resource[],
): InstanceHandle & { readonly resource: ReusedLoadBalancer } {
    const { loadBalancerType } = context.service;
    const resource = new ReusedLoadBalancer(
        childName(context),
        {
            loadBalancerId: reuse.apply(({ wish }) => wish.loadBalancerId),
            address: reuse.apply(({ found }) => found?.address ?? ""),
            owner: ownerKey(loadBalancerType, owner(context)),
            ...(loadBalancerType === "clb" ? {} : { loadBalancerType }),
            attributes: reuse.apply(({ wish }) => wish.attributes),
            tags: reuse.apply(({ wish }) => ({ ...wish.additionalTags, [REUSED_TAG]: "true" })),
            ...accountArgs(context),
        },
        { parent: context.parent, dependsOn: [...dependsOn] },
    );
    return { origin: "reused", id: resource.loadBalancerId, address: resource.address, resource };
}
