import * as pulumi from "@pulumi/pulumi";
import { buildReuse, reuses } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import type { Ingress } from "../../provider/service/objects";
import { ReusedLoadBalancer, type ServiceContract } from "../../provider/resources";
import type { ObservedLoadBalancer } from "../../provider/schema/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import { clusterUidTag, ownerKey, REUSED_TAG } from "../../provider/schema/names";
import { formatSentences } from "../../provider/diagnostics";
import { checkReuse } from "../../provider/plan/reuse";
import { sharePort } from "../../provider/schema/listener-address";
import type { ReferenceArgs } from "./args";
import { type AnyContext, childName, type LiveService, accountArgs } from "./context";
import { cloudFailure, clusterFailure } from "./failures";
import { announceListeners } from "./hooks";
import type { InstanceHandle } from "./resources";
import { defined } from "../../provider/schema/defined";

/** Request of a Service to a reused instance, with the observed instance. */
export interface Reuse {
    readonly request: ReuseRequest;
    /** Absent if it does not exist. */
    readonly found?: ObservedLoadBalancer;
    /** UID of the cluster, for the instance's tag; absent if unknown. */
    readonly clusterUid?: string;
    /** Read error; the contract reports it once. */
    readonly failure?: string;
}

/**
 * Reads the instance that the Service reuses; undefined if it reuses none.
 *
 * Also logs the warnings: listeners that will be replaced, and attributes that will change.
 */
export function observeReusedInstance(context: AnyContext): pulumi.Output<Reuse> | undefined {
    if (!reuses(context.service)) return undefined;
    const observe = async (view: LiveService, request: ReuseRequest): Promise<Reuse> => {
        let found: ObservedLoadBalancer | undefined;
        let clusterUid: string | undefined;
        try {
            found = await context.cluster.instance(request, context.account);
            clusterUid = await uidOf(context);
        } catch (error) {
            return { request, failure: cloudFailure(error) };
        }
        const ingress = view.live?.status?.loadBalancer?.ingress ?? [];
        // An elastic address does not identify the instance.
        const boundTo = context.service.settings.externalIpType === "eip" ? [] : addressesOf(request, ingress);
        // An allowed move replaces the cluster in the tag.
        const compared = clusterUid === undefined || context.moves ? {} : { clusterUid };
        const reuse = {
            request: { ...request, boundTo, ...compared },
            ...defined({ found, clusterUid }),
        };
        await announce(context, reuse);
        return reuse;
    };
    return pulumi
        .all([context.live, requestOf(context)])
        .apply(([live, request]) => observe(live as LiveService, request as ReuseRequest));
}

/** Request with all values, once they are known. */
function requestOf({ known, cluster, references }: AnyContext): pulumi.Output<ReuseRequest> {
    return pulumi
        .all([known, cluster.known])
        .apply(([service, facts]) => referring(buildReuse(service as Service, facts, []) as ReuseRequest, references));
}

/** Fills in the ids of references once they are known. */
function referring(request: ReuseRequest, references: ReferenceArgs): pulumi.Output<ReuseRequest> {
    const { resourceGroupId, securityGroupIds, bandwidthPackageId, zoneVswitches } = references;
    const { zoneMaps } = request.attributes;
    const network = request.loadBalancerType === "nlb" ? { securityGroupIds, bandwidthPackageId, zoneVswitches } : {};
    return pulumi.output({ resourceGroupId, ...network }).apply((known) => ({
        ...request,
        fixed: {
            ...request.fixed,
            ...defined({ resourceGroupId: known.resourceGroupId }),
        },
        attributes: {
            ...request.attributes,
            ...(known.securityGroupIds && { securityGroupIds: [...known.securityGroupIds].sort() }),
            ...defined({
                bandwidthPackageId: known.bandwidthPackageId,
                zoneMaps: zoneMaps?.map((zone) => ({
                    ...zone,
                    vswitchId: known.zoneVswitches?.[zone.zoneId] ?? zone.vswitchId,
                })),
            }),
        },
    }));
}

/** Addresses in the Service's status: the IP of a CLB, whose host name is the user's, or the DNS name of an NLB. */
function addressesOf({ loadBalancerType }: ReuseRequest, ingress: readonly Ingress[]): string[] {
    return ingress.flatMap(({ ip, hostname }) => (loadBalancerType === "nlb" ? hostname : ip) || []);
}

async function announce(context: AnyContext, { request, found }: Reuse): Promise<void> {
    for (const finding of checkReuse(request, found).filter(({ severity }) => severity === "warning")) {
        await pulumi.log.warn(`Service ${context.subject}: ${formatSentences(finding)}`, context.parent);
    }
    const replaced = (found?.listeners ?? []).filter((listener) =>
        request.listeners.some((shape) => sharePort(shape, listener)),
    );
    announceListeners(context.account, request.loadBalancerId, request.manageListeners ? replaced : []);
}

/** UID of the cluster; undefined if it cannot be read, which the contract reports. */
async function uidOf({ cluster }: AnyContext): Promise<string | undefined> {
    const { uid } = await cluster.identity().catch((error: unknown) => {
        clusterFailure(error);
        return { uid: undefined };
    });
    return uid;
}

function tagsOf({ request, clusterUid }: Reuse): Record<string, string> {
    return {
        ...request.additionalTags,
        [REUSED_TAG]: "true",
        ...(clusterUid && { [clusterUidTag(request.clusterId)]: clusterUid }),
    };
}

/** Dependencies of the use of an instance. */
export interface ReuseBase {
    /** Records the instance's former tags first. */
    readonly contract: ServiceContract;
    readonly dependsOn: readonly pulumi.Resource[];
}

/** Creates the Service's use of an existing instance. */
export function reuseLoadBalancer(
    context: AnyContext,
    reuse: pulumi.Output<Reuse>,
    { contract, dependsOn }: ReuseBase,
): InstanceHandle & { readonly resource: ReusedLoadBalancer } {
    const { loadBalancerType } = context.service;
    const resource = new ReusedLoadBalancer(
        childName(context),
        {
            loadBalancerId: reuse.apply(({ request }) => request.loadBalancerId),
            address: reuse.apply(({ found }) => found?.address ?? ""),
            owner: context.owner.apply((owner) => ownerKey(loadBalancerType, owner)),
            ...(loadBalancerType === "clb" ? {} : { loadBalancerType }),
            attributes: reuse.apply(({ request }) => request.attributes),
            tags: reuse.apply(tagsOf),
            ...(Object.keys(context.desired.loadBalancer.additionalTags).length === 0
                ? {}
                : { recordedTags: contract.formerTags }),
            ...accountArgs(context),
        },
        { parent: context.parent, dependsOn: [...dependsOn] },
    );
    return { origin: "reused", id: resource.loadBalancerId, address: resource.address, resource };
}
