import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { specFor } from "../../provider/clb/load-balancer";
import type { ClbLoadBalancer } from "../../provider/clb/load-balancer";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    PROTECTION_REASON,
} from "../../provider/schema/names";
import {
    LoadBalancerRelease,
    type ReusedLoadBalancer,
    type ServiceContract,
    VSwitchChoice,
} from "../../provider/resources";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import { placeArgs } from "../service/account";
import { accountArgs, childName, type Context, takeOver } from "../service/context";
import { keptInputs, resourceGroupOf, withGroupNote } from "../service/resource-group";
import { type InstanceHandle, protectionsSwitchedOff, type SharedInstance } from "../service/resources";
import { type Reuse, reuseLoadBalancer } from "../service/reuse";
import type { ServiceHandle } from "../service/service";
import { type AclResources, createAcl } from "./acl";
import { releaseHooks } from "../service/hooks";
import { sweepHooks } from "./hooks";

/** Dependencies of the instance. */
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

/** Instance arguments that do not come from settings. */
export interface ClbInstanceIdentity {
    readonly name: pulumi.Input<string>;
    /** Reason of the modification protection, where there is one. */
    readonly reason: pulumi.Input<string>;
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
    readonly vswitchId: pulumi.Input<string> | undefined;
    readonly resourceGroupId: pulumi.Input<string> | undefined;
    readonly charge: InstanceCharge;
}

/** Charge of an instance, as attributes of the alicloud plugin. */
type InstanceCharge = Pick<slb.ApplicationLoadBalancerArgs, "instanceChargeType" | "loadBalancerSpec">;

/** Returns the charge that the contract established when the instance was created. */
export function contractCharge(model: ClbLoadBalancer, { requested }: ServiceContract): InstanceCharge {
    // Other fields may not be known yet.
    const instanceChargeType = requested["instanceChargeType"]!.apply((type) => type ?? model.instanceChargeType);
    return { instanceChargeType, loadBalancerSpec: instanceChargeType.apply((type) => specFor(model, type)!) };
}

/**
 * Inputs whose change replaces the instance if the program allows it: the cloud changes them in one direction only,
 * and the contract refuses other changes.
 */
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
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.ids.clusterId },
        vswitchId,
        resourceGroupId: resourceGroupOf(context),
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

/**
 * Instance attributes of the alicloud plugin. Documented defaults are written out: console edits show as drift, and
 * removed settings return to their defaults.
 */
export function instanceAttributes(
    model: ClbLoadBalancer,
    identity: ClbInstanceIdentity,
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
    identity: ClbInstanceIdentity,
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

/** Resources of a Service that exist before groups and listeners. */
export interface InstanceResources {
    readonly instance: InstanceHandle;
    readonly loadBalancer?: slb.ApplicationLoadBalancer;
    readonly release?: LoadBalancerRelease;
    readonly reused?: ReusedLoadBalancer;
    readonly acl: AclResources | undefined;
}

/** Dependencies of {@link createInstance}. */
export interface InstanceDependencies {
    readonly contract: ServiceContract;
    readonly handle: ServiceHandle;
    readonly vswitchId: pulumi.Input<string> | undefined;
    /** Inputs of the Service's own instance whose change makes another one. */
    readonly replacing: string[];
    /** Undefined for a Service that gets an instance of its own. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
    /** The instance that the program has made for several Services. */
    readonly shared: SharedInstance | undefined;
    readonly dependsOn: readonly pulumi.Resource[];
}

/**
 * Creates the instance of a Service and the access control list of its listeners. The list outlives the listeners;
 * the list of a preserved instance stays with it.
 */
export function createInstance(context: Context, base: InstanceDependencies): InstanceResources {
    const { reuse, shared, handle, vswitchId } = base;
    if (shared !== undefined) {
        const acl = createAcl(context, handle, undefined);
        return {
            instance: {
                origin: "shared",
                id: shared.loadBalancer.id,
                address: shared.address,
                resource: shared.loadBalancer,
            },
            acl,
        };
    }
    if (reuse === undefined && context.desired.loadBalancer.preserve) {
        const made = create(context, base);
        return { ...made, acl: createAcl(context, handle, made.loadBalancer) };
    }
    const acl = createAcl(context, handle, undefined);
    const dependsOn = [...base.dependsOn, ...(acl === undefined ? [] : [acl.acl])];
    if (reuse !== undefined) {
        const instance = reuseLoadBalancer(context, reuse, { contract: base.contract, dependsOn });
        return { instance, reused: instance.resource, acl };
    }
    return {
        ...create(context, { contract: base.contract, handle, vswitchId, replacing: base.replacing, dependsOn }),
        acl,
    };
}

function create(
    context: Context,
    base: InstanceBase,
): { instance: InstanceHandle; loadBalancer: slb.ApplicationLoadBalancer; release: LoadBalancerRelease } {
    const loadBalancer = createLoadBalancer(context, base);
    const instance: InstanceHandle = {
        origin: "created",
        id: loadBalancer.id,
        address: loadBalancer.address,
        resource: loadBalancer,
    };
    return {
        instance,
        loadBalancer,
        release: createRelease(childName(context), context.desired.loadBalancer, loadBalancer, context.account, {
            parent: context.parent,
            ...defined({ hooks: releaseHooks(context.cluster) }),
        }),
    };
}

/**
 * Returns the vSwitch of an internal instance; undefined for an Internet-facing one. A named vSwitch is recorded too:
 * the instance keeps it when the setting is removed.
 */
export function chooseVSwitch(context: Context): pulumi.Input<string> | undefined {
    const { vswitch: selector, address } = context.desired.loadBalancer;
    if (selector === undefined) {
        return undefined;
    }
    const { vpcId, vswitches = [] } = context.cluster.ids;
    const named = context.references.vswitchId ?? selector.named;
    const choice = new VSwitchChoice(
        childName(context),
        {
            service: context.subject,
            ...defined({ named }),
            candidates: [...vswitches],
            rule: selector.rule,
            ...defined({ address, vpcId, adopted: context.adoption?.vswitchId }),
            ...accountArgs(context),
        },
        // It matters once, when the instance is taken over.
        { parent: context.parent, ignoreChanges: ["adopted"] },
    );
    return named ?? choice.chosen;
}
