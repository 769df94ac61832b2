/** Types of Kubernetes objects as the API server returns them: read-only, with the fields that it always sets. */

import type { LoadBalancerIngress, Namespace, Node, Pod, PodSpec, Service } from "kubernetes-types/core/v1";
import type { Endpoint as SliceEndpoint, EndpointConditions, EndpointSlice } from "kubernetes-types/discovery/v1";
import type { ObjectMeta as Metadata } from "kubernetes-types/meta/v1";

type Immutable<T> = T extends (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : T;

/** Fields that may be null, as the server writes empty lists and unset pointers of some types. */
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** Metadata of an object in a cluster: it has a name. */
export type ObjectMeta = Immutable<Metadata> & { readonly name: string };

type Stored<T extends { readonly metadata?: Metadata }> = Immutable<Omit<T, "metadata" | "apiVersion" | "kind">> & {
    // Absent in items of a list.
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata: ObjectMeta;
};

export type NamespaceObject = Stored<Namespace>;
export type NodeObject = Stored<Node>;
export type ServiceObject = Stored<Service>;
export type PodObject = Stored<Omit<Pod, "spec">> & { readonly spec?: Immutable<Partial<PodSpec>> };

/** Endpoint of a slice. An unset `ready` means ready. */
export type EndpointObject = Immutable<Omit<SliceEndpoint, "conditions">> & {
    readonly conditions?: Nullable<EndpointConditions>;
};

/** EndpointSlice, discovery.k8s.io/v1. Its lists are null if the Service has no endpoints. */
export type EndpointSliceObject = Omit<Stored<EndpointSlice>, "addressType" | "endpoints" | "ports"> & {
    readonly addressType: "IPv4" | "IPv6" | "FQDN";
    readonly endpoints?: readonly EndpointObject[] | null;
    readonly ports?: Immutable<EndpointSlice["ports"]> | null;
};

/** Address of a Service for clients outside the cluster. */
export type Ingress = Immutable<LoadBalancerIngress>;

export interface ClusterIdentity {
    /** UID of the namespace kube-system, which lives as long as the cluster. Absent if it may not be read. */
    readonly uid?: string;
    /** URL of the API server, for display: a cluster may have several. */
    readonly server: string;
}

export const SERVICE_NAME_LABEL = "kubernetes.io/service-name";

/** Labels of nodes: "true" at the edge. Sources: ACK Edge, "FAQ about edge nodes", and OpenYurt. */
export const EDGE_LABELS = ["alibabacloud.com/is-edge-worker", "openyurt.io/is-edge-worker"] as const;

/** Label of an instance of Edge Node Service (ENS): its id. */
export const ENS_LABEL = "alibabacloud.com/ens-instance-id";
