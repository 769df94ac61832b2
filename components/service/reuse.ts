import * as pulumi from "@pulumi/pulumi";
import { formatSentences } from "../../provider/diagnostics";
import { checkReuse } from "../../provider/plan/reuse";
import { ReusedLoadBalancer } from "../../provider/resources";
import { defined, unlessEmpty } from "../../provider/schema/defined";
import { sharePort } from "../../provider/schema/listener-address";
import { clusterUidTag, ownerKey, REUSED_TAG } from "../../provider/schema/names";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { buildReuse, type ReuseRequest, reuses } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import { placeArgs } from "../cluster/account";
import type { ReferenceArgs } from "./args";
import { cloudFailure, clusterFailure } from "../run/failures";
import { logAbout } from "../run/outputs";
import { announcedListeners } from "./hooks";
import type { LiveService } from "./read-service";
import { childName, type Component } from "./component";
import { createUse, type InstanceResources } from "./instance";
import type { LoadBalancerBase, Reuse } from "./plan";
import type { ComponentService } from "./service";

/**
 * Reads the instance that the Service reuses, or undefined if it reuses none.
 *
 * Also logs the warnings: listeners that will be replaced, and attributes that will change.
 */
export function observeReusedInstance(
    component: Component,
    { service, known, cluster, live }: ComponentService,
    references: ReferenceArgs,
    allowed: readonly string[],
): pulumi.Output<Reuse> | undefined {
    if (!reuses(service)) return undefined;
    const observe = async (view: LiveService, request: ReuseRequest): Promise<Reuse> => {
        let found: ObservedLoadBalancer | undefined;
        let clusterUid: string | undefined;
        try {
            found = await cluster.reads.instance(request, component.account);
            // The contract reports a cluster that cannot be read.
            clusterUid = await cluster.reads.identity().then(
                ({ uid }) => uid,
                (error: unknown) => void clusterFailure(error),
            );
        } catch (error) {
            return { request, failure: cloudFailure(error) };
        }
        // An elastic address does not identify the instance, nor does the host name of a CLB, which is the user's.
        const ingress =
            service.settings.externalIpType === "eip" ? [] : (view.live?.status?.loadBalancer?.ingress ?? []);
        const boundTo = ingress.flatMap(
            ({ ip, hostname }) => (request.loadBalancerType === "nlb" ? hostname : ip) || [],
        );
        // An allowed move replaces the cluster in the tag.
        const compared = clusterUid === undefined || allowed.includes("identity") ? {} : { clusterUid };
        const reuse = { request: { ...request, boundTo, ...compared }, ...defined({ found, clusterUid }) };
        announce(component, reuse, allowed.includes("id"));
        return reuse;
    };
    const request = pulumi
        .all([known, cluster.known])
        .apply(([named, facts]) => referring(buildReuse(named as Service, facts, []) as ReuseRequest, references));
    return pulumi.all([live, request]).apply(([one, asked]) => observe(one as LiveService, asked as ReuseRequest));
}

/** Fills in the ids of references once they are known. */
function referring(request: ReuseRequest, references: ReferenceArgs): pulumi.Output<ReuseRequest> {
    const { resourceGroupId, securityGroupIds, bandwidthPackageId, zoneVswitches } = references;
    const { zoneMaps } = request.attributes;
    const network = request.loadBalancerType === "nlb" ? { securityGroupIds, bandwidthPackageId, zoneVswitches } : {};
    return pulumi.output({ resourceGroupId, ...network }).apply((known) => {
        const named = defined({
            securityGroupIds: known.securityGroupIds?.toSorted(),
            bandwidthPackageId: known.bandwidthPackageId,
            zoneMaps: zoneMaps?.map((zone) => ({
                ...zone,
                vswitchId: known.zoneVswitches?.[zone.zoneId] ?? zone.vswitchId,
            })),
        });
        return {
            ...request,
            fixed: { ...request.fixed, ...defined({ resourceGroupId: known.resourceGroupId }) },
            attributes: { ...request.attributes, ...named },
        };
    });
}

function announce({ subject, parent, account }: Component, { request, found }: Reuse, moves: boolean): void {
    for (const finding of checkReuse(request, found, moves).filter(({ severity }) => severity === "warning"))
        logAbout(parent, pulumi.log.warn, `Service ${subject}: ${formatSentences(finding)}`);
    if (!request.manageListeners) return;
    const replaced = (found?.listeners ?? []).filter((listener) =>
        request.listeners.some((shape) => sharePort(shape, listener)),
    );
    announcedListeners(account, request.loadBalancerId, replaced);
}

/** Creates the Service's use of an existing instance. The contract records the instance's former tags first. */
export function createReusedInstance(
    component: Component,
    { loadBalancerType, settings }: Service,
    reuse: pulumi.Output<Reuse>,
    { contract, marks, dependsOn }: Pick<LoadBalancerBase, "contract" | "marks" | "dependsOn">,
): InstanceResources & { readonly reused: ReusedLoadBalancer } {
    const key = marks.owner.apply((owner) => ownerKey(loadBalancerType, owner));
    const used = {
        loadBalancerId: reuse.apply(({ request }) => request.loadBalancerId),
        tags: reuse.apply(({ request, clusterUid }) => ({
            ...request.additionalTags,
            [REUSED_TAG]: "true",
            ...(clusterUid && { [clusterUidTag(request.clusterId)]: clusterUid }),
        })),
        recordedTags: unlessEmpty(settings.additionalResourceTags ?? {}) && contract.formerTags,
    };
    const use = { ...used, key, loadBalancerType, owner: marks.name };
    const remnant = createUse(component, use, { dependsOn: [...dependsOn] });
    const reused = new ReusedLoadBalancer(
        childName(component),
        {
            ...used,
            address: reuse.apply(({ found }) => found?.address ?? ""),
            owner: key,
            loadBalancerType: loadBalancerType === "nlb" ? loadBalancerType : undefined,
            attributes: reuse.apply(({ request }) => request.attributes),
            ...placeArgs(component.account),
        },
        { parent: component.parent, dependsOn: [...dependsOn, remnant] },
    );
    const { loadBalancerId: id, address } = reused;
    return { instance: { origin: "reused", id, address, resource: reused }, reused };
}
