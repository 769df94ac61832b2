import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { specFor } from "../../provider/builder";
import { LoadBalancerRelease, type ServiceContract } from "../../provider/resources";
import type { ClbLoadBalancer } from "../../provider/model/clb";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    PROTECTION_REASON,
} from "../../provider/model/names";
import type { Account } from "../../provider/schema/account";
import { placeArgs } from "../service/account";
import { keptInputs, withGroupNote } from "../service/resource-group";
import { takeOver } from "../service/take-over";
import { type Context, childName } from "../service/context";
import { sweepHooks } from "./hooks";
import type { ServiceHandle } from "../service/service";
import { protectionsSwitchedOff } from "../service/release";
import { defined } from "../../provider/schema/defined";

/** What the instance stands on. */
export interface InstanceBase {
    /** Knows how the instance is paid for. */
    readonly contract: ServiceContract;
    readonly handle: ServiceHandle;
    /** Only for an internal instance. */
    readonly vswitchId: pulumi.Input<string> | undefined;
    /** Inputs whose change makes another instance. */
    readonly replacing: string[];
    readonly dependsOn: readonly pulumi.Resource[];
}

/** What of an instance is not in its settings. */
export interface InstanceIdentity {
    readonly name: pulumi.Input<string>;
    /** Reason of the modification protection, where there is one. */
    readonly reason: pulumi.Input<string>;
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
    readonly vswitchId: pulumi.Input<string> | undefined;
    readonly resourceGroupId: pulumi.Input<string> | undefined;
    readonly charge: InstanceCharge;
}

/** How an instance is paid for, in the words of the alicloud plugin. */
type InstanceCharge = Pick<slb.ApplicationLoadBalancerArgs, "instanceChargeType" | "loadBalancerSpec">;

/** How an instance is paid for: as its contract has it, which keeps what held when the instance was made. */
export function contractCharge(model: ClbLoadBalancer, { requested }: ServiceContract): InstanceCharge {
    // Other fields may not be known yet, so that this one is taken by itself.
    const instanceChargeType = requested["instanceChargeType"]!.apply((type) => type ?? model.instanceChargeType);
    return { instanceChargeType, loadBalancerSpec: instanceChargeType.apply((type) => specFor(model, type)!) };
}

/** Inputs whose change makes another instance where the program allows it: the cloud changes them in place one way alone, and what it does not change this package refuses. */
export const replacingInputs = (allowReplacement: readonly string[]): string[] =>
    allowReplacement.filter((setting) => setting === "instanceChargeType");

/** The instance of a Service. */
export function createLoadBalancer(
    context: Context,
    { contract, handle, vswitchId, replacing, dependsOn }: InstanceBase,
): slb.ApplicationLoadBalancer {
    const model = context.desired.loadBalancer;
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    const identity = {
        name: model.name ?? ownerName,
        reason: model.name === undefined ? PROTECTION_REASON : ownerName.apply(markedProtectionReason),
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.facts.clusterId },
        vswitchId,
        resourceGroupId: context.references.resourceGroupId ?? model.resourceGroupId,
        charge: contractCharge(model, contract),
    };
    const taken = takeOver(context.adoption?.loadBalancerId, context.adoption?.keep["instance"]);
    return makeInstance(childName(context), model, identity, context.account, {
        parent: context.parent,
        dependsOn: [...dependsOn],
        ...taken,
        replaceOnChanges: replacing,
        ignoreChanges: [...keptInputs(context), ...(taken.ignoreChanges ?? [])],
    });
}

/** An instance in the words of the alicloud plugin. Every attribute that has a documented default is written out, so that console edits show as drift and removed settings go back. */
export function instanceAttributes(
    model: ClbLoadBalancer,
    identity: InstanceIdentity,
): slb.ApplicationLoadBalancerArgs {
    return {
        loadBalancerName: identity.name,
        addressType: model.addressType,
        vswitchId: identity.vswitchId,
        address: model.address,
        addressIpVersion: model.ipVersion,
        masterZoneId: model.masterZoneId,
        slaveZoneId: model.slaveZoneId,
        resourceGroupId: identity.resourceGroupId,
        ...identity.charge,
        internetChargeType: model.internetChargeType,
        bandwidth: model.bandwidth,
        deleteProtection: model.deleteProtection,
        modificationProtectionStatus: model.modificationProtection,
        modificationProtectionReason:
            model.modificationProtection === "ConsoleProtection" ? identity.reason : undefined,
        tags: { ...model.additionalTags, ...identity.tags },
    };
}

/** An instance, made or taken over. */
export function makeInstance(
    name: string,
    model: ClbLoadBalancer,
    identity: InstanceIdentity,
    account: Account,
    opts: pulumi.CustomResourceOptions,
): slb.ApplicationLoadBalancer {
    const hooks = withGroupNote(sweepHooks(account).loadBalancer, identity.resourceGroupId);
    return new slb.ApplicationLoadBalancer(name, instanceAttributes(model, identity), {
        ...opts,
        ...(model.preserve ? { retainOnDelete: true } : {}),
        ...defined({ hooks }),
    });
}

/** Keeps the instance active, and switches its deletion protection off before it is deleted. */
export function createRelease(
    name: string,
    model: ClbLoadBalancer,
    loadBalancer: slb.ApplicationLoadBalancer,
    account: Account,
    opts: pulumi.CustomResourceOptions,
): LoadBalancerRelease {
    const switchesOff = protectionsSwitchedOff({ ...model, deleteProtection: model.deleteProtection === "on" });
    return new LoadBalancerRelease(
        name,
        {
            loadBalancerId: loadBalancer.id,
            ...(model.preserve ? { preserve: true } : {}),
            switchesOff,
            status: "active",
            ...placeArgs(account),
        },
        opts,
    );
}
