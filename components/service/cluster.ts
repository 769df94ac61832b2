import * as pulumi from "@pulumi/pulumi";
import { observeGroups, observeLoadBalancer } from "../../provider/observe/load-balancer";
import { openAccount } from "../../provider/alicloud";
import { instancesOf } from "../../provider/alicloud/instances";
import { type ServiceIdentity, sweepService } from "../../provider/deploy/sweep-service";
import { isEdgeNode, predictSlices, type ClusterView } from "../../provider/backend";
import {
    type Cluster as ClusterReader,
    type ClusterIdentity,
    openCluster,
    type NodeObject,
    type ServiceObject,
} from "../../provider/kubernetes";
import type { Account } from "../../provider/schema/account";
import type { ClusterFacts } from "../../provider/schema/facts";
import type {
    ObservedBackend,
    ObservedServerGroup,
    ObservedLoadBalancer,
    ReuseRequest,
    Tenant,
} from "../../provider/model/observed";
import type { Service } from "../../provider/kubernetes/service/service";
import { type Collision, collisions, listenersByName, type MoveTo } from "../../provider/plan";
import { accountKey } from "./account";
import { noteClusterId } from "./cluster-ids";
import { type KubeconfigReference, kubeconfigReference } from "./kubeconfig";

/** What is known of an ACK cluster, and how to reach it. */
export interface ClusterArgs extends ClusterFacts {
    /**
     * Kubeconfig, as a path or as its contents, also those of a cluster that the program makes. Default: `kubernetes:kubeconfig`, else as kubectl finds it. The contents never
     * enter the state: they are put into a file that only this user can read.
     */
    readonly kubeconfig?: pulumi.Input<string>;
    /** Context of the kubeconfig. Default: `kubernetes:context`, else its current one. */
    readonly context?: string;
    /** Account and region of the load balancers. Default: those of the stack's configuration and of the environment. */
    readonly account?: Account;
    /** Where the stack is to move on purpose: without it a run that reaches another cluster, account or region than the first one is refused. Default: nowhere. */
    readonly moveTo?: MoveTo;
    /**
     * The sync controller keeps backends between runs: a run fills a new server group and makes a ServerGroupBinding for it, and leaves its members alone afterwards. The controller and
     * its CustomResourceDefinition have to be installed. Default false: backends change with runs only.
     */
    readonly sync?: boolean;
}

/** What the cluster says of one Service at the moment. */
export interface ServiceView extends ClusterView {
    /** The Service as it is in the cluster; undefined if it is not there yet. */
    readonly live?: ServiceObject;
    /** Whether the endpoints were predicted from the pods, because the Service is not there yet. */
    readonly predicted: boolean;
}

/**
 * A cluster with Services to expose. One object serves all Services of a program and reads the nodes once.
 *
 * Nothing is read before a Service asks. A cluster that cannot be reached fails the program: nothing is changed then, let alone removed.
 */
export class Cluster {
    readonly facts: ClusterFacts;
    /** How every part of the program reaches the cluster. */
    readonly connection: KubeconfigReference;
    readonly account: Account | undefined;
    readonly moveTo: MoveTo | undefined;
    #reader: Promise<ClusterReader> | undefined;
    #identity: Promise<ClusterIdentity> | undefined;
    /** Whether the sync controller keeps the backends between runs. */
    readonly sync: boolean;
    #nodes: Promise<NodeObject[]> | undefined;
    readonly #services = new Map<string, Promise<ServiceObject | undefined>>();
    readonly #instances = new Map<string, Promise<ObservedLoadBalancer | undefined>>();
    readonly #tenants: Tenant[] = [];
    readonly #groups = new Map<string, Promise<ObservedServerGroup[]>>();
    readonly #backends = new Map<string, Promise<ObservedBackend[]>>();

    /** @throws RunError if another cluster of the program has the same id */
    constructor(args: ClusterArgs) {
        const { kubeconfig, context, account, moveTo, sync = false, ...facts } = args;
        noteClusterId(facts.clusterId, { kubeconfig, context });
        this.facts = facts;
        this.account = account;
        this.moveTo = moveTo;
        this.sync = sync;
        this.connection = kubeconfigReference(facts.clusterId, {
            ...(kubeconfig === undefined ? {} : { kubeconfig }),
            ...(context === undefined ? {} : { context }),
        });
    }

