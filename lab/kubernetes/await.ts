/** Waits for readiness of objects: Deployments until their Pods are available, Services until they have endpoints. */
import { ApiError } from "./api";
import type { Cluster } from "./cluster";
import { annotationOf, annotations, groupOf, nameOf, namespaceOf, skipsAwait, type ObjectType } from "./objects";
import { isMap, type Json, type JsonMap } from "./properties";

/** Seconds, unless the program or an annotation says otherwise. */
const defaultTimeout = 600;
const pollMilliseconds = 250;

export interface Progress {
    readonly ready: boolean;
    readonly message: string;
}

export interface WaitContext {
    readonly cluster: Cluster;
    readonly type: ObjectType;
    /** Limit in seconds. 0 means that the program set none. */
    readonly timeout: number;
    readonly report: (message: string) => Promise<void>;
    readonly cancelled: () => boolean;
}

/** The object exists but has not become ready. */
export class NotReady extends Error {
    constructor(
        message: string,
        readonly live: JsonMap,
    ) {
        super(message);
    }
}

type Check = (live: JsonMap, cluster: Cluster) => Promise<Progress> | Progress;

const checks: Readonly<Record<string, Check>> = { "apps/Deployment": checkDeployment, "/Service": checkService };

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const timeoutOf = (object: JsonMap, given: number): number =>
    given || Number(annotationOf(object, annotations.timeout)) || defaultTimeout;

/**
 * Returns the object once it is ready. It throws {@link NotReady} after the time limit or if the operation is
 * cancelled.
 */
export async function awaitReady(object: JsonMap, context: WaitContext): Promise<JsonMap> {
    const check = checks[`${groupOf(context.type)}/${context.type.kind}`];
    if (check === undefined) return object;
    if (skipsAwait(object)) {
        await context.report("Skipping await logic");
        return object;
    }
    const end = Date.now() + timeoutOf(object, context.timeout) * 1000;
    let live = object;
    for (let last = ""; ;) {
        const { ready, message } = await check(live, context.cluster);
        if (message !== last) await context.report(message);
        last = message;
        if (ready) return live;
        if (context.cancelled()) throw new NotReady(`resource operation was cancelled for "${nameOf(live)}"`, live);
        if (Date.now() > end) throw new NotReady(`'${nameOf(live)}' timed out waiting to be Ready: ${message}`, live);
        await pause(pollMilliseconds);
        live = await context.cluster.get(context.type, namespaceOf(live), nameOf(live));
    }
}

/** Kinds whose deletion is not awaited if `pulumi.com/skipAwait` is "true". That of other kinds is, all the same. */
const UNAWAITED: ReadonlySet<string> = new Set([
    "/Namespace",
    "/Pod",
    "/ReplicationController",
    "apps/DaemonSet",
    "apps/Deployment",
    "apps/StatefulSet",
    "batch/Job",
]);

/** Reports whether the end of an object's deletion is awaited. @param inputs of the object */
export const awaitsDeletion = (inputs: JsonMap, type: ObjectType): boolean =>
    !skipsAwait(inputs) || !UNAWAITED.has(`${groupOf(type)}/${type.kind}`);

/** Returns once the object is gone, or another object has taken its name. */
export async function awaitGone(object: JsonMap, context: WaitContext): Promise<void> {
    const { cluster, type } = context;
    // The real plugin waits with a list and a watch of all objects of the kind, and without the right to list for ever.
    if ((await unlessMissing(cluster.list(type, namespaceOf(object), ""))) === undefined) return;
    const uid = isMap(object["metadata"]) ? object["metadata"]["uid"] : undefined;
    const end = Date.now() + timeoutOf(object, context.timeout) * 1000;
    for (;;) {
        const live = await unlessMissing(cluster.get(type, namespaceOf(object), nameOf(object)));
        if (live === undefined) return;
        if (uid !== undefined && isMap(live["metadata"]) && live["metadata"]["uid"] !== uid) return;
        if (context.cancelled() || Date.now() > end) {
            throw new NotReady(
                `finalizers might be preventing deletion of "${nameOf(object)}": timed out waiting for it to be gone`,
                live,
            );
        }
        await pause(pollMilliseconds);
    }
}

/** Returns an answer, or undefined if the API server does not have what was asked for. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
        return await answer;
    } catch (error) {
        if (error instanceof ApiError && error.code === 404) return undefined;
        throw error;
    }
}

const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);
const map = (value: Json | undefined): JsonMap => (isMap(value) ? value : {});
const list = (value: Json | undefined): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);

function checkDeployment(live: JsonMap): Progress {
    const [spec, state, metadata] = [map(live["spec"]), map(live["status"]), map(live["metadata"])];
    const desired = spec["replicas"] === undefined ? 1 : number(spec["replicas"]);
    const stalled = list(state["conditions"]).find(
        (condition) => condition["type"] === "Progressing" && condition["status"] === "False",
    );
    const updated = number(state["updatedReplicas"]);
    const available = number(state["availableReplicas"]);
    const observed = number(state["observedGeneration"]) >= number(metadata["generation"]);
    if (observed && updated >= desired && available >= desired && number(state["replicas"]) <= desired) {
        return { ready: true, message: "Deployment initialization complete" };
    }
    const reason =
        stalled === undefined ? "" : ` [${String(stalled["reason"] ?? "")}] ${String(stalled["message"] ?? "")}`;
    return {
        ready: false,
        message:
            "[1/2] Waiting for app ReplicaSet to be available " +
            `(${Math.min(available, updated)}/${desired} Pods available)${reason}`,
    };
}

async function checkService(live: JsonMap, cluster: Cluster): Promise<Progress> {
    const spec = map(live["spec"]);
    const type = spec["type"];
    const needsPods =
        type !== "ExternalName" && spec["clusterIP"] !== "None" && Object.keys(map(spec["selector"])).length > 0;
    if (needsPods && !(await hasEndpoints(live, cluster)))
        return { ready: false, message: "[1/3] Finding Pods to direct traffic to" };
    if (type === "LoadBalancer" && list(map(map(live["status"])["loadBalancer"])["ingress"]).length === 0) {
        return { ready: false, message: "[2/3] Attempting to allocate IP address to Service" };
    }
    return { ready: true, message: "Service initialization complete" };
}

async function hasEndpoints(service: JsonMap, cluster: Cluster): Promise<boolean> {
    const slices = await cluster.list(
        { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
        namespaceOf(service),
        `kubernetes.io/service-name=${nameOf(service)}`,
    );
    return slices.some((slice) =>
        list(slice["endpoints"]).some((endpoint) => map(endpoint["conditions"])["ready"] !== false),
    );
}
