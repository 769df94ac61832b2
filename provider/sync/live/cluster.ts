/** Watches the cluster into a store, and passes on which groups a change concerns. */
import type { KubeConfig, KubernetesListObject, KubernetesObject } from "@kubernetes/client-node";
import { z } from "zod";
import { ClusterError } from "../../kubernetes";
import { POD } from "../../kubernetes/answers";
import type { Client } from "../../kubernetes/client";
import type { EndpointSliceObject, ServiceObject } from "../../kubernetes/types";
import { type Clock, firstLine } from "../../net";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../binding/spec";
import type { Metrics } from "../metrics";
import type { Log } from "../ports";
import type { Store, Watched } from "../store";
import { type WatchedResource, type Watch, watchResource } from "./informers";
import { GatedPods } from "./pods";

/** What a watched cluster works with. */
export interface LiveClusterOptions {
    readonly config: KubeConfig;
    readonly client: Client;
    readonly store: Store;
    readonly clock: Clock;
    readonly metrics: Metrics;
    readonly log: Log;
    /** Whether readiness gates of pods are set. */
    readonly readinessGates: boolean;
    /** Gets the keys of the groups that a change concerns. */
    readonly changed: (groups: readonly string[]) => void;
}

const RESOURCES: readonly (WatchedResource & { readonly kind: keyof Watched })[] = [
    { kind: "node", name: "nodes", path: "/api/v1/nodes" },
    { kind: "service", name: "services", path: "/api/v1/services" },
    { kind: "slice", name: "endpointslices", path: "/apis/discovery.k8s.io/v1/endpointslices" },
    { kind: "binding", name: BINDING_PLURAL, path: `/apis/${API_GROUP}/${API_VERSION}/${BINDING_PLURAL}` },
];

/** A list as the API server gives it; its version is where the watch begins. */
const LIST = z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string() }),
    items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

/** A cluster that is watched. */
export class LiveCluster {
    readonly #options: LiveClusterOptions;
    readonly #watches = new Set<Watch>();
    readonly #pods: GatedPods;
    #stopped = false;

    constructor(options: LiveClusterOptions) {
        this.#options = options;
        const { client } = options;
        this.#pods = new GatedPods({
            get: (namespace, name) =>
                client.get(`get pod ${namespace}/${name}`, `/api/v1/namespaces/${namespace}/pods/${name}`, POD),
            watch: (namespace) => this.#watchPods(namespace),
            isBound: (namespace, name) => this.#isBound(namespace, name),
            failed: (error) => this.#failed("pods", error),
        });
    }

    /** Watches everything but pods. Resolves once each resource was listed. */
    async start(): Promise<void> {
        const watches = await Promise.all(RESOURCES.map(({ kind, ...resource }) => this.#watch(kind, resource)));
        await Promise.all(watches.map(({ listed }) => listed));
    }

    stop(): void {
        this.#stopped = true;
        for (const watch of this.#watches) watch.stop();
    }

    async #watch(kind: keyof Watched, resource: WatchedResource): Promise<Watch> {
        const { config, clock } = this.#options;
        const handlers = {
            put: (object: KubernetesObject) => this.#noticed(kind, object, true),
            remove: (object: KubernetesObject) => this.#noticed(kind, object, false),
            failed: (error: unknown) => this.#failed(resource.name, error),
        };
        const watch = await watchResource(config, resource, () => this.#list(resource), handlers, clock);
        this.#watches.add(watch);
        if (this.#stopped) watch.stop();
        return watch;
    }

    #watchPods(namespace: string): () => void {
        const begun = this.#watch("pod", { name: "pods", path: `/api/v1/namespaces/${namespace}/pods` });
        begun.catch((error: unknown) => this.#failed("pods", error));
        return () => {
            void begun.then((watch) => {
                watch.stop();
                this.#watches.delete(watch);
                this.#options.store.forgetPods(namespace);
            });
        };
    }

    async #list({ name, path }: WatchedResource): Promise<KubernetesListObject<KubernetesObject>> {
        const list = await this.#options.client.get(`list ${name}`, path, LIST);
        // 404 for a whole collection: its kind is not installed, or no longer in this version. That is no empty list.
        if (list === undefined) throw new Error(notServed(name));
        return list;
    }

    #noticed(kind: keyof Watched, object: KubernetesObject, there: boolean): void {
        const { store, changed } = this.#options;
        const watched = object as unknown as Watched[typeof kind];
        changed(there ? store.put(kind, watched) : store.remove(kind, watched));
        if (there && kind === "slice")
            this.#look((watched as EndpointSliceObject).metadata.namespace, serviceOf(watched as EndpointSliceObject));
        if (there && kind === "service")
            this.#look((watched as ServiceObject).metadata.namespace, (watched as ServiceObject).metadata.name);
        if (there && kind === "binding") {
            const { serviceName } = (object as { spec?: { serviceName?: string } }).spec ?? {};
            this.#look(object.metadata?.namespace, serviceName);
        }
        if (kind === "binding" || kind === "service") this.#pods.prune();
    }

    #isBound(namespace: string, name: string): boolean {
        const { store } = this.#options;
        return (
            store.bindingsOfService(`${namespace}/${name}`).length > 0 &&
            store.observe(namespace, name).service !== undefined
        );
    }

    #look(namespace = "default", name: string | undefined): void {
        if (!this.#options.readinessGates || name === undefined || !this.#isBound(namespace, name)) return;
        const { service, endpointSlices } = this.#options.store.observe(namespace, name);
        if (service !== undefined) void this.#pods.look(service, endpointSlices);
    }

    #failed(resource: string, error: unknown): void {
        this.#options.metrics.watchErrors.inc({ resource });
        const text = isUnknownPath(error) ? notServed(resource) : firstLine(error);
        this.#options.log.warn({ resource, error: text }, "list or watch failed; trying again");
    }
}

/** For a version that it does not serve the API server answers lists and watches with a plain 404, without a Status. */
const isUnknownPath = (error: unknown): boolean =>
    error instanceof ClusterError
        ? error.httpStatus === 404
        : error instanceof Error && "statusCode" in error && error.statusCode === 404;

const notServed = (resource: string): string =>
    `the API server does not serve ${resource}` +
    (resource === BINDING_PLURAL
        ? ` of ${API_GROUP}/${API_VERSION}: install the CustomResourceDefinition of this version of the controller`
        : "");

const serviceOf = ({ metadata }: EndpointSliceObject): string | undefined =>
    metadata.labels?.["kubernetes.io/service-name"];
