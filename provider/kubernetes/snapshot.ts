import { mapLimited } from "../net";
import type { Cluster } from "./reader";
import type { EndpointSliceObject, NodeObject, PodObject, ServiceObject } from "./types";

/** A Service to read. */
export interface ServiceRef {
    readonly namespace: string;
    readonly name: string;
    /** Labels of its pods; used while the Service does not exist yet. */
    readonly selector?: Readonly<Record<string, string>>;
}

/** One Service in the cluster. */
export interface ServiceSnapshot {
    readonly namespace: string;
    readonly name: string;
    /** The live object; absent where it does not exist yet. */
    readonly service?: ServiceObject;
    readonly slices: readonly EndpointSliceObject[];
    /** Read only where the Service does not exist yet: its slices will be made from these. */
    readonly pods: readonly PodObject[];
}

/** What the cluster looked like. */
export interface Snapshot {
    readonly nodes: readonly NodeObject[];
    /** In the order in which the Services were asked for. */
    readonly services: readonly ServiceSnapshot[];
}

/** Services read at the same time. The API server's fairness gives one caller about this much without queueing. */
const PARALLEL = 8;

/** Reads the nodes once, and each Service with its slices, or with its pods where it does not exist yet. Any failure fails all: half a snapshot would look like removed backends. */
export async function readSnapshot(cluster: Cluster, refs: readonly ServiceRef[]): Promise<Snapshot> {
    const [nodes, services] = await Promise.all([
        cluster.listNodes(),
        mapLimited(refs, PARALLEL, async ({ namespace, name, selector }): Promise<ServiceSnapshot> => {
            const service = await cluster.getService(namespace, name);
            if (!service)
                return { namespace, name, slices: [], pods: await cluster.listPods(namespace, selector ?? {}) };
            return { namespace, name, service, slices: await cluster.listEndpointSlices(namespace, name), pods: [] };
        }),
    ]);
    return { nodes, services };
}
