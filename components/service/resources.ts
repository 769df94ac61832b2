/** Resources of a Service with either load balancer type, and the steps to create them. */
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { type ClbLoadBalancer, initialGroup } from "../../provider/clb/load-balancer";
import type { NlbLoadBalancer } from "../../provider/nlb/load-balancer";
import type { Adoption } from "../../provider/plan/adoption";
import * as dynamic from "../../provider/resources";
import type { Account } from "../../provider/schema/account";
import { CLUSTER_TAG, defaultLoadBalancerName, type Owner, OWNER_TAG } from "../../provider/schema/names";
import type { ServerGroup } from "../../provider/schema/server-group";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import type { Settings } from "../../provider/schema/settings";
import { clusterGroupOf } from "../../provider/service/annotations";
import type { ReuseRequest } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import type { ReferenceArgs } from "./args";
import type { Cluster } from "../cluster/cluster";
import type { ServiceIds } from "./read-service";
import { placeArgs } from "../cluster/account";
import { perRun, resourceHook } from "../run/run";

export interface Component {
    /** Parent of all children. */
    readonly parent: pulumi.ComponentResource;
    /** Prefix of the children's names, unique in the stack, which may have several clusters. */
    readonly name: string;
    /** Name in messages, `namespace/name`, or the component's name if either part is an Output. */
    readonly subject: string;
    /** Account and region of the load balancer. */
    readonly account: Account;
}

/**
 * Builds the name of a child. The component's name must come first for aliases of the component to work.
 *
 * @param key name of a child among several of a type
 */
export function childName({ name }: Pick<Component, "name">, key?: string): string {
    return key === undefined ? name : `${name}/${key}`;
}