    /** Which cluster this is. Asked for once in a run. */
    identity(): Promise<ClusterIdentity> {
        this.#identity ??= this.#open().then((reader) => reader.identity());
        return this.#identity;
    }

    /** The cluster as all calls of a run use it. */
    #open(): Promise<ClusterReader> {
        this.#reader ??= this.#connect();
        return this.#reader;
    }

    async #connect(): Promise<ClusterReader> {
        const { kubeconfig, context } = this.connection;
        const path = pulumi.Output.isInstance(kubeconfig) ? await this.#known(kubeconfig) : kubeconfig;
        return openCluster({
            ...(path === undefined ? {} : { kubeconfig: path }),
            ...(context === undefined ? {} : { context }),
        });
    }

    async #known(kubeconfig: pulumi.Output<string>): Promise<string> {
        const known = kubeconfig as unknown as { readonly isKnown: Promise<boolean>; promise(): Promise<string> };
        if (!(await known.isKnown)) {
            throw new pulumi.RunError(
                `the cluster ${this.facts.clusterId} is made in this run, so that it cannot be read before. Remedy: make the cluster first, in a run of its own; a Service that this program applies needs no such run.`,
            );
        }
        return known.promise();
    }

    /** The Service as it is in the cluster, or undefined. Asked for once in a run, so that whoever looks sees the same. */
    service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        const key = `${namespace}/${name}`;
        const known = this.#services.get(key) ?? this.#open().then((reader) => reader.getService(namespace, name));
        this.#services.set(key, known);
        return known;
    }

    /** Removes what an interrupted run has left of a Service that is about to be created; refuses anything else of its name. */
    async sweep(identity: ServiceIdentity): Promise<void> {
        return sweepService(await this.#open(), identity);
    }

    /** Notes a Service on an instance that others may use too, and gives the listeners that it would share with those that were noted before. */
    admit(tenant: Tenant): Collision[] {
        const found = collisions([...this.#tenants, tenant]);
        this.#tenants.push(...(found.length === 0 ? [tenant] : []));
        return found;
    }

    /** Listeners of the Services that were noted on an instance, `tcp:80`, and whose each is. */
    portsOf(instance: string): Record<string, string> {
        return listenersByName(this.#tenants.filter((tenant) => tenant.instance === instance));
    }

    /**
     * The load balancer that a Service names, as it is, or undefined. Read once for all Services of the program, so that they share the calls.
     *
     * @throws CloudError if the cloud cannot be reached or refuses to answer.
     */
    async instance(request: ReuseRequest, account: Account): Promise<ObservedLoadBalancer | undefined> {
        const { loadBalancerType, loadBalancerId } = request;
        const place = accountKey(account);
        const api = () => instancesOf(openAccount(account), loadBalancerType);
        const instance = await once(this.#instances, `${place} ${loadBalancerId}`, () =>
            observeLoadBalancer(api(), loadBalancerId),
        );
        return (
            instance &&
            observeGroups(request, instance, {
                groups: (ids) =>
                    once(this.#groups, `${place} ${ids.join(" ")}`, () => api().listGroups(loadBalancerId, ids)),
                backends: (group) => once(this.#backends, `${place} ${group}`, () => api().listBackends(group)),
            })
        );
    }

    /** What is known of pods at the edge: nodes, and endpoints only where some node is at the edge. */
    async edgeView(service: Service): Promise<ClusterView> {
        const nodes = await this.#listNodes();
        return nodes.some(isEdgeNode) ? this.view(service) : { nodes, endpointSlices: [] };
    }

    async #listNodes(): Promise<NodeObject[]> {
        const reader = await this.#open();
        this.#nodes ??= reader.listNodes();
        return this.#nodes;
    }

    /**
     * Nodes and endpoints of a Service.
     *
     * @throws ClusterError if the cluster cannot be reached or refuses to answer.
     */
    async view(service: Service): Promise<ServiceView> {
        const [reader, nodes, live] = await Promise.all([
            this.#open(),
            this.#listNodes(),
            this.service(service.namespace, service.name),
        ]);
        if (live !== undefined) {
            return {
                nodes,
                live,
                predicted: false,
                endpointSlices: await reader.listEndpointSlices(service.namespace, service.name),
            };
        }
        const pods = await reader.listPods(service.namespace, service.selector);
        return { nodes, predicted: true, endpointSlices: predictSlices(service, pods) };
    }
}

/** What was asked for first answers all who ask later. */
function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
}
