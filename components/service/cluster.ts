import * as pulumi from "@pulumi/pulumi";
import { claimService } from "../../provider/deploy/claim";
import { type ServiceIdentity, type ServiceKey, sweepService } from "../../provider/deploy/patch-service";
import { isEdgeNode, keepsEndpoints, predictSlices, type ClusterView } from "../../provider/backend";
import {
    type ClusterReader as ClusterReader,
    ClusterError,
    type ClusterIdentity,
    openCluster,
    type NodeObject,
    type ServiceObject,
    SharedReads,
} from "../../provider/kubernetes";
import type { Account } from "../../provider/schema/account";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { ObservedLoadBalancer, ReuseRequest, Tenant } from "../../provider/model/observed";
import { ownershipPatch } from "../../provider/kubernetes/service/field-ownership";
import type { Service } from "../../provider/kubernetes/service/service";
import {
    type Collision,
    collisionsWith,
    type DiscoveredFacts,
    listenersByName,
    type MoveTo,
} from "../../provider/plan";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { type ClusterArgs, noteId, readCluster } from "./cluster-args";
import { type DiscoverArgs, discoverFacts } from "./discover";
import { failingOnce } from "./failures";
import { type KubeconfigReference, kubeconfigReference } from "./kubeconfig";
import { ObservedInstances } from "./observed-instances";
import { GivenOutputs, isKnownOutput, promiseOf } from "./outputs";
import { defined } from "../../provider/schema/defined";

/** Label of the nodes of an ACK cluster, with its id. */
const CLUSTER_LABEL = "ack.aliyun.com";

/** What the cluster says of one Service at the moment. */
export interface ServiceView extends ClusterView {
    /** The Service as it is in the cluster; undefined if it is not there yet. */
    readonly live?: ServiceObject;
    /** Whether the endpoints were predicted from the pods, because the Service is not there yet. */
    readonly predicted: boolean;
}

/** What a run has done before the endpoints of a Service are read. */
export interface EndpointsChange {
    /** UID of the Service as it was applied. */
    readonly uid: string;
    /** Whether other resources of the program, such as a Deployment, were waited for. */
    readonly byOthers: boolean;
}

/**
 * A cluster with Services to expose. One object serves all Services of a program and reads the nodes once.
 *
 * Nothing is read before a Service asks. A cluster that cannot be reached fails the program: nothing is changed then, let alone removed.
 */
export class Cluster {
    /** Its name in the program. */
    readonly name: string;
    /** With placeholders for what is an Output. */
    readonly facts: ClusterFacts;
    /** How every part of the program reaches the cluster. */
    readonly connection: KubeconfigReference;
    readonly account: Account | undefined;
    readonly moveTo: MoveTo | undefined;
    /** What the cluster says of itself, for what was not stated; undefined if it was not asked. */
    readonly discovered: DiscoveredFacts | undefined;
    #reader: Promise<ClusterReader> | undefined;
    #identity: Promise<ClusterIdentity> | undefined;
    #servesBindings: Promise<boolean> | undefined;
    /** Whether the sync controller keeps the backends between runs. */
    readonly sync: boolean;
    #nodes: Promise<NodeObject[]> | undefined;
    #reads: Promise<SharedReads> | undefined;
    readonly #instances = new ObservedInstances();
    readonly #tenants: Tenant[] = [];

    /** The Outputs that its facts and its account are given as. */
    readonly outputs: GivenOutputs;
    /** Why its id cannot be, where that is an Output; undefined if it is none, or can be. */
    readonly idProblem: pulumi.Output<string | undefined> | undefined;

    /**
     * @param discovered what the cluster says of itself: {@link Cluster.discover} passes it, a program leaves it out.
     * @throws RunError if another cluster of the program has the same id, or with every field that must not be an Output
     */
    constructor(args: ClusterArgs, discovered?: DiscoveredFacts) {
        const { name, facts, account } = readCluster(args);
        const { kubeconfig, context, moveTo, sync = false } = args;
        this.name = name;
        this.facts = facts;
        this.account = account;
        this.moveTo = moveTo;
        this.discovered = discovered;
        this.sync = sync;
        this.outputs = new GivenOutputs({ facts, account });
        this.idProblem = noteId(this, args.clusterId, { kubeconfig, context });
        this.connection = kubeconfigReference(name, {
            ...defined({ kubeconfig, context }),
        });
    }

