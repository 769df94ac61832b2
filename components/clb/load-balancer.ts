import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import * as clb from "../../provider/clb/load-balancer";
import { findElasticAddresses, openAccount } from "../../provider/cloud";
import type { Adoption } from "../../provider/plan/adoption";
import type { ClbDesired } from "../../provider/plan/desired";
import { LoadBalancerRelease, type ResourceArgs, VSwitchChoice } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { markedProtectionReason, ownerKey, ownershipKey, PROTECTION_REASON } from "../../provider/schema/names";
import type { ServerGroup } from "../../provider/schema/server-group";
import type { Settings } from "../../provider/schema/settings";
import { ipVersionOf } from "../../provider/service/annotations";
import { placeArgs } from "../cluster/account";
import type { ClusterIds } from "../cluster/args";
import { cloudFailure } from "../run/failures";
import { releaseHooks } from "../service/hooks";
import { childName, type Component, importOptions } from "../service/component";
import { createGroups, groupResources } from "../service/group";
import {
    createRemnant,
    createUse,
    type InstanceHandle,
    type InstanceResources,
    releaseInputs,
    type SharedInstance,
    sharedName,
} from "../service/instance";
import type { Marks } from "../service/marks";
import type {
    ContractTerms,
    LoadBalancerBase,
    LoadBalancerPlan,
    LoadBalancerResources,
    LoadBalancerSpec,
} from "../service/plan";
import { withGroupNote } from "../service/resource-group";
import { createReusedInstance } from "../service/reuse";
import { checkLists, createAcl } from "./acl";
import { clbHooks } from "./hooks";
import { checkClbCertificates, createClbListeners } from "./listener";

type ClbSpec = LoadBalancerSpec<ClbDesired>;

/** Plans the CLB of a Service, or the use of an existing CLB. */
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
    return {
        requested: { addressType, ipVersion, id: sharedName({ name }), loadBalancerType: "clb", clusterId },
    };
}

function ownTerms(
    { service: { settings }, cluster: { facts, ids }, references, adoption, resourceGroup }: ClbSpec,
    vswitchId: pulumi.Input<string> | undefined,
): ContractTerms {
    const charge = clb.initialCharge(settings, facts);
    // Without charge settings an adopted instance keeps its charge.
    const adopted = "instanceChargeType" in charge ? adoption?.instanceChargeType : undefined;
    return {
        requested: {
            ...clb.immutableFields(settings, facts),
            clusterId: ids.clusterId,
            ...defined({ vswitchId, resourceGroupId: references.resourceGroupId }),
        },
        initial: { ...resourceGroup.initial, ...charge, ...defined({ instanceChargeType: adopted }) },
        askedBy: clb.askedBy(settings),
    };
}

/**
 * True if a TCP and a UDP port of the same number share the node port, and therefore the name of their groups: an empty
 * group of the name may be the other's, and no remnant. A remnant goes with the Service then.
 */
const hasTwin = ({ key, kind, ports }: ServerGroup, all: readonly ServerGroup[]): boolean =>
    kind === "ecs" && all.some((other) => other.key !== key && other.ports[0]?.port === ports[0]?.port);

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
        ...(references.aclId === undefined
            ? checkLists(component, desired.listeners, ipVersionOf(service.settings))
            : []),
    ];
    const dependsOn = [...base.dependsOn, ...checked];
    const { acl, ...made } = createInstance(component, spec, { ...base, dependsOn }, vswitchId);
    const { instance } = made;
    const release = made.release ?? shared?.release;
    const hooks = clbHooks(component.account).serverGroup;
    const groups = createGroups(desired.serverGroups, base, ownershipKey, (model, name) => {
        const { key } = model;
        const options = {
            parent: component.parent,
            // The cloud deletes groups with their instance, without a call each.
            deletedWith: instance.resource,
            // An instance that cannot be released yet is empty.
            dependsOn: release,
            // Else the plugin would delete a group before its replacement exists, while its listener uses it.
            deleteBeforeReplace: false,
            hooks: hooks && hasTwin(model, desired.serverGroups) ? { onError: hooks.onError } : hooks,
            ...importOptions(adoption?.serverGroups[key]),
        };
        return new slb.ServerGroup(childName(component, key), { loadBalancerId: instance.id, name }, options);
    });
    const { backends, bindings } = fill(groups, made.reused === undefined ? [] : [made.reused]);
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
 * Creates the instance, or the use of a shared or reused instance, and the access control list of its listeners. The
 * list outlives the listeners, and the list of a preserved instance stays with it.
 */
