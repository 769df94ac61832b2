/** Informers of the Kubernetes client: they list, watch, resume after a dropped connection and list again after 410 Gone. */
import type { KubeConfig, KubernetesListObject, KubernetesObject } from "@kubernetes/client-node";
import { type Clock, waitBefore } from "../../net";

/** A resource to watch. */
export interface WatchedResource {
    /** Name in figures and log. */
    readonly name: string;
    /** Path of its collection, all namespaces: `/api/v1/nodes`. */
    readonly path: string;
}

/** What is done with the objects of a resource. */
export interface WatchHandlers {
    put(object: KubernetesObject): void;
    remove(object: KubernetesObject): void;
    /** A list or watch has failed; it is tried again. */
    failed(error: unknown): void;
}

/** A resource that is watched. */
export interface Watch {
    /** Resolves after the first complete list. */
    readonly listed: Promise<void>;
    stop(): void;
}

/** Waits between two lists or watches that fail. */
const BACKOFF = { attempts: Infinity, baseMs: 500, capMs: 30_000 };

/** Fields that no backend depends on, and that make up most of an object's size. */
function trim(object: KubernetesObject): void {
    if (object.metadata !== undefined) delete object.metadata.managedFields;
    const { spec, status } = object as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
    for (const field of ["containers", "initContainers", "volumes"]) delete spec?.[field];
    for (const field of ["images", "volumesAttached", "containerStatuses"]) delete status?.[field];
}

/**
 * A configuration whose credentials never fail a watch by themselves: the informer would not catch it, and the process would end. The request goes out without them instead,
 * is refused, and is tried again with the credentials of then.
 */
function patient(config: KubeConfig, failed: (error: unknown) => void): KubeConfig {
    const same = Object.create(config) as KubeConfig;
    same.applySecurityAuthentication = (context) => config.applySecurityAuthentication(context).catch(failed);
    return same;
}

/** Watches a resource until it is stopped. What is known stays known while the API server cannot be reached. */
export async function watchResource(
    config: KubeConfig,
    resource: WatchedResource,
    list: () => Promise<KubernetesListObject<KubernetesObject>>,
    handlers: WatchHandlers,
    clock: Clock,
): Promise<Watch> {
    const { makeInformer } = await import("@kubernetes/client-node");
    let listed: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (listed = resolve));
    const stopped = new AbortController();
    let failures = 0;
    const informer = makeInformer(
        patient(config, (error) => handlers.failed(error)),
        resource.path,
        async () => {
            const found = await list();
            failures = 0;
            // The informer passes the objects on before it watches: they are there by the next turn of the loop.
            setImmediate(listed);
            return found;
        },
    );
    const put = (object: KubernetesObject): void => {
        if (stopped.signal.aborted) return;
        trim(object);
        handlers.put(object);
    };
    informer.on("add", put);
    informer.on("update", put);
    informer.on("delete", (object) => handlers.remove(object));
    informer.on("error", (error: unknown) => {
        if (stopped.signal.aborted) return;
        handlers.failed(error);
        failures++;
        clock.sleep(waitBefore(BACKOFF, failures, clock.random(), BACKOFF.baseMs / 2), stopped.signal).then(
            () => informer.start(),
            () => undefined,
        );
    });
    await informer.start();
    return {
        listed: first,
        stop: () => {
            stopped.abort();
            void informer.stop();
        },
    };
}
