/** Reads of a cluster in a run. Each is made once: all Services of a program see the same state. */
import * as pulumi from "@pulumi/pulumi";
import { type ClusterView, isEdgeNode, keepsEndpoints, predictSlices } from "../../provider/backends";
import { openAccount } from "../../provider/cloud";
import { type ClusterReader, openCluster, SharedReads } from "../../provider/cluster";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { instancesOf, observeGroups, observeLoadBalancer } from "../../provider/plan/reuse/instances";
import type { Account } from "../../provider/schema/account";
import { defined, once } from "../../provider/schema/defined";
import type { ClusterIdentity, NodeObject, ServiceObject } from "../../provider/service/objects";
import type { ReuseRequest } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { isKnownOutput, promiseOf } from "../run/outputs";
import { accountKey } from "./account";
import type { KubeconfigReference } from "./args";

export interface ServiceView extends ClusterView {
    /** Undefined if the Service does not exist yet. */
    readonly live?: ServiceObject;
}

/** Changes of this run that precede reading the endpoints of a Service. */
interface EndpointsChange {
    /** UID of the applied Service. */
    readonly uid: string;
    /** True if the Service has waited for other resources of the program, such as a Deployment. */
    readonly byOthers: boolean;
}

/** Reads of the cluster that a {@link Cluster} stands for, and of the load balancers that its Services reuse. */
export class ClusterReads {
    /** By name. */
    readonly #known = new Map<string, Promise<unknown>>();

    /** @param name of the cluster in the program, for messages */
    constructor(
        private readonly name: string,
        private readonly connection: KubeconfigReference,
    ) {}

    #once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
        return once(this.#known, name, read) as Promise<Value>;
    }

    identity(): Promise<ClusterIdentity> {
        return this.#once("identity", async () => (await this.reader()).identity());
    }

    /** Opens the cluster, once in a run. @throws RunError if the cluster is yet to be made */
    reader(): Promise<ClusterReader> {
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

    async service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        return (await this.#shared()).service(namespace, name);
    }

    /** Returns true if there is such a namespace, or undefined if that may not be read. */
    hasNamespace(name: string): Promise<boolean | undefined> {
        return this.#once(`namespace ${name}`, async () => (await this.reader()).hasNamespace(name));
    }

    #shared(): Promise<SharedReads> {
        return this.#once("shared reads", async () => new SharedReads(await this.reader()));
    }

    /** True if the cluster has the sync controller's custom resource. */
    servesBindings(): Promise<boolean> {
        return this.#once("bindings", async () => (await this.reader()).serves(API_GROUP, API_VERSION, BINDING_PLURAL));
    }

    /** Reads the load balancer that a Service reuses. @throws CloudError if a call fails */
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

    nodes(): Promise<readonly NodeObject[]> {
        return this.#once("nodes", async () => (await this.reader()).listNodes());
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
            this.reader(),
            this.#shared(),
            this.nodes(),
            this.service(namespace, name),
        ]);
        // Without a selector nobody but their author writes the slices, perhaps before the Service is there.
        if (live === undefined && Object.keys(service.selector).length > 0) {
            const pods = await reader.listPods(namespace, service.selector);
            return { nodes, endpointSlices: predictSlices(service, pods) };
        }
        const fresh =
            changed !== undefined &&
            (live === undefined ||
                changed.byOthers ||
                changed.uid !== live.metadata.uid ||
                !keepsEndpoints(live, service));
        const endpointSlices = await reads.endpointSlices(namespace, name, { fresh });
        return { nodes, endpointSlices, ...defined({ live }) };
    }
}
