import { CustomResource } from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../../provider/backends";
import { regionOf } from "../../provider/cloud";
import { type Arg, Backends } from "../../provider/resources";
import type { GroupInputs } from "../../provider/resources/handlers/backends";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import { specOf } from "../../provider/sync/binding/model";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import { placeArgs } from "../cluster/account";
import type { ServiceView } from "../cluster/reads";
import { clusterFailure } from "../run/failures";
import { logAbout } from "../run/outputs";
import { childName, type Component } from "./component";
import type { GroupHandle } from "./group";
import type { ComponentService, ServiceHandle } from "./service";

/** Backends of a Service, and their bindings for the sync controller. */
export interface CreatedBackends {
    /** By the group's key. */
    readonly backends: Readonly<Record<string, Backends>>;
    /** Empty without the sync controller. */
    readonly bindings: readonly pulumi.Resource[];
}

interface BackendsOptions {
    /** As read by {@link readView}. */
    readonly view: pulumi.Output<Viewed>;
    /** True if a group may become empty. */
    readonly allowEmpty: boolean;
    /** Resources to wait for. */
    readonly after: readonly pulumi.Resource[];
    /** Resource that is deleted with the Service's load balancer, and never replaced. */
    readonly contract: pulumi.Resource;
}

/**
 * Creates the backends of the server groups from the nodes and endpoints of the cluster.
 *
 * Groups of this package share a resource. A user-managed group has its own: its members are removed when the resource
 * is deleted, after the listeners have left the group.
 */
export function createBackends(
    component: Component,
    service: ComponentService,
    groups: Readonly<Record<string, GroupHandle>>,
    options: BackendsOptions,
): CreatedBackends {
    const { parent, account } = component;
    const { cluster } = service;
    const create = (name: string, filled: readonly GroupHandle[], opts: pulumi.CustomResourceOptions) => {
        const inputs = filled.map(
            (group) => [group.model.key, groupInputs(component, service, group, options)] as const,
        );
        const resource = new Backends(
            name,
            {
                groups: Object.fromEntries(inputs),
                ignoreWeights: service.service.settings.ignoreWeightUpdate === "on" || undefined,
                allowEmpty: options.allowEmpty || undefined,
                sync: cluster.sync || undefined,
                ...placeArgs(account),
            },
            { parent, dependsOn: [...options.after], ...opts },
        );
        return filled.map((group) => [group.model.key, resource] as const);
    };
    const own = Object.values(groups).filter(({ resource }) => resource !== undefined);
    const backends = Object.fromEntries([
        // A group takes its backends with it. The engine replaces what is deleted with a resource that it replaces, and
        // deletes the former backends last: with a group in place of the contract, they would leave the other groups.
        ...(own.length === 0 ? [] : create(childName(component), own, { deletedWith: options.contract })),
        ...Object.values(groups)
            .filter(({ resource }) => resource === undefined)
            .flatMap((group) =>
                create(childName(component, group.model.key), [group], {
                    replaceOnChanges: ["groups.*.serverGroupId"],
                }),
            ),
    ]);
    const bindings = !cluster.sync
        ? []
        : Object.entries(groups).map(([key, group]) =>
              createBinding(component, service, group, options, backends[key]!),
          );
    return { backends, bindings };
}

/** Hides the view from the SDK, which searches the value of each Output for unknowns: nodes can be hundreds. */
type Viewed = () => ServiceView;

/**
 * Reads nodes and endpoints once the Service is applied and the component's dependencies, such as a Deployment, are
 * done. A preview reads their present state, after the contract: its refusal is the only message then.
 */
export function readView(
    { subject }: Component,
    { known, maps, cluster, independent }: ComponentService,
    contract: pulumi.Resource,
    handle: ServiceHandle,
): pulumi.Output<Viewed> {
    const isPreview = pulumi.runtime.isDryRun();
    const change = pulumi
        .all([isPreview ? undefined : handle.uid, contract.urn, handle.resource?.urn, cluster.connection.kubeconfig])
        .apply(([uid = ""]) => (isPreview ? undefined : { uid, byOthers: !independent }));
    return pulumi.all([known, maps.selector, change]).apply(async ([service, selector, changed]) => {
        try {
            const applied = selector === undefined ? service : { ...service, selector };
            const view = await cluster.reads.view(applied, changed);
            return () => view;
        } catch (error) {
            throw new pulumi.RunError(`Service ${subject}: ${clusterFailure(error)}`);
        }
    });
}

