import * as pulumi from "@pulumi/pulumi";
import { CloudError, openAccount } from "../../provider/cloud";
import { findElasticAddresses } from "../../provider/cloud/vpc";
import { askedBy, immutableFields, initialCharge } from "../../provider/clb/load-balancer";
import type { ResourceArgs } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { createBackends, groupResources } from "../service/backends";
import { acquireService } from "../service/claim";
import type { Context } from "../service/context";
import { createContract } from "../service/contract";
import { initialOf } from "../service/resource-group";
import {
    type InstanceHandle,
    type ServiceOptions,
    type ServiceResources,
    type SharedInstance,
    sharedName,
} from "../service/resources";
import { observeReusedInstance } from "../service/reuse";
import { checkLists } from "./acl";
import { checkCertificates, createListeners } from "./listener";
import { chooseVSwitch, createInstance, replacingInputs } from "./load-balancer";
import { createServerGroups } from "./server-group";

/** Creates the CLB of a Service, or uses an existing one: instance, listeners, vServer groups with their backends. */
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

/** Returns the charge of an instance without charge settings: the default, or that of the adopted instance. */
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
            clusterId: cluster.ids.clusterId,
        };
    }
    return {
        ...immutableFields(service.settings, cluster.facts),
        clusterId: cluster.ids.clusterId,
        ...defined({ vswitchId, resourceGroupId: references.resourceGroupId }),
    };
}

/**
 * Returns the ingress status of a Service with a CLB: its host name, else its elastic addresses if requested, else
 * the address of the instance.
 */
export function ingressOf(context: Context, { id, address }: InstanceHandle): ResourceArgs<"status">["ingress"] {
    const { hostname, externalIpType } = context.service.settings;
    if (hostname !== undefined) return [{ hostname }];
    if (externalIpType !== "eip") return [{ ip: address }];
    return pulumi.all([id, address]).apply(async ([loadBalancerId, own]) => {
        const found = await elasticAddresses(context, loadBalancerId);
        if (found.length > 0) return found.map((ip) => ({ ip }));
        await pulumi.log.warn(
            `Service ${context.subject}: no elastic IP address is associated with load balancer ${loadBalancerId}, ` +
                "so that its status shows the address of the instance. " +
                "Remedy: associate one with the instance and run again, " +
                "or remove alibaba-cloud-loadbalancer-external-ip-type.",
            context.parent,
        );
        return [{ ip: own }];
    });
}

/** A failure is no answer: what the status says stays as it is then. */
async function elasticAddresses(context: Context, loadBalancerId: string): Promise<string[]> {
    try {
        return await findElasticAddresses(openAccount(context.account), loadBalancerId);
    } catch (error) {
        if (!(error instanceof CloudError)) throw error;
        throw new pulumi.RunError(
            `Service ${context.subject}: the elastic IP addresses of load balancer ${loadBalancerId} cannot be read. ` +
                error.message,
        );
    }
}
