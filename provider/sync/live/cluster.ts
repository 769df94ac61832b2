/** Watches of the cluster: they fill a store, and report the groups that a change concerns. */
import type { KubeConfig, KubernetesListObject, KubernetesObject } from "@kubernetes/client-node";
import { z } from "zod";
import { ClusterError } from "../../cluster";
import { POD } from "../../cluster/answers";
import type { Client } from "../../cluster/client";
import { SERVICE_NAME_LABEL } from "../../service/objects";
import { type Clock, firstLine } from "../../net";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../binding/spec";
import type { Metrics } from "../metrics";
import type { Log } from "../ports";
import type { Store, Watched } from "../store";
import { type WatchedResource, type Watch, watchResource } from "./informers";
import { GatedPods } from "./pods";

export interface LiveClusterOptions {
    readonly config: KubeConfig;
    readonly client: Client;
    readonly store: Store;
    readonly clock: Clock;
    readonly metrics: Metrics;
    readonly log: Log;
    /** True if readiness gates of pods are set. */
    readonly readinessGates: boolean;
    /** Receives the keys of the groups that a change concerns. */
    readonly changed: (groups: readonly string[]) => void;
}

const RESOURCES: readonly (WatchedResource & { readonly kind: keyof Watched })[] = [
    { kind: "node", name: "nodes", path: "/api/v1/nodes" },
    { kind: "service", name: "services", path: "/api/v1/services" },
    { kind: "slice", name: "endpointslices", path: "/apis/discovery.k8s.io/v1/endpointslices" },
    { kind: "binding", name: BINDING_PLURAL, path: `/apis/${API_GROUP}/${API_VERSION}/${BINDING_PLURAL}` },
];

/** List whose version the watch begins at. */
const LIST = z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string() }),
    items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

export class LiveCluster {
    readonly #watches = new Set<Watch>();
    readonly #pods: GatedPods;
    #stopped = false;

    constructor(private readonly options: LiveClusterOptions) {
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
        const { config, clock, store, changed } = this.options;
        const handlers = {
            put: (object: KubernetesObject) => {
                changed(store.put(kind, object as Watched[typeof kind]));
                this.#lookForPods(kind, object);
                this.#prune(kind);
            },
            remove: (object: KubernetesObject) => {
                changed(store.remove(kind, object as Watched[typeof kind]));
                this.#prune(kind);
            },
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
                this.options.store.forgetPods(namespace);
            });
        };
    }

    async #list({ name, path }: WatchedResource): Promise<KubernetesListObject<KubernetesObject>> {
        const list = await this.options.client.get(`list ${name}`, path, LIST);
        // 404 for a collection: its kind is not installed in this version. That is no empty list.
        if (list === undefined) throw new Error(notServed(name));
        return list;
    }

    #lookForPods(kind: keyof Watched, object: KubernetesObject): void {
        const { readinessGates, store } = this.options;
        const { namespace = "default" } = object.metadata ?? {};
        const name = serviceOf(kind, object);
        if (!readinessGates || name === undefined || !this.#isBound(namespace, name)) return;
        const { service, endpointSlices } = store.observe(namespace, name);
        if (service !== undefined) void this.#pods.look(service, endpointSlices);
    }

    #prune(kind: keyof Watched): void {
        if (kind === "binding" || kind === "service") this.#pods.prune();
    }

    #isBound(namespace: string, name: string): boolean {
        const { store } = this.options;
        const hasBinding = store.bindingsOfService(`${namespace}/${name}`).length > 0;
        return hasBinding && store.observe(namespace, name).service !== undefined;
    }

    #failed(resource: string, error: unknown): void {
        this.options.metrics.watchErrors.inc({ resource });
        const text = isUnknownPath(error) ? notServed(resource) : firstLine(error);
        this.options.log.warn({ resource, error: text }, "list or watch failed; trying again");
    }
}

function serviceOf(kind: keyof Watched, { metadata, ...object }: KubernetesObject): string | undefined {
    if (kind === "slice") return metadata?.labels?.[SERVICE_NAME_LABEL];
    if (kind === "service") return metadata?.name;
    return kind === "binding" ? (object as { spec?: { serviceName?: string } }).spec?.serviceName : undefined;
}

/** The API server answers requests for an unknown version with a plain 404, without a Status. */
const isUnknownPath = (error: unknown): boolean =>
    error instanceof ClusterError
        ? error.httpStatus === 404
        : error instanceof Error && "statusCode" in error && error.statusCode === 404;

function notServed(resource: string): string {
    const text = `the API server does not serve ${resource}`;
    if (resource !== BINDING_PLURAL) return text;
    const remedy = "install the CustomResourceDefinition of this version of the controller";
    return `${text} of ${API_GROUP}/${API_VERSION}: ${remedy}`;
}
