import type { EndpointSliceObject, NodeObject } from "../kubernetes/types";

/** The cluster as observed at one moment. */
export interface ClusterView {
    readonly nodes: readonly NodeObject[];
    readonly endpointSlices: readonly EndpointSliceObject[];
}