function groupInputs(
    { subject, parent }: Component,
    { known, cluster }: ComponentService,
    group: GroupHandle,
    { view, allowEmpty }: BackendsOptions,
): Arg<GroupInputs> {
    const backends = pulumi.all([view, known]).apply(([seen, applied]) => {
        const found = groupBackends(applied, group.model, cluster.facts, seen());
        for (const note of found.notes) {
            const isKept = note.code === "no-backends" && !allowEmpty;
            const kept = isKept ? " Backends that the group has stay; allowEmpty removes them." : "";
            logAbout(parent, pulumi.log.warn, `Service ${subject}: ${note.cause}.${kept}`);
        }
        return found.backends;
    });
    return {
        serverGroupId: group.id,
        description: group.mark,
        groupType: group.model.type,
        port: group.nodePort,
        vpcId: vpcOf(group, cluster),
        backends,
    };
}

/** Returns the VPC of the interfaces of pods, or undefined if they are not looked up, or if it is not known. */
const vpcOf = ({ model }: GroupHandle, { ids }: ComponentService["cluster"]): pulumi.Input<string> | undefined =>
    model.kind === "eni" && model.type !== "Ip" ? ids.vpcId : undefined;

/** @throws RunError if the sync controller cannot act in the account of a component */
export function requireSyncAccount(component: string, sync: boolean, { profile }: Account): void {
    if (!sync || profile === undefined) return;
    throw new pulumi.RunError(
        `${component}: the profile ${profile} is of this machine, ` +
            "and the sync controller in the cluster cannot act in its account. " +
            "Remedy: name a role in place of the profile (account.assumeRole), " +
            "which the controller assumes too, or leave sync out.",
    );
}

/** Problem that prevents bindings, for the contract, or undefined if there is none or sync is off. */
export function bindingsFailure({ cluster, live }: ComponentService): pulumi.Output<string | undefined> | undefined {
    if (!cluster.sync) return undefined;
    return live.apply(async ({ failure }) => {
        if (failure !== undefined) return failure;
        try {
            if (await cluster.reads.servesBindings()) return undefined;
        } catch (error) {
            return clusterFailure(error);
        }
        return (
            `sync is on, but cluster ${cluster.name} does not have the custom resource ` +
            `${BINDING_KIND} (${API_GROUP}/${API_VERSION}). ` +
            "Remedy: install the sync controller first, by the component SyncController in a separate run or by " +
            "ack-loadbalancer sync --manifests, or switch sync off for this run; " +
            "if both are in one program, in two runs: first pulumi up --target '**SyncController**', then pulumi up"
        );
    });
}

/**
 * Creates the binding of a server group. The sync controller takes over once the run has filled the group. The binding
 * is deleted before backends and group, because otherwise the controller would fill the group again.
 */
function createBinding(
    component: Component,
    { service, ids, cluster }: ComponentService,
    group: GroupHandle,
    { allowEmpty }: BackendsOptions,
    filled: pulumi.Resource,
): CustomResource {
    const { account, parent } = component;
    const fixed = specOf(service, group.model, cluster.facts, {
        region: regionOf(account.region, process.env),
        ...defined({ assumeRole: account.assumeRole }),
        id: "",
        type: group.model.type ?? "VServer",
        mark: "",
        allowEmpty,
    });
    return new CustomResource(
        childName(component, group.model.key),
        {
            apiVersion: `${API_GROUP}/${API_VERSION}`,
            kind: BINDING_KIND,
            metadata: {
                namespace: ids.namespace,
                name: pulumi.interpolate`${ids.name}-${group.model.key}`,
                labels: { [`${API_GROUP}/service`]: ids.name },
                // Bindings own nothing, and the garbage collector may not know their kind yet.
                annotations: {
                    "pulumi.com/skipAwait": "true",
                    "pulumi.com/deletionPropagationPolicy": "background",
                },
            },
            spec: {
                ...fixed,
                serviceName: ids.name,
                serverGroup: { ...fixed.serverGroup, id: group.id },
                ownershipMark: group.mark,
                ...defined({ nodePort: group.nodePort, vpcId: vpcOf(group, cluster) }),
            },
        },
        { parent, dependsOn: [filled], deleteBeforeReplace: true },
    );
}
