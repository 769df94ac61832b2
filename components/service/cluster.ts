import * as pulumi from "@pulumi/pulumi";
import { type ClusterView, isEdgeNode, keepsEndpoints, predictSlices } from "../../provider/backends";
import { openAccount } from "../../provider/cloud";
import type { ClusterEvent } from "../../provider/cluster/event";
import { ClusterError, type ClusterReader, openCluster, SharedReads } from "../../provider/cluster";
import { clusterName, type DiscoveredFacts } from "../../provider/plan/identity";
import { instancesOf, observeGroups, observeLoadBalancer } from "../../provider/plan/reuse/instances";
import { type Collision, collisionsWith, listenersByName } from "../../provider/plan/reuse/tenants";
import * as claims from "../../provider/resources/handlers/claim";
import type { Account } from "../../provider/schema/account";
import { defined, once } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { STACK_ANNOTATION } from "../../provider/service/controller";
import { ownershipPatch } from "../../provider/service/fields";
import type { ClusterIdentity, NodeObject, ServiceObject } from "../../provider/service/objects";
import type { ReuseRequest, Tenant } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { accountKey } from "./account";
import * as argument from "./cluster-args";
import { reportOnce } from "./failures";
import { isKnownOutput, promiseOf } from "./outputs";

/** Observed state of a Service. */
export interface ServiceView extends ClusterView {
    /** Undefined if the Service does not exist yet. */
    readonly live?: ServiceObject;
    /** True if the endpoints are predicted from the pods, because the Service does not exist yet. */
    readonly predicted: boolean;
}

/** Changes of this run that precede reading the endpoints of a Service. */
interface EndpointsChange {
    /** UID of the applied Service. */
    readonly uid: string;
    /** True if the Service has waited for other resources of the program, such as a Deployment. */
    readonly byOthers: boolean;
}

/**
 * ACK cluster with Services to expose. All Services of a program use the same object and share its reads.
 *
 * Reads nothing until a Service needs it. An unreachable cluster fails the program before any change.
 */
export class Cluster {
    /** Name in the program. */
    readonly name: string;
    /** Facts that are known before the run. See {@link known}. */
    readonly facts: ClusterFacts;
    /** Ids as the program gives them. */
    readonly ids: argument.ClusterIds;
    /** Facts with the values of all ids. */
    readonly known: pulumi.Output<ClusterFacts>;
    readonly connection: argument.KubeconfigReference;
    readonly account: Account | undefined;
    /** Facts read from the cluster because the program does not state them, undefined without discovery. */
    readonly discovered: DiscoveredFacts | undefined;
    /** True if the sync controller updates backends between runs. */
    readonly sync: boolean;
    /** Reads of this run, by name. */
    readonly #known = new Map<string, Promise<unknown>>();
    readonly #tenants: Tenant[] = [];

    /** Error if the cluster id, given as an Output, is already in use. */
    readonly idProblem: pulumi.Output<string | undefined> | undefined;

    /**
     * @param discovered set by {@link Cluster.discover} only
     * @throws RunError if another cluster of the program has the same id, or with all arguments that are wrong
     */
    constructor(args: argument.ClusterArgs, discovered?: DiscoveredFacts) {
        const { name, facts, ids } = argument.readCluster(args);
        const { kubeconfig, context, account, sync = false } = args;
        this.name = name;
        this.facts = facts;
        this.ids = ids;
        this.known = pulumi.output(ids).apply((known): ClusterFacts => ({ ...facts, ...known }));
        this.account = account;
        this.discovered = discovered;
        this.sync = sync;
        this.idProblem = argument.noteId(name, args.clusterId, { kubeconfig, context });
        this.connection = argument.kubeconfigReference(name, defined({ kubeconfig, context }));
    }

