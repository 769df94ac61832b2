/** Informers of the Kubernetes client: they list, watch, resume dropped connections and list again after 410 Gone. */
import type { KubeConfig, KubernetesListObject, KubernetesObject } from "@kubernetes/client-node";
import { type Clock, waitBefore } from "../../net";

export interface WatchedResource {
    /** Name in metrics and log. */
    readonly name: string;
    /** Path of its collection: `/api/v1/nodes`. */
    readonly path: string;
}

interface WatchHandlers {
    put(object: KubernetesObject): void;
    remove(object: KubernetesObject): void;
    /** A list or watch has failed and will be retried. */
    failed(error: unknown): void;
}

export interface Watch {
    /** Resolves after the first complete list. */
    readonly listed: Promise<void>;
    stop(): void;
}

/** Waits between failed lists or watches. */
const BACKOFF = { attempts: Infinity, baseMs: 500, capMs: 30_000 };

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

/** Watches a resource until it is stopped. Objects stay known during an outage of the API server. */
export async function watchResource(
    config: KubeConfig,
    resource: WatchedResource,
    list: () => Promise<KubernetesListObject<KubernetesObject>>,
    handlers: WatchHandlers,
    clock: Clock,
): Promise<Watch> {
    const { makeInformer } = await import("@kubernetes/client-node");
    let resolve: () => void = () => undefined;
    const listed = new Promise<void>((resolved) => (resolve = resolved));
    const stopped = new AbortController();
    let failures = 0;
    const informer = makeInformer(
        patient(config, (error) => handlers.failed(error)),
        resource.path,
        async () => {
            const objects = await list();
            failures = 0;
            // The informer passes the objects on before it watches: they are there by the next turn of the loop.
            setImmediate(resolve);
            return objects;
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
        listed,
        stop: () => {
            stopped.abort();
            void informer.stop();
        },
    };
}
