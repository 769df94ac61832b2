import { CustomResource } from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { regionOf } from "../../provider/cloud";
import { groupBackends } from "../../provider/backends";
import { ServerGroupBackends } from "../../provider/resources";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import { specOf } from "../../provider/sync/binding/model";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import type { ServiceView } from "./cluster";
import { accountArgs, type AnyContext, childName } from "./context";
import { clusterFailure } from "./failures";
import type { BackendsResources } from "./resources";
import type { ServiceHandle } from "./service";

/** Returns the managed groups by key; user-managed ones have no resource. */
export function groupResources<Group extends pulumi.Resource>(
    groups: Readonly<Record<string, { readonly resource: Group | undefined }>>,
): Record<string, Group> {
    return Object.fromEntries(
        Object.entries(groups).flatMap(([key, { resource }]) => (resource === undefined ? [] : [[key, resource]])),
    );
}

/** Backends of a Service, and their bindings for the sync controller. */
interface CreatedBackends {
    /** By the group's key. */
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    /** Empty without the sync controller. */
    readonly bindings: readonly pulumi.Resource[];
}

/**
 * Creates the backends of each server group from the nodes and endpoints of the cluster.
 *
 * @param after resources to wait for: others that change the groups, because a group takes one change at a time, and
 *   those that lead to a user-managed group
 */
export function createBackends(
    context: AnyContext,
    groups: Readonly<Record<string, BackendsResources>>,
    { contract, handle }: BackendsBase,
    after: pulumi.Resource[] = [],
): CreatedBackends {
    const view = readView(context, contract, handle);
    const bindings: pulumi.Resource[] = [];
    const made = Object.entries(groups).map(([key, group]) => {
        const filled = createGroupBackends(context, group, view, after);
        if (context.cluster.sync) bindings.push(createBinding(context, group, filled));
        return [key, filled] as const;
    });
    return { backends: Object.fromEntries(made), bindings };
}

/** Resources that precede reading a Service's endpoints. */
interface BackendsBase {
    /** Waits for the component's `dependsOn`. */
    readonly contract: pulumi.Resource;
    readonly handle: ServiceHandle;
}

/** Hides the view from the SDK, which searches the value of each Output for unknowns: nodes can be hundreds. */
type Viewed = () => ServiceView;

/**
 * Reads nodes and endpoints once the Service is applied and the component's dependencies, such as a Deployment, are
 * done. A preview reads their present state, after the contract: its refusal is the only message then.
 */
function readView(context: AnyContext, contract: pulumi.Resource, handle: ServiceHandle): pulumi.Output<Viewed> {
    const isPreview = pulumi.runtime.isDryRun();
    const change = pulumi
        .all([
            isPreview ? undefined : handle.uid,
            contract.urn,
            handle.resource?.urn,
            context.cluster.connection.kubeconfig,
        ])
        .apply(([uid = ""]) => (isPreview ? undefined : { uid, byOthers: !context.independent }));
    return pulumi.all([context.known, context.maps.selector, change]).apply(async ([service, selector, changed]) => {
        try {
            const applied = selector === undefined ? service : { ...service, selector };
            const view = await context.cluster.view(applied, changed);
            return () => view;
        } catch (error) {
            throw new pulumi.RunError(`Service ${context.subject}: ${clusterFailure(error)}`);
        }
    });
}

function createGroupBackends(
    context: AnyContext,
    group: BackendsResources,
    view: pulumi.Output<Viewed>,
    after: pulumi.Resource[],
): ServerGroupBackends {
    const backends = pulumi.all([view, context.known]).apply(([known, service]) => {
        const found = groupBackends(service, group.model, context.cluster.facts, known());
        for (const note of found.notes) {
            const kept =
                note.code === "no-backends" && !context.allowEmpty
                    ? " Backends that are there stay; allowEmpty removes them."
                    : "";
            void pulumi.log.warn(`Service ${context.subject}: ${note.cause}.${kept}`, context.parent);
        }
        return found.backends;
    });
    return new ServerGroupBackends(
        childName(context, group.model.key),
        {
            serverGroupId: group.id,
            description: group.mark,
            ...defined({ groupType: group.groupType, port: group.nodePort }),
            backends,
            ...(context.service.settings.ignoreWeightUpdate === "on" ? { ignoreWeights: true } : {}),
            ...(context.allowEmpty ? { allowEmpty: true } : {}),
            ...(context.cluster.sync ? { sync: true } : {}),
            ...accountArgs(context),
        },
        // A managed group takes its backends with it; from a user-managed group they are removed one by one.
        {
            parent: context.parent,
            dependsOn: after,
            ...defined({ deletedWith: group.resource }),
        },
    );
}

/** @throws RunError if the sync controller cannot act in the account of a component */
export function requireSyncAccount(component: string, sync: boolean, { profile }: Account): void {
    if (!sync || profile === undefined) return;
    throw new pulumi.RunError(
        `${component}: the profile ${profile} is of this machine, ` +
            "so that the sync controller in the cluster cannot act in its account. " +
            "Remedy: name a role in place of the profile (account.assumeRole), " +
            "which the controller assumes too, or leave sync out.",
    );
}

/** Problem that prevents bindings, for the contract; undefined if there is none or sync is off. */
export function bindingsFailure({ cluster, live }: AnyContext): pulumi.Output<string | undefined> | undefined {
    if (!cluster.sync) return undefined;
    return live.apply(async ({ failure }) => {
        if (failure !== undefined) return failure;
        try {
            if (await cluster.servesBindings()) return undefined;
        } catch (error) {
            return clusterFailure(error);
        }
        return (
            `sync is on, but cluster ${cluster.name} does not have the custom resource ` +
            `${BINDING_KIND} (${API_GROUP}/${API_VERSION}). ` +
            "Remedy: install the sync controller first, by the component SyncController in a run of its own or by " +
            "ack-loadbalancer sync --manifests, or switch sync off for this run; " +
            "if both are in one program, in two runs: first pulumi up --target '**SyncController**', then pulumi up"
        );
    });
}

/**
 * Creates the binding of a server group; the sync controller takes over once the run has filled the group. Deleted
 * before backends and group: else the controller would fill the group again.
 */
export function createBinding(context: AnyContext, group: BackendsResources, filled: pulumi.Resource): CustomResource {
    const { service, ids, cluster, allowEmpty, account } = context;
    const fixed = specOf(service, group.model, cluster.facts, {
        region: regionOf(account.region, process.env),
        ...defined({ assumeRole: account.assumeRole }),
        id: "",
        type: group.groupType ?? "VServer",
        mark: "",
        allowEmpty,
    });
    return new CustomResource(
        childName(context, group.model.key),
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
                ...defined({ nodePort: group.nodePort }),
            },
        },
        { parent: context.parent, dependsOn: [filled], deleteBeforeReplace: true },
    );
}
