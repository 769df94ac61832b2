/** Watches of the cluster: they fill a store, and report the groups that a change concerns. */
import type { KubeConfig, KubernetesObject } from "@kubernetes/client-node";
import { z } from "zod";
import { ClusterError } from "../../cluster";
import { POD } from "../../cluster/answers";
import type { Client } from "../../cluster/client";
import { SERVICE_NAME_LABEL } from "../../service/objects";
import { firstLine, waitBefore } from "../../net";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../binding/spec";
import type { ControllerOptions } from "../controller";
import type { Watched } from "../store";
import { GatedPods } from "./pods";

export interface LiveClusterOptions extends Pick<ControllerOptions, "store" | "clock" | "metrics" | "log"> {
    readonly config: KubeConfig;
    readonly client: Client;
    readonly readinessGates: boolean;
    /** Receives the keys of the groups that a change concerns. */
    readonly changed: (groups: readonly string[]) => void;
}

/** Watched collection: its name in metrics and log, and its path. */
interface Resource {
    readonly kind: keyof Watched;
    readonly name: string;
    readonly path: string;
}

const RESOURCES: readonly Resource[] = [
    { kind: "node", name: "nodes", path: "/api/v1/nodes" },
    { kind: "service", name: "services", path: "/api/v1/services" },
    { kind: "slice", name: "endpointslices", path: "/apis/discovery.k8s.io/v1/endpointslices" },
    { kind: "binding", name: BINDING_PLURAL, path: `/apis/${API_GROUP}/${API_VERSION}/${BINDING_PLURAL}` },
];

const BACKOFF = { attempts: Infinity, baseMs: 500, capMs: 30_000 };

/** List whose version the watch begins at. */
const LIST = z.looseObject({
    metadata: z.looseObject({ resourceVersion: z.string() }),
    items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

/**
 * Watches by informers of the Kubernetes client, which resume dropped connections and list again after 410 Gone.
 * Objects stay known during an outage of the API server.
 */
export class LiveCluster {
    readonly #watches = new Set<{ stop(): void }>();
    readonly #pods: GatedPods;
    readonly #stopped = new AbortController();
    /** Services whose pods could not be read: no further event may tell of them. */
    readonly #unread = new Set<string>();

    constructor(private readonly options: LiveClusterOptions) {
        const { client } = options;
        this.#pods = new GatedPods({
            get: (namespace, name) =>
                client.get(`get pod ${namespace}/${name}`, `/api/v1/namespaces/${namespace}/pods/${name}`, POD),
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
        const watches = await Promise.all(RESOURCES.map((resource) => this.#watch(resource)));
        await Promise.all(watches.map(({ listed }) => listed));
    }

    stop(): void {
        this.#stopped.abort();
        for (const watch of this.#watches) watch.stop();
    }

    /** Returns how to stop the watch, and a promise that resolves after the first complete list. */
    async #watch({ kind, name, path }: Resource) {
        const { makeInformer } = await import("@kubernetes/client-node");
        const { config, client, clock } = this.options;
        const failed = (error: unknown): void => this.#failed(name, error);
        const { promise: listed, resolve } = Promise.withResolvers<void>();
        const stopped = new AbortController();
        let failures = 0;
        const informer = makeInformer(patient(config, failed), path, async () => {
            const list = await client.get(`list ${name}`, path, LIST);
            // 404 for a collection: its kind is not installed in this version. That is no empty list.
            if (list === undefined) throw new Error(notServed(name));
            failures = 0;
            // The informer passes the objects on before it watches: they are there by the next turn of the loop.
            setImmediate(resolve);
            return list;
        });
        const put = (object: KubernetesObject): void => {
            // A watch that resumes lists nothing: it works again once it shows something.
            failures = 0;
            if (!stopped.signal.aborted) this.#change(kind, object, true);
        };
        informer.on("add", put);
        informer.on("update", put);
        informer.on("delete", (object) => this.#change(kind, object, false));
        informer.on("error", (error: unknown) => {
            if (stopped.signal.aborted) return;
            failed(error);
            failures++;
            clock.sleep(waitBefore(BACKOFF, failures, clock.random(), BACKOFF.baseMs / 2), stopped.signal).then(
                () => informer.start(),
                () => undefined,
            );
        });
        await informer.start();
        const stop = (): void => {
            stopped.abort();
            void informer.stop();
        };
        const watch = { listed, stop };
        this.#watches.add(watch);
        if (this.#stopped.signal.aborted) stop();
        return watch;
    }

    #watchPods(namespace: string): () => void {
        const begun = this.#watch({ kind: "pod", name: "pods", path: `/api/v1/namespaces/${namespace}/pods` });
        begun.catch((error: unknown) => this.#failed("pods", error));
        return () => {
            void begun.then((watch) => {
                watch.stop();
                this.#watches.delete(watch);
                this.options.store.forgetPods(namespace);
            });
        };
    }

    #change<Kind extends keyof Watched>(kind: Kind, object: KubernetesObject, present: boolean): void {
        const { store, changed, readinessGates } = this.options;
        trim(object);
        changed(store[present ? "put" : "remove"](kind, object as Watched[Kind]));
        const service = present && readinessGates ? serviceOf(kind, object) : undefined;
        if (service !== undefined) this.#look(`${object.metadata?.namespace ?? "default"}/${service}`);
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
        this.options.clock.sleep(BACKOFF.capMs, this.#stopped.signal).then(look, () => undefined);
    }

    #isBound(service: string): boolean {
        const { store } = this.options;
        return store.bindingsOfService(service).length > 0 && store.observe(service).service !== undefined;
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

/** Removes large fields that no backend depends on. */
function trim(object: KubernetesObject): void {
    if (object.metadata !== undefined) delete object.metadata.managedFields;
    const { spec, status } = object as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
    for (const field of ["containers", "initContainers", "volumes"]) delete spec?.[field];
    for (const field of ["images", "volumesAttached", "containerStatuses"]) delete status?.[field];
}

/**
 * Returns a configuration whose failing credentials do not end the process: the informer would not catch the error.
 * The request is sent without them, refused, and retried with the credentials of then.
 */
function patient(config: KubeConfig, failed: (error: unknown) => void): KubeConfig {
    const same = Object.create(config) as KubeConfig;
    same.applySecurityAuthentication = (context) => config.applySecurityAuthentication(context).catch(failed);
    return same;
}
