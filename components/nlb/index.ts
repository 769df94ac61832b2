/** The NLB of a Service: instance, listeners, server groups with their backends. */
import type * as pulumi from "@pulumi/pulumi";
import { networkCreateOnlyFacts } from "../../provider/build";
import type { ZoneCheck } from "../../provider/dynamic";
import { createBackends, groupResources } from "../backends";
import { holdService } from "../claim";
import type { NetworkContext } from "../context";
import { createContract } from "../contract";
import type { Exposed, Exposure } from "../exposed";
import { lookAtInstance, type Reuse } from "../reuse";
import { createAdditionalCertificates, createNetworkListeners } from "./listener";
import { makeNetworkInstance, useNetworkInstance } from "./place";
import { createGroupOptions } from "./servergroup";
import { checkReusedZones, checkZones } from "./zones";

/** Makes the NLB of a Service, or puts the Service on one that is there already. */
export function placeNetwork(context: NetworkContext, wish: Exposure): Exposed {
    const reuse = lookAtInstance(context);
    const { vpcId, looks } = locate(context, reuse);
    const contract = createContract(context, {
        requested: requestedFacts(context, reuse === undefined ? vpcId : undefined),
        allowReplacement: wish.allowReplacement,
        reuse,
    });
    const { handle, held } = holdService(context, wish, contract);
    const base = { handle, vpcId, dependsOn: [contract, ...held, ...looks] };
    const { instance, groups, loadBalancer, release, reused, changes } =
        reuse === undefined
            ? makeNetworkInstance(context, base, wish.allowReplacement.length > 0)
            : useNetworkInstance(context, base, reuse);
    const options = createGroupOptions(context, groups);
    const backends = createBackends(context, groups, [...options, ...(reused === undefined ? [] : [reused])]);
    const listeners = createNetworkListeners(context, {
        instance,
        groups,
        backends,
        dependsOn: [...changes, ...options],
    });
    const certificates = createAdditionalCertificates(context, listeners);
    return {
        contract,
        handle,
        instance,
        loadBalancer,
        reused,
        release,
        serverGroups: groupResources(groups),
        backends,
        listeners,
        listenerOptions: {},
        ingress: { hostname: instance.address },
        ready: [...Object.values(backends), ...Object.values(listeners), ...certificates],
    };
}

/** The VPC that the server groups belong to, which is that of the instance, and who must have looked at its vSwitches before anything is made. */
function locate(
    context: NetworkContext,
    reuse: pulumi.Output<Reuse> | undefined,
): { readonly vpcId: pulumi.Output<string>; readonly looks: readonly ZoneCheck[] } {
    if (reuse === undefined) {
        return { vpcId: checkZones(context).vpc, looks: [] };
    }
    const there = reuse.apply(({ found }) => found?.vpcId ?? "");
    return {
        vpcId: there,
        looks: context.desired.loadBalancer.zones.length === 0 ? [] : [checkReusedZones(context, there)],
    };
}

function requestedFacts(
    { service, cluster, references }: NetworkContext,
    vpcId: pulumi.Input<string> | undefined,
): Record<string, pulumi.Input<string>> {
    return {
        ...networkCreateOnlyFacts(service, cluster.facts),
        ...(vpcId === undefined ? {} : { vpcId }),
        ...(references.resourceGroupId === undefined ? {} : { resourceGroupId: references.resourceGroupId }),
    };
}
