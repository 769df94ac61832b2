import { CustomResourceDefinition } from "@pulumi/kubernetes/apiextensions/v1";
import { Deployment } from "@pulumi/kubernetes/apps/v1";
import { Namespace, ServiceAccount } from "@pulumi/kubernetes/core/v1";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@pulumi/kubernetes/rbac/v1";
import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../provider/schema/own-types";
import { installObjects, type InstallOptions } from "../provider/sync/install";
import { anyOf, type NamesOf, requireArguments } from "./run/arguments";

/** Arguments of {@link SyncController}. */
export type SyncControllerArgs = InstallOptions;

const SYNC_CONTROLLER_NAMES: NamesOf<SyncControllerArgs> = {
    ...anyOf("image", "namespace", "name", "ramRole", "replicas", "resources"),
    ...anyOf("resyncSeconds", "networkPolicy", "clusterId", "userManagedGroups", "readinessGates"),
    ...anyOf("watchNamespaces"),
};

/**
 * Sync controller of a cluster: the CustomResourceDefinition of ServerGroupBinding, a Deployment of two replicas, and
 * their permissions. Keeps the backends of Services up to date between runs, for clusters with `sync: true`. The same
 * as YAML: `ack-loadbalancer sync --manifests`.
 *
 * The cluster needs the definition before the first preview of a binding: run this component in a separate stack, or
 * once before `sync` is switched on.
 */
export class SyncController extends pulumi.ComponentResource {
    /**
     * CustomResourceDefinition. Stays when the component is deleted, because deleting it would delete every binding.
     */
    readonly definition: CustomResourceDefinition;
    readonly namespace: Namespace;
    readonly deployment: Deployment;

    /** @param name unique name of the component. The resources in the cluster have names of their own. */
    constructor(name: string, args: SyncControllerArgs, opts?: pulumi.ComponentResourceOptions) {
        requireArguments(`SyncController ${name}`, args, SYNC_CONTROLLER_NAMES, ["image"]);
        super(componentType("SyncController"), name, { ...args }, opts);
        const objects = installObjects(args);
        const child = { parent: this };
        // Schemas are plain JSON here and a class of the SDK there.
        const definition = objects.definition as unknown as ConstructorParameters<typeof CustomResourceDefinition>[1];
        this.definition = new CustomResourceDefinition(name, definition, {
            ...child,
            retainOnDelete: true,
        });
        this.namespace = new Namespace(name, objects.namespace, child);
        const inside = { ...child, dependsOn: [this.namespace] };
        const account = new ServiceAccount(name, objects.serviceAccount, inside);
        const access = [
            account,
            new ClusterRole(name, objects.clusterRole, child),
            new ClusterRoleBinding(name, objects.clusterRoleBinding, child),
            new Role(name, objects.role, inside),
            new RoleBinding(name, objects.roleBinding, inside),
            new Role(`${name}-profile`, objects.profileRole, child),
            new RoleBinding(`${name}-profile`, objects.profileRoleBinding, child),
        ];
        new ClusterRole(`${name}-bindings`, objects.bindingsRole, child);
        for (const one of objects.watched ?? []) {
            const unique = `${name}-${one.metadata.namespace}`;
            access.push(one.kind === "Role" ? new Role(unique, one, child) : new RoleBinding(unique, one, child));
        }
        if (objects.networkPolicy !== undefined) new NetworkPolicy(name, objects.networkPolicy, inside);
        this.deployment = new Deployment(name, objects.deployment, {
            ...child,
            dependsOn: [this.definition, this.namespace, ...access],
        });
        new PodDisruptionBudget(name, objects.disruptionBudget, inside);
        this.registerOutputs({ namespace: this.namespace.metadata.name });
    }
}
