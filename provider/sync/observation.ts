import type { EndpointSliceObject, NodeObject, PodObject, ServiceObject } from "../kubernetes/types";

/** What the cluster says of a binding's Service at one moment. */
export interface Observation {
    /** Undefined: the Service is not there. */
    readonly service: ServiceObject | undefined;
    readonly endpointSlices: readonly EndpointSliceObject[];
    readonly nodes: readonly NodeObject[];
    /** Pods with a readiness gate of the Service, by UID. */
    readonly gatedPods: ReadonlyMap<string, PodObject>;
}