/** Marks by which the cloud's objects of a Service are recognized. */
export interface Marks {
    readonly owner: pulumi.Output<Owner>;
    /** Default name of the instance, and value of the ownership tag. It is unknown before the Service exists. */
    readonly name: pulumi.Output<string>;
    /** Ownership tags. */
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

export function marksOf(ids: ServiceIds, uid: pulumi.Output<string>, clusterId: pulumi.Input<string>): Marks {
    const name = uid.apply(defaultLoadBalancerName);
    return {
        owner: pulumi.output({ ...ids, clusterId }),
        name,
        tags: { [OWNER_TAG]: name, [CLUSTER_TAG]: clusterId },
    };
}

/**
 * Builds options to import an existing resource unchanged.
 *
 * @param id id to import, or undefined if the resource is created
 * @param keep inputs of an imported resource whose differences are ignored
 * @param ignored inputs whose changes are ignored in any case
 */
export function importOptions(
    id: string | undefined,
    keep: readonly string[] = [],
    ignored: readonly string[] = [],
): Pick<pulumi.CustomResourceOptions, "import" | "ignoreChanges"> {
    return id === undefined ? { ignoreChanges: [...ignored] } : { import: id, ignoreChanges: [...ignored, ...keep] };
}

/** Resource group of an instance and its server groups. */
export interface ResourceGroup {
    /** The named group, else the cluster's. */
    readonly id: pulumi.Input<string> | undefined;
    /** Default for the contract, from the creation of the instance on, empty if a group is named. */
    readonly initial: Readonly<Record<string, pulumi.Input<string>>>;
    /** Inputs fixed at creation. A new default group of the cluster applies to new objects only. */
    readonly ignoreChanges: readonly string[];
}

/** Returns the resource group for settings, or for a reference given by the program instead of the setting. */
export function resourceGroupOf(
    { facts, ids }: Cluster,
    settings: Settings,
    reference?: pulumi.Input<string>,
): ResourceGroup {
    const ofCluster = { compatibility: facts.compatibility, resourceGroupId: ids.resourceGroupId };
    const named = reference ?? settings.resourceGroupId;
    return {
        id: named ?? clusterGroupOf(ofCluster),
        initial: reference === undefined ? initialGroup(settings, ofCluster) : {},
        ignoreChanges: named === undefined ? ["resourceGroupId"] : [],
    };
}

/** Adds a hook if no group is configured. It logs the use of the account's default resource group. */
export function withGroupNote(
    hooks: pulumi.ResourceHookBinding | undefined,
    { id }: ResourceGroup,
): pulumi.ResourceHookBinding | undefined {
    if (hooks === undefined || id !== undefined) return hooks;
    return { ...hooks, beforeCreate: [...(hooks.beforeCreate ?? []), defaultGroupHook()] };
}

/** Logs for the first instance only. All instances share the hook, as hook names are global in a run. */
const defaultGroupHook = perRun(() => {
    let said = false;
    return resourceHook(
        "ack-loadbalancer-default-group",
        async () => {
            if (said) return;
            said = true;
            await pulumi.log.info(
                "load balancers are created in the account's default resource group: none is named, " +
                    "and that of the cluster, which the Cloud Controller Manager takes from v2.9.1 on, cannot be " +
                    "detected. " +
                    "To choose one, set resourceGroupId of the cluster, " +
                    "or alibaba-cloud-loadbalancer-resource-group-id of a Service; " +
                    "it is fixed once a load balancer exists.",
            );
        },
        { onDryRun: true },
    );
});

export interface LoadBalancerSpec<Desired> {
    /** Has stand-ins for a namespace and a name given as Outputs. */
    readonly service: Service;
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly cluster: Cluster;
    readonly resourceGroup: ResourceGroup;
    /** Immutable settings this run may change. */
    readonly allowReplacement: readonly string[];
    /** Existing resources to import instead of creating them. */
    readonly adoption: Adoption | undefined;
    /** Undefined without a reused instance. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
    /** Instance created by the program for several Services. */
    readonly shared: SharedInstance | undefined;
}

/** Request of a Service to a reused instance, with the observed instance. */
export interface Reuse {
    readonly request: ReuseRequest;
    /** Absent if it does not exist. */
    readonly found?: ObservedLoadBalancer;
    /** UID of the cluster, for the instance's tag, absent if unknown. */
    readonly clusterUid?: string;
    /** Read error, which the contract reports once. */
    readonly failure?: string;
}

export interface LoadBalancerPlan {
    readonly terms: ContractTerms;
    /** Creates everything after contract and Service. */
    create(base: LoadBalancerBase): LoadBalancerResources;
}

/** Settings a contract compares with the established settings. */
export interface ContractTerms {
    /** Immutable settings, with references as their resolved ids. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** Values from the creation of the instance, used if the Service states none. Default none. */
    readonly initial?: Readonly<Record<string, pulumi.Input<string>>>;
    /** Settings that determine an immutable setting, unless it is only itself. Default none. */
    readonly askedBy?: Readonly<Record<string, readonly string[]>>;
}

/** Applied or followed Service, for the other children. */
export interface ServiceHandle {
    /** Undefined if the Service is followed. */
    readonly resource: core.Service | undefined;
    /** Unknown before the Service exists. */
    readonly uid: pulumi.Output<string>;
    /** Returns the nodePort of a group of nodes, unknown before the cluster has chosen it, or undefined for pods. */
    nodePortOf(group: Pick<ServerGroup, "kind" | "ports">): pulumi.Output<number> | undefined;
}

/** Resources preceding a load balancer. */
export interface LoadBalancerBase {
    readonly contract: dynamic.ServiceContract;
    readonly handle: ServiceHandle;
    readonly marks: Marks;
    readonly dependsOn: readonly pulumi.Resource[];
    /**
     * Creates the backends of server groups.
     *
     * @param after resources to wait for. Some change the groups too, and a group takes one change at a time. Others
     *   lead to a user-managed group.
     */
    fill(groups: Readonly<Record<string, GroupHandle>>, after: readonly pulumi.Resource[]): CreatedBackends;
}

/** Backends of a Service, and their bindings for the sync controller. */
export interface CreatedBackends {
    /** By the group's key. */
    readonly backends: Readonly<Record<string, dynamic.Backends>>;
    /** Empty without the sync controller. */
    readonly bindings: readonly pulumi.Resource[];
}

/** Created, shared or reused instance of a Service. */
export interface InstanceResources<LoadBalancer = slb.ApplicationLoadBalancer | nlb.LoadBalancer> {
    readonly instance: InstanceHandle;
    /** Undefined if the instance is shared or reused. */
    readonly loadBalancer?: LoadBalancer;
    readonly release?: dynamic.LoadBalancerRelease | dynamic.LoadBalancerZones;
    readonly reused?: dynamic.ReusedLoadBalancer;
}

export interface LoadBalancerResources extends InstanceResources {
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    readonly backends: Readonly<Record<string, dynamic.Backends>>;
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    /** Undefined for an NLB, and without a listener. */
    readonly listenerOptions?: dynamic.ListenerOptions | undefined;
    /** Ingress of the Service's status. */
    readonly ingress: dynamic.ResourceArgs<"status">["ingress"];
    /** Further resources, on which none of the others depends. */
    readonly others: readonly pulumi.Resource[];
}

/** Origin of an instance, made by this package for a Service, by the program for several, or by a user. */
export type InstanceOrigin = "created" | "shared" | "reused";

/** Instance of a Service, for the resources on it. */
export interface InstanceHandle {
    readonly origin: InstanceOrigin;
    readonly id: pulumi.Output<string>;
    readonly address: pulumi.Output<string>;
    /** The instance, or the Service's use of it. Its deletion removes everything on the instance. */
    readonly resource: pulumi.Resource;
}

/** Server group, for its backends and listeners. */
export interface GroupHandle<Group extends pulumi.CustomResource = pulumi.CustomResource> {
    readonly model: ServerGroup;
    readonly id: pulumi.Output<string>;
    /** Undefined if the group is user-managed. */
    readonly resource: Group | undefined;
    /** Name of the group and mark of its backends. */
    readonly mark: pulumi.Output<string>;
    /** Port of backends without a port in their key. It is the nodePort, 0 for a port range, or undefined for pods. */
    readonly nodePort: pulumi.Output<number> | undefined;
}

/**
 * Creates the server groups, by key. User-managed groups have no resource.
 *
 * @param markOf name of a group, from its backends' port
 */
export function createGroups<Model extends ServerGroup, Group extends pulumi.CustomResource>(
    models: readonly Model[],
    { handle, marks }: Pick<LoadBalancerBase, "handle" | "marks">,
    markOf: (port: number | string, owner: Owner, model: Model) => string,
    create: (model: Model, name: pulumi.Output<string>) => Group,
): Record<string, GroupHandle<Group>> {
    return Object.fromEntries(
        models.map((model) => {
            const nodePort = handle.nodePortOf(model);
            const port = pulumi.output<number | string | undefined>(nodePort ?? model.range ?? model.backendPort);
            const mark = pulumi.all([port, marks.owner]).apply(([text, owner]) => markOf(text ?? "", owner, model));
            const resource = model.joined === undefined ? create(model, mark) : undefined;
            const id = resource?.id ?? pulumi.output(model.joined ?? "");
            const zero = model.anyPort ? pulumi.output(0) : undefined;
            return [model.key, { model, id, resource, mark, nodePort: nodePort ?? zero }];
        }),
    );
}

export interface ListenerBase extends Pick<LoadBalancerSpec<never>, "references" | "adoption"> {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, GroupHandle>>;
    readonly backends: Readonly<Record<string, dynamic.Backends>>;
    readonly owner: Marks["owner"];
    /** Resources to create before the first listener. */
    readonly dependsOn: readonly pulumi.Resource[];
}

/** Load balancer created by a program for several Services. */
export interface SharedInstance {
    /** Unique in the program. */
    readonly name: string;
    readonly model: ClbLoadBalancer;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: dynamic.LoadBalancerRelease;
    readonly address: pulumi.Output<string>;
}

/** Returns the stand-in for the id of a shared instance. The id is known too late, and changes with a replacement. */
export function sharedName({ name }: Pick<SharedInstance, "name">): string {
    return `shared:${name}`;
}

/** Returns the managed groups by key. User-managed groups have no resource. */
export function groupResources<Group extends pulumi.CustomResource>(
    groups: Readonly<Record<string, GroupHandle<Group>>>,
): Record<string, Group> {
    return Object.fromEntries(
        Object.entries(groups).flatMap(([key, { resource }]) => (resource === undefined ? [] : [[key, resource]])),
    );
}

/**
 * Registers the resource that deletes the objects of a Service whose creation ended half-way. They depend on it.
 *
 * @param identity name with which an instance is created, and the ownership mark
 */
export const createRemnant = (
    component: Component,
    { preserve, sourceRanges }: Pick<ClbLoadBalancer | NlbLoadBalancer, "preserve" | "sourceRanges">,
    identity: Pick<dynamic.ResourceArgs<"remnant">, "loadBalancerType" | "name" | "owner" | "instance">,
    dependsOn: readonly pulumi.Resource[],
): dynamic.LoadBalancerRemnant =>
    new dynamic.LoadBalancerRemnant(
        childName(component),
        {
            ...identity,
            sourceRanges: sourceRanges.length > 0 || undefined,
            preserve: (identity.name !== undefined && preserve) || undefined,
            ...placeArgs(component.account),
        },
        { parent: component.parent, dependsOn: [...dependsOn] },
    );

/**
 * Returns the inputs of an instance's release, which are the protections to switch off before a deletion, and whether
 * the instance stays.
 */
export function releaseInputs({
    preserve,
    deleteProtection,
    modificationProtection,
}: ClbLoadBalancer | NlbLoadBalancer) {
    const switchesOff = [
        ...(deleteProtection === "on" ? ["deleteProtection"] : []),
        ...(preserve && modificationProtection === "ConsoleProtection" ? ["modificationProtection"] : []),
    ];
    return { preserve: preserve || undefined, switchesOff };
}
