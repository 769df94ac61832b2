import type * as pulumi from "@pulumi/pulumi";
import { askedBy, immutableFields, initialCharge } from "../../provider/builder";
import { createBackends, groupResources } from "../service/backends";
import { checkLists } from "./acl-check";
import { checkCertificates } from "./certificate";
import { acquireService } from "../service/claim";
import type { Context } from "../service/context";
import { createContract } from "../service/contract";
import { initialOf } from "../service/resource-group";
import type { ServiceResources, ServiceOptions } from "../service/resources";
import { ingressOf } from "./ingress";
import { createListeners } from "./listener";
import { replacingInputs } from "./load-balancer";
import { createInstance } from "./place";
import { observeReusedInstance } from "../service/reuse";
import { createServerGroups } from "./server-group";
import { type SharedInstance, sharedName } from "../service/shared";
import { chooseVSwitch } from "./vswitch";
import { defined } from "../../provider/schema/defined";

/** Makes the CLB of a Service, or puts the Service on one that is there already: instance, listeners, vServer groups with their backends. */
export function createClb(context: Context, serviceOptions: ServiceOptions): ServiceResources {
    const { shared, allowReplacement } = serviceOptions;
    const reuse = observeReusedInstance(context);
    const vswitchId = reuse === undefined && shared === undefined ? chooseVSwitch(context) : undefined;
    const contract = createContract(context, {
        requested: requestedFields(context, vswitchId, shared),
        initial: shared === undefined ? { ...initialOf(context), ...chargeOf(context) } : {},
        askedBy: shared === undefined ? askedBy(context.service.settings) : {},
        allowReplacement,
        reuse,
    });
    const { handle, held } = acquireService(context, serviceOptions, contract);
    const checked = [...checkCertificates(context), ...checkLists(context)];
    const { instance, acl, loadBalancer, reused, release } = createInstance(context, {
        contract,
        handle,
        vswitchId,
        replacing: replacingInputs(allowReplacement),
        reuse,
        shared,
        dependsOn: [contract, ...held, ...checked],
    });
    const groups = createServerGroups(context, handle, instance);
    const { backends, bindings } = createBackends(context, groups, { contract, handle }, [instance.resource]);
    const created = createListeners(context, {
        instance,
        groups,
        backends,
        ownAclId: acl?.acl.id,
        dependsOn: [...checked, ...(acl === undefined ? [] : [acl.entries])],
    });
    const listeners = Object.fromEntries(Object.entries(created).map(([key, listener]) => [key, listener.resource]));
    const listenerOptions = Object.fromEntries(Object.entries(created).map(([key, { options }]) => [key, options]));
    const released = release ?? shared?.release;
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
        listenerOptions,
        ingress: ingressOf(context, instance),
        ready: [
            ...Object.values(backends),
            ...bindings,
            ...Object.values(listeners),
            ...Object.values(listenerOptions),
            ...Object.values(created).flatMap(({ domains }) => domains),
            ...(released === undefined ? [] : [released]),
        ],
    };
}

/** How the instance is paid for where the Service states nothing: by default, or as one that is taken over is already. */
function chargeOf({ service, cluster, adoption }: Context): Readonly<Record<string, string>> {
    const initial = initialCharge(service.settings, cluster.facts);
    const instanceChargeType = adoption?.instanceChargeType;
    return "instanceChargeType" in initial && instanceChargeType !== undefined ? { instanceChargeType } : initial;
}

function requestedFields(
    context: Context,
    vswitchId: pulumi.Input<string> | undefined,
    shared: SharedInstance | undefined,
): Record<string, pulumi.Input<string>> {
    const { references, service, cluster } = context;
    if (shared !== undefined) {
        const { addressType, ipVersion } = shared.model;
        return {
            addressType,
            ipVersion,
            id: sharedName(shared),
            loadBalancerType: "clb",
            clusterId: cluster.facts.clusterId,
        };
    }
    return {
        ...immutableFields(service.settings, cluster.facts),
        ...defined({ vswitchId, resourceGroupId: references.resourceGroupId }),
    };
}
