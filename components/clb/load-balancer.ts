import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { type ClbLoadBalancer, specFor } from "../../provider/clb/load-balancer";
import type { Adoption } from "../../provider/plan/adoption";
import { type ServiceContract, VSwitchChoice } from "../../provider/resources";
import { placeArgs } from "../service/account";
import type { ClusterIds } from "../service/cluster-args";
import { childName, type Component, importOptions, type Marks, withGroupNote } from "../service/component";
import { createRelease, type InstanceResources, type LoadBalancerSpec } from "../service/resources";
import { clbHooks } from "./hooks";

/** Charge of an instance, as attributes of the alicloud plugin. */
type InstanceCharge = Pick<slb.ApplicationLoadBalancerArgs, "instanceChargeType" | "loadBalancerSpec">;

/** Instance arguments that do not come from settings. */
type ClbInstanceIdentity = InstanceCharge &
    Pick<
        slb.ApplicationLoadBalancerArgs,
        "loadBalancerName" | "vswitchId" | "resourceGroupId" | "modificationProtectionReason"
    > & {
        /** Ownership tags. */
        readonly tags: Marks["tags"];
    };

/** Returns the charge that the contract established when the instance was created. */
function contractCharge(model: ClbLoadBalancer, { requested }: ServiceContract): InstanceCharge {
    // Other fields may not be known yet.
    const instanceChargeType = requested["instanceChargeType"]!.apply((type) => type ?? model.instanceChargeType);
    return { instanceChargeType, loadBalancerSpec: instanceChargeType.apply((type) => specFor(model, type)!) };
}

/**
 * Instance attributes of the alicloud plugin. Documented defaults are written out: console edits show as drift, and
 * removed settings return to their defaults.
 */
export function instanceAttributes(
    model: ClbLoadBalancer,
    { modificationProtectionReason, tags, ...identity }: ClbInstanceIdentity,
): slb.ApplicationLoadBalancerArgs {
    return {
        ...identity,
        addressType: model.addressType,
        address: model.address,
        addressIpVersion: model.ipVersion,
        masterZoneId: model.masterZoneId,
        slaveZoneId: model.slaveZoneId,
        internetChargeType: model.internetChargeType,
        bandwidth: model.bandwidth,
        deleteProtection: model.deleteProtection,
        modificationProtectionStatus: model.modificationProtection,
        modificationProtectionReason:
            model.modificationProtection === "ConsoleProtection" ? modificationProtectionReason : undefined,
        tags: { ...model.additionalTags, ...tags },
    };
}

/** Dependencies of an instance. */
interface ClbInstanceBase extends Pick<LoadBalancerSpec<never>, "resourceGroup" | "allowReplacement"> {
    readonly identity: Omit<ClbInstanceIdentity, keyof InstanceCharge | "resourceGroupId">;
    /** Knows how the instance is paid for. */
    readonly contract: ServiceContract;
    readonly adoption?: Adoption | undefined;
    /** Hooks of the release. Default: none. */
    readonly releaseHooks?: pulumi.ResourceHookBinding | undefined;
}

/** Creates an instance, or imports an adopted one, and what switches its protections off before it is deleted. */
export function createClbInstance(
    component: Component,
    model: ClbLoadBalancer,
    { identity, contract, resourceGroup, allowReplacement, adoption, releaseHooks }: ClbInstanceBase,
    opts: pulumi.CustomResourceOptions,
): Required<Omit<InstanceResources<slb.ApplicationLoadBalancer>, "reused">> {
    const loadBalancer = new slb.ApplicationLoadBalancer(
        childName(component),
        instanceAttributes(model, {
            ...identity,
            ...contractCharge(model, contract),
            resourceGroupId: resourceGroup.id,
        }),
        {
            ...opts,
            parent: component.parent,
            ...importOptions(adoption?.loadBalancerId, adoption?.keep["instance"], resourceGroup.ignoreChanges),
            // The cloud changes it in one direction only; the contract refuses the other one unless it is allowed.
            replaceOnChanges: allowReplacement.filter((setting) => setting === "instanceChargeType"),
            retainOnDelete: model.preserve || undefined,
            hooks: withGroupNote(clbHooks(component.account).loadBalancer, resourceGroup),
        },
    );
    const { id, address } = loadBalancer;
    // It is activated again if it was stopped by hand.
    const release = createRelease(component, model, { loadBalancerId: id, status: "active" }, releaseHooks);
    return { instance: { origin: "created", id, address, resource: loadBalancer }, loadBalancer, release };
}

/**
 * Returns the vSwitch of an internal instance; undefined for an Internet-facing one. A named vSwitch is recorded too:
 * the instance keeps it when the setting is removed.
 *
 * @param service name of the Service or shared load balancer, for messages
 * @param options.reference vSwitch in place of the named one
 * @param options.adopted vSwitch of an adopted instance
 */
export function chooseVSwitch(
    component: Component,
    service: string,
    { vswitch: selector, address }: ClbLoadBalancer,
    options: Pick<ClusterIds, "vpcId" | "vswitches"> & {
        readonly reference?: pulumi.Input<string>;
        readonly adopted?: string;
    },
): pulumi.Input<string> | undefined {
    if (selector === undefined) return undefined;
    const { reference, vpcId, vswitches = [], adopted } = options;
    const named = reference ?? selector.named;
    const { rule } = selector;
    const choice = new VSwitchChoice(
        childName(component),
        { service, named, candidates: vswitches, rule, address, vpcId, adopted, ...placeArgs(component.account) },
        // It matters once, when the instance is taken over.
        { parent: component.parent, ignoreChanges: ["adopted"] },
    );
    return named ?? choice.chosen;
}