function createInstance(
    component: Component,
    { service, desired, cluster, resourceGroup, allowReplacement, adoption, reuse, shared }: ClbSpec,
    base: LoadBalancerBase,
    vswitchId: pulumi.Input<string> | undefined,
): InstanceResources & { readonly acl: ReturnType<typeof createAcl> } {
    const model = desired.loadBalancer;
    const { contract, marks } = base;
    const precede = (name?: pulumi.Input<string>) =>
        createRemnant(component, model, { loadBalancerType: "clb", name, owner: marks.name }, base.dependsOn);
    const guard = (remnant: pulumi.Resource, deletedWith?: pulumi.Resource) =>
        createAcl(component, model, marks, { remnant, ...defined({ deletedWith, adopted: adoption?.aclId }) });
    // What else a Service makes on an instance of others is found there.
    const guardOthers = () => {
        const acl = model.sourceRanges.length === 0 ? undefined : guard(precede());
        return { acl, dependsOn: [...base.dependsOn, ...(acl === undefined ? [] : [acl.acl])] };
    };
    if (shared !== undefined) {
        const { acl, dependsOn } = guardOthers();
        const use = {
            loadBalancerType: "clb" as const,
            owner: marks.name,
            loadBalancerId: shared.loadBalancer.id,
            key: marks.owner.apply((owner) => ownerKey("clb", owner)),
        };
        const resource = createUse(component, use, { dependsOn, deletedWith: shared.loadBalancer });
        return { instance: { origin: "shared", id: shared.loadBalancer.id, address: shared.address, resource }, acl };
    }
    if (reuse !== undefined) {
        const { acl, dependsOn } = guardOthers();
        return { ...createReusedInstance(component, service, reuse, { ...base, dependsOn }), acl };
    }
    const loadBalancerName = model.name ?? marks.name;
    const remnant = precede(loadBalancerName);
    const acl = model.preserve ? undefined : guard(remnant);
    const dependsOn = [remnant, ...(acl === undefined ? [] : [acl.acl])];
    const own = {
        identity: { loadBalancerName, vswitchId },
        remnant,
        protectionReason: model.name === undefined ? PROTECTION_REASON : marks.name.apply(markedProtectionReason),
        tags: marks.tags,
        contract,
        resourceGroup,
        allowReplacement,
        adoption,
        releaseHooks: releaseHooks(cluster),
    };
    const made = createClbInstance(component, model, own, {
        dependsOn,
        // Two instances cannot have the same address. A preserved instance stays, and keeps it.
        deleteBeforeReplace: model.address === undefined || model.preserve ? undefined : true,
    });
    return { ...made, acl: model.preserve ? guard(remnant, made.loadBalancer) : acl };
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

interface ClbInstanceBase
    extends
        Pick<LoadBalancerSpec<never>, "resourceGroup" | "allowReplacement">,
        Pick<LoadBalancerBase, "contract">,
        Pick<Marks, "tags"> {
    readonly identity: Pick<slb.ApplicationLoadBalancerArgs, "vswitchId"> & {
        readonly loadBalancerName: pulumi.Input<string>;
    };
    /** Deletes a half-made instance. */
    readonly remnant: pulumi.Resource;
    readonly protectionReason: pulumi.Input<string>;
    readonly adoption?: Adoption | undefined;
    /** Hooks of the release. Default: none. */
    readonly releaseHooks?: pulumi.ResourceHookBinding | undefined;
}

/**
 * Creates an instance, or imports an adopted instance, and the resource that switches its protections off before it is
 * deleted.
 */
export function createClbInstance(
    component: Component,
    model: clb.ClbLoadBalancer,
    base: ClbInstanceBase,
    opts: pulumi.CustomResourceOptions,
): {
    readonly instance: InstanceHandle;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: LoadBalancerRelease;
} {
    const { remnant, protectionReason, tags, contract, resourceGroup, allowReplacement, adoption, releaseHooks } = base;
    // As established by the contract. Other fields may not be known yet.
    const { instanceChargeType: established } = contract.requested;
    const instanceChargeType = established!.apply((type) => type ?? model.instanceChargeType);
    const loadBalancerSpec = instanceChargeType.apply((type) => clb.specFor(model, type)!);
    const loadBalancer = new slb.ApplicationLoadBalancer(
        childName(component),
        {
            ...base.identity,
            ...clb.clbInstanceArguments(model, protectionReason, tags),
            instanceChargeType,
            loadBalancerSpec,
            resourceGroupId: resourceGroup.id,
        },
        {
            ...opts,
            parent: component.parent,
            deletedWith: remnant,
            ...importOptions(adoption?.loadBalancerId, adoption?.keep["instance"], resourceGroup.ignoreChanges),
            // The cloud changes it in one direction only. The contract refuses the other direction unless it is
            // allowed.
            replaceOnChanges: allowReplacement.filter((setting) => setting === "instanceChargeType"),
            retainOnDelete: model.preserve || undefined,
            hooks: withGroupNote(clbHooks(component.account).loadBalancer, resourceGroup),
        },
    );
    const { id, address } = loadBalancer;
    // It is activated again if it was stopped by hand.
    const release = new LoadBalancerRelease(
        childName(component),
        { loadBalancerId: id, status: "active", ...releaseInputs(model), ...placeArgs(component.account) },
        { parent: component.parent, hooks: releaseHooks },
    );
    return { instance: { origin: "created", id, address, resource: loadBalancer }, loadBalancer, release };
}

/**
 * Returns the vSwitch of an internal instance, or undefined for an Internet-facing instance. A named vSwitch is
 * recorded too: the instance keeps it when the setting is removed.
 *
 * @param service name of the Service or shared load balancer, for messages
 * @param options.reference vSwitch that replaces the named vSwitch
 * @param options.adopted vSwitch of an adopted instance
 */
export function chooseVSwitch(
    component: Component,
    service: string,
    { vswitch: selector, address }: clb.ClbLoadBalancer,
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
