/** The NLB of a Service: instance, listeners, server groups with their backends. */
import { networkCreateOnlyFacts } from "../../provider/build";
import { createBackends } from "../backends";
import { holdService } from "../claim";
import type { NetworkContext } from "../context";
import { createContract } from "../contract";
import type { Exposed, Exposure } from "../exposed";
import { attachBandwidthPackage } from "./bandwidth";
import { createAdditionalCertificates, createNetworkListeners } from "./listener";
import { createNetworkLoadBalancer, createNetworkRelease } from "./loadbalancer";
import { createSecurityGroup } from "./security-group";
import { createGroupOptions, createNetworkServerGroups } from "./servergroup";
import { checkZones, createZones } from "./zones";

/**
 * Makes the NLB of a Service.
 *
 * Server groups outlive the instance, whose listeners use them, so that destroying a Service is one delete for the instance and one for each group, as under CCM. Where
 * the instance is to stay, its groups stay with it, and so are made after it.
 */
export function placeNetwork(context: NetworkContext, wish: Exposure): Exposed {
    const { service, cluster, references, desired } = context;
    const zones = checkZones(context);
    const requested = {
        ...networkCreateOnlyFacts(service, cluster.facts),
        vpcId: zones.vpc,
        ...(references.resourceGroupId === undefined ? {} : { resourceGroupId: references.resourceGroupId }),
    };
    const contract = createContract(context, { requested, allowReplacement: wish.allowReplacement, reuse: undefined });
    const { handle, held } = holdService(context, wish, contract);
    const base = { handle, vpcId: zones.vpc, dependsOn: [contract, ...held] };
    const early = desired.loadBalancer.preserve ? undefined : createNetworkServerGroups(context, base, undefined);
    const securityGroup = createSecurityGroup(context, base);
    const loadBalancer = createNetworkLoadBalancer(context, {
        ...base,
        ownSecurityGroupId: securityGroup?.id,
        replaceable: wish.allowReplacement.length > 0,
        dependsOn: [...base.dependsOn, ...Object.values(early ?? {}).map(({ resource }) => resource)],
    });
    const groups = early ?? createNetworkServerGroups(context, base, loadBalancer);
    const release = createNetworkRelease(context, loadBalancer, groups);
    // An instance takes one change at a time, and no listener meanwhile.
    const inZones = createZones(context, loadBalancer);
    const bandwidth = attachBandwidthPackage(context, loadBalancer, inZones);
    const options = createGroupOptions(context, groups);
    const backends = createBackends(context, groups, options);
    const listeners = createNetworkListeners(context, { loadBalancer, groups, backends, dependsOn: [inZones, ...(bandwidth === undefined ? [] : [bandwidth]), ...options] });
    const certificates = createAdditionalCertificates(context, listeners);
    return {
        contract,
        handle,
        instance: { origin: "created", id: loadBalancer.id, address: loadBalancer.dnsName, resource: loadBalancer },
        loadBalancer,
        reused: undefined,
        release,
        serverGroups: Object.fromEntries(Object.entries(groups).map(([key, { resource }]) => [key, resource])),
        backends,
        listeners,
        listenerOptions: {},
        ingress: { hostname: loadBalancer.dnsName },
        ready: [...Object.values(listeners), ...certificates],
    };
}