    /**
     * Returns a cluster, with facts read from it that the program does not state: id, VPC, vSwitches, network plugin,
     * kube-proxy mode, Kubernetes version, and the region if account, configuration and environment have none.
     *
     * Source: ConfigMaps and DaemonSets of ACK in kube-system (docs/stack.md, Facts that are read from the cluster).
     *
     * @throws RunError if the cluster contradicts the program, or if its id is neither stated nor observed
     */
    static discover(args: argument.DiscoverArgs = {}): Promise<Cluster> {
        return reportOnce(argument.discoverFacts(args).then(({ facts, discovered }) => new Cluster(facts, discovered)));
    }

    /** Reads something once in a run: all callers get the same state. */
    #once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
        return once(this.#known, name, read) as Promise<Value>;
    }

    /** Reads the identity, once in a run. */
    identity(): Promise<ClusterIdentity> {
        return this.#once("identity", async () => (await this.#open()).identity());
    }

    /** Returns the problems of a kubernetes provider with these inputs: none if it is of this cluster. */
    async otherCluster(inputs: Readonly<Record<string, string>>): Promise<string[]> {
        const { kubeconfig, context, cluster } = inputs;
        const other = await openCluster(defined({ kubeconfig, context })).identity();
        const own = await this.identity();
        const isSame =
            own.uid === undefined || other.uid === undefined ? own.server === other.server : own.uid === other.uid;
        if (isSame && cluster === undefined) return [];
        const name = ({ uid, server }: ClusterIdentity) => clusterName({ server, ...defined({ cluster: uid }) });
        return [
            `the kubernetes provider that it is given is of the cluster ${name(other)}, ` +
                `but its Cluster reads ${name(own)}. ` +
                "Remedy: make the Cluster with the provider's kubeconfig and context, " +
                "new Cluster({ kubeconfig, context }), and leave the provider out.",
        ];
    }

