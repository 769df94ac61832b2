/** The NLB of a Service: instance, listeners, server groups with their backends. */
import type * as pulumi from "@pulumi/pulumi";
import { nlbImmutableFields } from "../../provider/nlb/load-balancer";
import type { ZoneCheck } from "../../provider/resources";
import { createBackends, groupResources } from "../service/backends";
import { acquireService } from "../service/claim";
import type { NlbContext } from "../service/context";
import { createContract } from "../service/contract";
import { initialOf } from "../service/resource-group";
import type { ServiceResources, ServiceOptions } from "../service/resources";
import { observeReusedInstance, type Reuse } from "../service/reuse";
import { checkNlbCertificates, createAdditionalCertificates, createNlbListeners } from "./listener";
import { createNlbInstance, reuseInstance } from "./load-balancer";
import { createServerGroupOptions } from "./server-group";
import { checkReusedZones, checkZones } from "./zones";
import { defined } from "../../provider/schema/defined";

/** Makes the NLB of a Service, or puts the Service on one that is there already. */
export function createNlb(context: NlbContext, serviceOptions: ServiceOptions): ServiceResources {
    const reuse = observeReusedInstance(context);
    const { vpcId, looks } = locate(context, reuse);
    const contract = createContract(context, {
        requested: requestedFields(context, reuse === undefined ? vpcId : undefined),
        initial: initialOf(context),
        askedBy: {},
        allowReplacement: serviceOptions.allowReplacement,
        reuse,
    });
    const { handle, held } = acquireService(context, serviceOptions, contract);
    const checked = checkNlbCertificates(context);
    const base = { contract, handle, vpcId, dependsOn: [contract, ...held, ...looks, ...checked] };
    const { instance, groups, loadBalancer, release, reused, changes } =
        reuse === undefined
            ? createNlbInstance(context, base, serviceOptions.allowReplacement.length > 0)
            : reuseInstance(context, base, reuse);
    const options = createServerGroupOptions(context, groups);
    const { backends, bindings } = createBackends(context, groups, { contract, handle }, [
        ...options,
        ...(reused === undefined ? [] : [reused]),
    ]);
    const listeners = createNlbListeners(context, {
        instance,
        groups,
        backends,
        dependsOn: [...changes, ...options, ...checked],
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
        ingress: [{ hostname: instance.address }],
        ready: [
            ...Object.values(backends),
            ...bindings,
            ...Object.values(listeners),
            ...certificates,
            ...(release === undefined ? [] : [release]),
        ],
    };
}

/**
 * Returns the VPC of the server groups (that of the instance), and the checks of the vSwitches of a reused instance.
 */
function locate(
    context: NlbContext,
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

function requestedFields(
    { service, cluster, references }: NlbContext,
    vpcId: pulumi.Input<string> | undefined,
): Record<string, pulumi.Input<string>> {
    return {
        ...nlbImmutableFields(service, cluster.facts),
        clusterId: cluster.ids.clusterId,
        ...defined({ vpcId, resourceGroupId: references.resourceGroupId }),
    };
}
