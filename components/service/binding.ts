import { CustomResource } from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { regionOf } from "../../provider/alicloud";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import { specOf } from "../../provider/sync/binding/model";
import type { Account } from "../../provider/schema/account";
import type { BackendsResources } from "./server-group";
import { type AnyContext, childName } from "./context";
import { clusterFailure } from "./failures";
import { defined } from "../../provider/schema/defined";

/** @throws RunError if the controller could not act in the account that a component is given */
export function requireSyncAccount(component: string, sync: boolean, { profile }: Account): void {
    if (!sync || profile === undefined) return;
    throw new pulumi.RunError(
        `${component}: the profile ${profile} is of this machine, so that the sync controller in the cluster cannot act in its account. ` +
            "Remedy: name a role in place of the profile (account.assumeRole), which the controller assumes too, or leave sync out.",
    );
}

/** Why bindings cannot be made, for the contract to refuse the run with; undefined where they can, or are not asked for. */
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
            `sync is on, but cluster ${cluster.name} does not have the custom resource ${BINDING_KIND} (${API_GROUP}/${API_VERSION}). ` +
            "Remedy: install the sync controller first, by the component SyncController in a run of its own or by ack-loadbalancer sync --manifests, or switch sync off for this run; " +
            "if both are in one program, in two runs: first pulumi up --target '**SyncController**', then pulumi up"
        );
    });
}

/**
 * The binding of a server group, from which the sync controller takes over once the run has filled the group. It is deleted before the backends and the group are, so that the
 * controller does not fill what is about to go.
 */
export function createBinding(context: AnyContext, group: BackendsResources, filled: pulumi.Resource): CustomResource {
    const { service, cluster, allowEmpty, account } = context;
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
                namespace: service.namespace,
                name: `${service.name}-${group.model.key}`,
                labels: { [`${API_GROUP}/service`]: service.name },
                // Bindings own nothing: a deletion in the foreground would wait for a garbage collector that may not know their kind yet.
                annotations: {
                    "pulumi.com/skipAwait": "true",
                    "pulumi.com/deletionPropagationPolicy": "background",
                },
            },
            spec: {
                ...fixed,
                serverGroup: { ...fixed.serverGroup, id: group.id },
                ownershipMark: group.mark,
                ...defined({ nodePort: group.nodePort }),
            },
        },
        { parent: context.parent, dependsOn: [filled], deleteBeforeReplace: true },
    );
}

/** Type of bindings in the stack. */
export const BINDING_TYPE = `kubernetes:${API_GROUP}/${API_VERSION}:${BINDING_KIND}`;