    #open(): Promise<ClusterReader> {
        return this.#once("reader", async () => {
            const { kubeconfig, context } = this.connection;
            const path = pulumi.Output.isInstance(kubeconfig) ? await this.#resolve(kubeconfig) : kubeconfig;
            return openCluster(defined({ kubeconfig: path, context }));
        });
    }

    async #resolve(kubeconfig: pulumi.Output<string>): Promise<string> {
        if (!(await isKnownOutput(kubeconfig)))
            throw new pulumi.RunError(
                `the cluster ${this.name} is made in this run and cannot be read before. ` +
                    "Remedy: make the cluster first, in a separate run; " +
                    "a Service that this program applies needs no such run.",
            );
        return promiseOf(kubeconfig);
    }

    /** Reads the Service, once in a run: all callers get the same state. */
    async service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        return (await this.#shared()).service(namespace, name);
    }

    /** Returns true if there is such a namespace, or undefined if that may not be read. It is read once in a run. */
    hasNamespace(name: string): Promise<boolean | undefined> {
        return this.#once(`namespace ${name}`, async () => (await this.#open()).hasNamespace(name));
    }

    #shared(): Promise<SharedReads> {
        return this.#once("shared reads", async () => new SharedReads(await this.#open()));
    }

    /** True if the cluster has the sync controller's custom resource. It is read once in a run. */
    servesBindings(): Promise<boolean> {
        return this.#once("bindings", async () => (await this.#open()).serves(API_GROUP, API_VERSION, BINDING_PLURAL));
    }

    /**
     * Deletes the remains of an interrupted run before a Service is created, and refuses any other Service of its name.
     *
     * A preview deletes nothing, lets the stack's own Service be replaced, and reads no cluster that is yet to be made.
     */
    async sweep(identity: claims.ServiceIdentity): Promise<void> {
        if (!pulumi.runtime.isDryRun()) return claims.sweepService(await this.#open(), identity);
        const { kubeconfig } = this.connection;
        if (pulumi.Output.isInstance(kubeconfig) && !(await isKnownOutput(kubeconfig))) return;
        const found = await this.service(identity.namespace, identity.name);
        if (found?.metadata.annotations?.[STACK_ANNOTATION] === identity.stack) return;
        const preview = { getService: () => Promise.resolve(found), deleteService: () => Promise.resolve() };
        await claims.sweepService(preview, identity);
    }

    /** Takes a Service over from the Cloud Controller Manager. */
    async claim(key: claims.ServiceKey, type: LoadBalancerType): Promise<void> {
        return claims.claimService(await this.#open(), key, type);
    }

    /** Records an event of a Service, or nothing if that fails. */
    async record(service: claims.ServiceKey, event: ClusterEvent): Promise<void> {
        return (await this.#open()).recordServiceEvent(service, event);
    }

    /** Moves the fields of a created Service to the field manager of its updates. Best effort: updates do it too. */
    async ownFields(outputs: unknown): Promise<void> {
        const found = ownershipPatch(outputs);
        if (found === undefined) return;
        const reader = await this.#open();
        await reader.patchService(found.namespace, found.name, found.patch).catch((error: unknown) => {
            if (!(error instanceof ClusterError)) throw error;
            return pulumi.log.debug(
                `the fields of Service ${found.namespace}/${found.name} were not handed over: ${error.message}`,
            );
        });
    }

    /** Records a Service on a shared instance. Returns the listeners that collide with those of earlier Services. */
    admit(tenant: Tenant): Collision[] {
        const found = collisionsWith(this.#tenants, tenant);
        this.#tenants.push(...(found.length === 0 ? [tenant] : []));
        return found;
    }

    /** Returns the Service of each recorded listener of an instance, by `tcp:80`. */
    portsOf(instance: string): Record<string, string> {
        return listenersByName(this.#tenants.filter((tenant) => tenant.instance === instance));
    }

    /** Reads the load balancer that a Service reuses, once in a run. @throws CloudError if a call fails */
    async instance(request: ReuseRequest, account: Account): Promise<ObservedLoadBalancer | undefined> {
        const { loadBalancerType, loadBalancerId } = request;
        const api = instancesOf(openAccount(account), loadBalancerType);
        const once = <Value>(what: string, read: () => Promise<Value>) =>
            this.#once(`${accountKey(account)} ${what}`, read);
        const instance = await once(loadBalancerId, () => observeLoadBalancer(api, loadBalancerId));
        return (
            instance &&
            observeGroups(request, instance, {
                listGroups: (id, ids) => once(`groups ${ids.join(" ")}`, () => api.listGroups(id, ids)),
                listBackends: (group) => once(`backends ${group}`, () => api.listBackends(group)),
            })
        );
    }

    /** Reads the nodes, and the endpoints only if some node is at the edge. */
    async edgeView(service: Service): Promise<ClusterView> {
        const nodes = await this.nodes();
        return nodes.some(isEdgeNode) ? this.view(service) : { nodes, endpointSlices: [] };
    }

    /** Reads the nodes, once in a run. */
    nodes(): Promise<readonly NodeObject[]> {
        return this.#once("nodes", async () => (await this.#open()).listNodes());
    }

    /**
     * Reads nodes and endpoints of a Service.
     *
     * @param changed changes made in this run. If they can affect endpoints, the cache is bypassed.
     * @throws ClusterError if a call fails
     */
    async view(service: Service, changed?: EndpointsChange): Promise<ServiceView> {
        const { namespace, name } = service;
        const [reader, reads, nodes, live] = await Promise.all([
            this.#open(),
            this.#shared(),
            this.nodes(),
            this.service(namespace, name),
        ]);
        if (live === undefined) {
            const pods = await reader.listPods(namespace, service.selector);
            return { nodes, predicted: true, endpointSlices: predictSlices(service, pods) };
        }
        const fresh =
            changed !== undefined &&
            (changed.byOthers || changed.uid !== live.metadata.uid || !keepsEndpoints(live, service));
        return {
            nodes,
            live,
            predicted: false,
            endpointSlices: await reads.endpointSlices(namespace, name, { fresh }),
        };
    }
}

/** Builds the connection arguments of a dynamic resource: references, never contents. */
export function clusterArgs({ connection: { kubeconfig, context } }: Cluster): {
    kubeconfig?: pulumi.Input<string>;
    context?: string;
} {
    return defined({ kubeconfig, context });
}
