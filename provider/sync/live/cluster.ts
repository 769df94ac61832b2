/** Watches of the cluster: they fill a store, and report the groups that a change concerns. */
import { ClusterError } from "../../cluster";
import { ENDPOINT_SLICE, NODE, OBJECT, POD, SERVICE } from "../../cluster/answers";
import type { Client } from "../../cluster/client";
import { watchCollection, type WatchOptions } from "../../cluster/watch";
import { SERVICE_NAME_LABEL } from "../../service/objects";
import { firstLine } from "../../net";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../binding/spec";
import type { ControllerOptions } from "../controller";
import type { Watched } from "../store";
import { GatedPods } from "./pods";

export interface LiveClusterOptions
    extends Pick<ControllerOptions, "store" | "clock" | "metrics" | "log">, Pick<WatchOptions<never>, "silenceMs"> {
    readonly client: WatchOptions<never>["client"] & Pick<Client, "get">;
    readonly readinessGates: boolean;
    /** Namespaces whose objects are watched. Empty: all. */
    readonly watchNamespaces: readonly string[];
    /** Receives the keys of the groups that a change concerns. */
    readonly changed: (groups: readonly string[]) => void;
}

const POD_LOOK_AGAIN_MS = 30_000;

const RESOURCES = {
    node: { name: "nodes", path: ["api", "v1", "nodes"], schema: NODE },
    service: { name: "services", path: ["api", "v1", "services"], schema: SERVICE },
    slice: {
        name: "endpointslices",
        path: ["apis", "discovery.k8s.io", "v1", "endpointslices"],
        schema: ENDPOINT_SLICE,
    },
    // A binding that cannot be read is a finding of its own.
    binding: { name: BINDING_PLURAL, path: ["apis", API_GROUP, API_VERSION, BINDING_PLURAL], schema: OBJECT },
} as const;

/** Watches of the cluster. Objects stay known during an outage of the API server. */
export class LiveCluster {
    readonly #pods: GatedPods;
    readonly #stopped = new AbortController();
    /** Services whose pods could not be read: no further event may tell of them. */
    readonly #unread = new Set<string>();

    constructor(private readonly options: LiveClusterOptions) {
        const { client } = options;
        this.#pods = new GatedPods({
            get: (namespace, name) => client.get(`get pod ${namespace}/${name}`, [...podsOf(namespace), name], POD),
            watch: (namespace) => this.#watchPods(namespace),
            isBound: (service) => this.#isBound(service),
            failed: (error, service) => {
                this.#failed("pods", error);
                this.#lookAgain(service);
            },
        });
    }

    /** Watches everything but pods. Resolves once each resource was listed. */
    async start(): Promise<void> {
        const { signal } = this.#stopped;
        const { node, service, slice, binding } = RESOURCES;
        const { watchNamespaces } = this.options;
        const places = watchNamespaces.length === 0 ? [[]] : watchNamespaces.map((one) => ["namespaces", one]);
        const within = <Resource extends { readonly path: readonly string[] }>(
            resource: Resource,
            place: string[],
        ) => ({
            ...resource,
            path: [...resource.path.slice(0, -1), ...place, ...resource.path.slice(-1)],
        });
        await Promise.all([
            this.#watch("node", node, signal),
            ...places.flatMap((place) => [
                this.#watch("service", within(service, place), signal),
                this.#watch("slice", within(slice, place), signal),
                this.#watch("binding", within(binding, place), signal),
            ]),
        ]);
    }

    stop(): void {
        this.#stopped.abort();
    }

    /** Watches a collection. Resolves after its first complete list. */
    async #watch<Kind extends keyof Watched>(
        kind: Kind,
        resource: Pick<WatchOptions<Watched[Kind]>, "name" | "path" | "schema">,
        signal: AbortSignal,
    ): Promise<void> {
        const { promise: listed, resolve } = Promise.withResolvers<void>();
        void watchCollection({
            ...this.options,
            ...resource,
            signal,
            put: (object) => this.#change(kind, object, true),
            remove: (object) => this.#change(kind, object, false),
            listed: resolve,
            failed: (error) => this.#failed(resource.name, error),
        });
        await listed;
    }

    #watchPods(namespace: string): () => void {
        const ended = new AbortController();
        const signal = AbortSignal.any([ended.signal, this.#stopped.signal]);
        void this.#watch("pod", { name: "pods", path: podsOf(namespace), schema: POD }, signal);
        return () => {
            ended.abort();
            this.options.store.forgetPods(namespace);
        };
    }

    #change<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind], present: boolean): void {
        const { store, changed, readinessGates } = this.options;
        trim(object);
        changed(store[present ? "put" : "remove"](kind, object));
        const service = present && readinessGates ? serviceOf(kind, object) : undefined;
        if (service !== undefined) this.#look(`${object.metadata.namespace ?? "default"}/${service}`);
        if (kind === "binding" || kind === "service") this.#pods.prune();
    }

    #look(key: string): void {
        if (!this.#isBound(key)) return;
        const { service, endpointSlices } = this.options.store.observe(key);
        if (service !== undefined) void this.#pods.look(service, endpointSlices);
    }

    #lookAgain(service: string): void {
        if (this.#unread.has(service)) return;
        this.#unread.add(service);
        const look = (): void => {
            this.#unread.delete(service);
            this.#look(service);
        };
        this.options.clock.sleep(POD_LOOK_AGAIN_MS, this.#stopped.signal).then(look, () => undefined);
    }

    #isBound(service: string): boolean {
        const { store } = this.options;
        return store.bindingsOfService(service).length > 0 && store.observe(service).service !== undefined;
    }

    #failed(resource: string, error: unknown): void {
        this.options.metrics.watchErrors.inc({ resource });
        const text = isUnknownPath(error) ? notServed(resource) : describe(error);
        this.options.log.warn({ resource, error: text }, "list or watch failed; trying again");
    }
}

function serviceOf(kind: keyof Watched, { metadata, ...object }: Watched[keyof Watched]): string | undefined {
    if (kind === "slice") return metadata.labels?.[SERVICE_NAME_LABEL];
    if (kind === "service") return metadata.name;
    return kind === "binding" ? (object as { spec?: { serviceName?: string } }).spec?.serviceName : undefined;
}

const podsOf = (namespace: string) => ["api", "v1", "namespaces", namespace, "pods"];

const isUnknownPath = (error: unknown): boolean => error instanceof ClusterError && error.httpStatus === 404;

const describe = (error: unknown): string =>
    firstLine(error instanceof ClusterError ? `${error.action} failed: ${error.cause}` : error);

function notServed(resource: string): string {
    const text = `the API server does not serve ${resource}`;
    if (resource !== BINDING_PLURAL) return text;
    const remedy = "install the CustomResourceDefinition of this version of the controller";
    return `${text} of ${API_GROUP}/${API_VERSION}: ${remedy}`;
}

/** Removes large fields that no backend depends on. */
function trim(object: Watched[keyof Watched]): void {
    delete (object.metadata as { managedFields?: unknown }).managedFields;
    const { spec, status } = object as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
    for (const field of ["containers", "initContainers", "volumes"]) delete spec?.[field];
    for (const field of ["images", "volumesAttached", "containerStatuses"]) delete status?.[field];
}