    /**
     * A cluster that is asked for what the program does not state: its id, VPC, vSwitches, network plugin, kube-proxy mode and Kubernetes version, and its region where
     * neither `account` nor the configuration nor the environment names one. What is stated counts.
     *
     * Source: the ConfigMaps and DaemonSets that ACK keeps in kube-system (docs/stack.md, What the cluster says of itself).
     *
     * @throws RunError if the cluster says another thing than the program, or does not say its id and the program does not either
     */
    static discover(args: DiscoverArgs = {}): Promise<Cluster> {
        return failingOnce(discoverFacts(args).then(({ facts, discovered }) => new Cluster(facts, discovered)));
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
            ...defined({ kubeconfig: path, context }),
        });
    }

    async #known(kubeconfig: pulumi.Output<string>): Promise<string> {
        if (!(await isKnownOutput(kubeconfig))) {
            throw new pulumi.RunError(
                `the cluster ${this.name} is made in this run, so that it cannot be read before. Remedy: make the cluster first, in a run of its own; a Service that this program applies needs no such run.`,
            );
        }
        return promiseOf(kubeconfig);
    }

    /** The Service as it is in the cluster, or undefined. Asked for once in a run, so that whoever looks sees the same. */
    async service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        return (await this.#shared()).service(namespace, name);
    }

    #shared(): Promise<SharedReads> {
        this.#reads ??= this.#open().then((reader) => new SharedReads(reader));
        return this.#reads;
    }

    /** Whether the cluster has the custom resource of the sync controller. Asked for once in a run. */
    servesBindings(): Promise<boolean> {
        this.#servesBindings ??= this.#open().then((reader) =>
            reader.serves(`${API_GROUP}/${API_VERSION}`, BINDING_PLURAL),
        );
        return this.#servesBindings;
    }

    /** Removes what an interrupted run has left of a Service that is about to be created; refuses anything else of its name. */
    async sweep(identity: ServiceIdentity): Promise<void> {
        return sweepService(await this.#open(), identity);
    }

    /** Takes a Service over from the Cloud Controller Manager. */
    async claim(key: ServiceKey, type: LoadBalancerType): Promise<void> {
        return claimService(await this.#open(), key, type);
    }

    /** Hands the fields of a Service that was just created to the manager of its updates. One that changed in the meantime is left to the plugin, whose next update does the same. */
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

    /** Notes a Service on an instance that others may use too, and gives the listeners that it would share with those that were noted before. */
    admit(tenant: Tenant): Collision[] {
        const found = collisionsWith(this.#tenants, tenant);
        this.#tenants.push(...(found.length === 0 ? [tenant] : []));
        return found;
    }

    /** Listeners of the Services that were noted on an instance, `tcp:80`, and whose each is. */
    portsOf(instance: string): Record<string, string> {
        return listenersByName(this.#tenants.filter((tenant) => tenant.instance === instance));
    }

    /** The load balancer that a Service names, as it is, or undefined. @throws CloudError if the cloud cannot be reached or refuses to answer */
    instance(request: ReuseRequest, account: Account): Promise<ObservedLoadBalancer | undefined> {
        return this.#instances.read(request, account);
    }

    /** Ids of the ACK clusters that the nodes name; none where nodes have no such label. Nodes are read once for all that need them. */
    async ackIds(): Promise<readonly string[]> {
        const ids = (await this.nodes()).flatMap(({ metadata }) => metadata.labels?.[CLUSTER_LABEL] ?? []);
        return [...new Set(ids)];
    }

    /** What is known of pods at the edge: nodes, and endpoints only where some node is at the edge. */
    async edgeView(service: Service): Promise<ClusterView> {
        const nodes = await this.nodes();
        return nodes.some(isEdgeNode) ? this.view(service) : { nodes, endpointSlices: [] };
    }

    /** The nodes of the cluster. Read once in a run. */
    async nodes(): Promise<readonly NodeObject[]> {
        const reader = await this.#open();
        this.#nodes ??= reader.listNodes();
        return this.#nodes;
    }

    /**
     * Nodes and endpoints of a Service.
     *
     * @param changed what of the run has been done already may decide about the endpoints: they are read anew.
     * @throws ClusterError if the cluster cannot be reached or refuses to answer.
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
