import { observeGroups, observeLoadBalancer } from "../../provider/observe/load-balancer";
import { instancesOf } from "../../provider/alicloud/instances";
import { type ServiceIdentity, sweepService } from "../../provider/deploy/sweep-service";
import { predictSlices, type ClusterView } from "../../provider/backend";
import { createCloud } from "../../provider/alicloud";
import {
    type Cluster as ClusterReader,
    openCluster,
    type NodeObject,
    type ServiceObject,
} from "../../provider/kubernetes";
import type { ClusterFacts } from "../../provider/schema/facts";
import type {
    ObservedBackend,
    ObservedServerGroup,
    ObservedLoadBalancer,
    ReuseRequest,
    Tenant,
} from "../../provider/model/observed";
import type { Service } from "../../provider/kubernetes/service/service";
import { type Collision, collisions, listenersByName } from "../../provider/plan";

/** What is known of an ACK cluster, and how to reach it. */
export interface ClusterArgs extends ClusterFacts {
    /** Kubeconfig, as a path. Default: as kubectl finds it. The contents never enter the state. */
    readonly kubeconfig?: string;
    /** Context of the kubeconfig. Default: its current one. */
    readonly context?: string;
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
 * A cluster that Services stand in. One object serves all Services of a program and reads the nodes once.
 *
 * Nothing is read before a Service asks. A cluster that cannot be reached fails the program: nothing is changed then, let alone removed.
 */
export class Cluster {
    readonly facts: ClusterFacts;
    readonly context: string | undefined;
    /** Whether the sync controller keeps the backends between runs. */
    readonly sync: boolean;
    readonly #reader: ClusterReader;
    #nodes: Promise<NodeObject[]> | undefined;
    readonly #services = new Map<string, Promise<ServiceObject | undefined>>();
    readonly #instances = new Map<string, Promise<ObservedLoadBalancer | undefined>>();
    readonly #tenants: Tenant[] = [];
    readonly #groups = new Map<string, Promise<ObservedServerGroup[]>>();
    readonly #backends = new Map<string, Promise<ObservedBackend[]>>();

    constructor(args: ClusterArgs) {
        const { kubeconfig, context, sync = false, ...facts } = args;
        this.facts = facts;
        this.context = context;
        this.sync = sync;
        this.#reader = openCluster({
            ...(kubeconfig === undefined ? {} : { kubeconfig }),
            ...(context === undefined ? {} : { context }),
        });
    }

    /** The Service as it is in the cluster, or undefined. Asked for once in a run, so that whoever looks sees the same. */
    service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        const key = `${namespace}/${name}`;
        const known = this.#services.get(key) ?? this.#reader.getService(namespace, name);
        this.#services.set(key, known);
        return known;
    }

    /** Removes what an interrupted run has left of a Service that is about to be created; refuses anything else of its name. */
    sweep(identity: ServiceIdentity): Promise<void> {
        return sweepService(this.#reader, identity);
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
     * @param region absent = the environment's.
     * @throws CloudError if the cloud cannot be reached or refuses to answer.
     */
    async instance(request: ReuseRequest, region: string | undefined): Promise<ObservedLoadBalancer | undefined> {
        const { loadBalancerType, loadBalancerId } = request;
        const api = () => instancesOf(createCloud({ region }), loadBalancerType);
        const instance = await once(this.#instances, `${region} ${loadBalancerId}`, () =>
            observeLoadBalancer(api(), loadBalancerId),
        );
        return (
            instance &&
            observeGroups(request, instance, {
                groups: (ids) =>
                    once(this.#groups, `${region} ${ids.join(" ")}`, () => api().listGroups(loadBalancerId, ids)),
                backends: (group) => once(this.#backends, `${region} ${group}`, () => api().listBackends(group)),
            })
        );
    }

    /**
     * Nodes and endpoints of a Service.
     *
     * @throws ClusterError if the cluster cannot be reached or refuses to answer.
     */
    async view(service: Service): Promise<ServiceView> {
        this.#nodes ??= this.#reader.listNodes();
        const [nodes, live] = await Promise.all([this.#nodes, this.service(service.namespace, service.name)]);
        if (live !== undefined) {
            return {
                nodes,
                live,
                predicted: false,
                endpointSlices: await this.#reader.listEndpointSlices(service.namespace, service.name),
            };
        }
        const pods = await this.#reader.listPods(service.namespace, service.selector);
        return { nodes, predicted: true, endpointSlices: predictSlices(service, pods) };
    }
}

/** What was asked for first answers all who ask later. */
function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
}
