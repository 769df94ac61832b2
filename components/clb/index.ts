import * as pulumi from "@pulumi/pulumi";
import { askedBy, immutableFields, initialCharge } from "../../provider/clb/load-balancer";
import { openAccount } from "../../provider/cloud";
import { findElasticAddresses } from "../../provider/cloud/vpc";
import type { ClbDesired } from "../../provider/plan/desired";
import type { ResourceArgs } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { markedProtectionReason, PROTECTION_REASON } from "../../provider/schema/names";
import type { Settings } from "../../provider/schema/settings";
import type { Component } from "../service/component";
import { cloudFailure } from "../service/failures";
import { releaseHooks } from "../service/hooks";
import {
    type ContractTerms,
    groupResources,
    type InstanceHandle,
    type InstanceResources,
    type LoadBalancerBase,
    type LoadBalancerPlan,
    type LoadBalancerResources,
    type LoadBalancerSpec,
    type SharedInstance,
    sharedName,
} from "../service/resources";
import { createReusedInstance } from "../service/reuse";
import { checkLists, createAcl } from "./acl";
import { checkClbCertificates, createClbListeners } from "./listener";
import { chooseVSwitch, createClbInstance } from "./load-balancer";
import { createClbServerGroups } from "./server-group";

type ClbSpec = LoadBalancerSpec<ClbDesired>;

/** Plans the CLB of a Service, or the use of an existing one. */
export function planClb(component: Component, spec: ClbSpec): LoadBalancerPlan {
    const { desired, cluster, references, adoption, reuse, shared } = spec;
    const { clusterId, ...network } = cluster.ids;
    const vswitchId =
        reuse === undefined && shared === undefined
            ? chooseVSwitch(component, component.subject, desired.loadBalancer, {
                  ...network,
                  reference: references.vswitchId,
                  adopted: adoption?.vswitchId,
              })
            : undefined;
    return {
        terms: shared === undefined ? ownTerms(spec, vswitchId) : sharedTerms(shared, clusterId),
        create: (base) => create(component, spec, base, vswitchId),
    };
}

function sharedTerms({ model, name }: SharedInstance, clusterId: pulumi.Input<string>): ContractTerms {
    const { addressType, ipVersion } = model;
    return { requested: { addressType, ipVersion, id: sharedName({ name }), loadBalancerType: "clb", clusterId } };
}

function ownTerms(
    { service: { settings }, cluster: { facts, ids }, references, adoption, resourceGroup }: ClbSpec,
    vswitchId: pulumi.Input<string> | undefined,
): ContractTerms {
    const charge = initialCharge(settings, facts);
    // Without charge settings an adopted instance keeps its charge.
    const adopted = "instanceChargeType" in charge ? adoption?.instanceChargeType : undefined;
    return {
        requested: {
            ...immutableFields(settings, facts),
            clusterId: ids.clusterId,
            ...defined({ vswitchId, resourceGroupId: references.resourceGroupId }),
        },
        initial: { ...resourceGroup.initial, ...charge, ...defined({ instanceChargeType: adopted }) },
        askedBy: askedBy(settings),
    };
}

/** Creates instance, vServer groups with their backends, and listeners. */
function create(
    component: Component,
    spec: ClbSpec,
    base: LoadBalancerBase,
    vswitchId: pulumi.Input<string> | undefined,
): LoadBalancerResources {
    const { service, desired, references, adoption, shared } = spec;
    const { marks, fill } = base;
    const checked = [
        ...checkClbCertificates(component, desired.listeners, references.certId),
        ...(references.aclId === undefined ? checkLists(component, desired.listeners) : []),
    ];
    const dependsOn = [...base.dependsOn, ...checked];
    const { acl, ...made } = createInstance(component, spec, { ...base, dependsOn }, vswitchId);
    const { instance } = made;
    const groups = createClbServerGroups(component, desired.serverGroups, instance, base, adoption);
    const { backends, bindings } = fill(groups, [instance.resource]);
    const { domains, ...listening } = createClbListeners(component, desired.listeners, {
        instance,
        groups,
        backends,
        owner: marks.owner,
        references,
        ownAclId: acl?.acl.id,
        adoption,
        dependsOn: [...checked, ...(acl === undefined ? [] : [acl.entries])],
    });
    const release = made.release ?? shared?.release;
    return {
        ...made,
        ...listening,
        serverGroups: groupResources(groups),
        backends,
        ingress: ingressOf(component, service.settings, instance),
        others: [...bindings, ...domains, ...(release === undefined ? [] : [release])],
    };
}

/**
 * Creates the instance, or the use of a shared or reused one, and the access control list of its listeners. The list
 * outlives the listeners; the list of a preserved instance stays with it.
 */
function createInstance(
    component: Component,
    { service, desired, cluster, resourceGroup, allowReplacement, adoption, reuse, shared }: ClbSpec,
    base: LoadBalancerBase,
    vswitchId: pulumi.Input<string> | undefined,
): InstanceResources & { readonly acl: ReturnType<typeof createAcl> } {
    const model = desired.loadBalancer;
    const guard = (deletedWith?: pulumi.Resource) =>
        createAcl(component, model, base.marks, defined({ deletedWith, adopted: adoption?.aclId }));
    if (shared !== undefined) {
        const { loadBalancer, address } = shared;
        return { instance: { origin: "shared", id: loadBalancer.id, address, resource: loadBalancer }, acl: guard() };
    }
    const isPreserved = reuse === undefined && model.preserve;
    const acl = isPreserved ? undefined : guard();
    const dependsOn = [...base.dependsOn, ...(acl === undefined ? [] : [acl.acl])];
    if (reuse !== undefined) return { ...createReusedInstance(component, service, reuse, { ...base, dependsOn }), acl };
    const { contract, marks } = base;
    const identity = {
        loadBalancerName: model.name ?? marks.name,
        modificationProtectionReason:
            model.name === undefined ? PROTECTION_REASON : marks.name.apply(markedProtectionReason),
        tags: marks.tags,
        vswitchId,
    };
    const options = { identity, contract, resourceGroup, allowReplacement, adoption };
    const made = createClbInstance(
        component,
        model,
        { ...options, releaseHooks: releaseHooks(cluster) },
        { dependsOn },
    );
    return { ...made, acl: isPreserved ? guard(made.loadBalancer) : acl };
}

/**
 * Returns the ingress status of a Service with a CLB: its host name, else its elastic addresses if requested, else
 * the address of the instance.
 */
function ingressOf(
    { subject, parent, account }: Component,
    { hostname, externalIpType }: Settings,
    { id, address }: InstanceHandle,
): ResourceArgs<"status">["ingress"] {
    if (hostname !== undefined) return [{ hostname }];
    if (externalIpType !== "eip") return [{ ip: address }];
    return pulumi.all([id, address]).apply(async ([loadBalancerId, own]) => {
        const found = await findElasticAddresses(openAccount(account), loadBalancerId).catch((error: unknown) => {
            // The status stays as it is.
            throw new pulumi.RunError(
                `Service ${subject}: the elastic IP addresses of load balancer ${loadBalancerId} cannot be read. ` +
                    cloudFailure(error),
            );
        });
        if (found.length > 0) return found.map((ip) => ({ ip }));
        await pulumi.log.warn(
            `Service ${subject}: no elastic IP address is associated with load balancer ${loadBalancerId}, ` +
                "and its status shows the address of the instance. " +
                "Remedy: associate one with the instance and run again, " +
                "or remove alibaba-cloud-loadbalancer-external-ip-type.",
            parent,
        );
        return [{ ip: own }];
    });
}
