/**
 * Kubernetes objects as the API server gives them: the types of their API groups, with what the server always fills in. Nothing here is changed in place.
 */

import type { LoadBalancerIngress, Namespace, Node, Pod, PodSpec, Service } from "kubernetes-types/core/v1";
import type { Endpoint as SliceEndpoint, EndpointConditions, EndpointSlice } from "kubernetes-types/discovery/v1";
import type { ObjectMeta as Metadata } from "kubernetes-types/meta/v1";

type Immutable<T> = T extends (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : T;

/** Any of a field's values, or null, which the server writes for empty lists and unset pointers of some types. */
type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** The metadata of an object in a cluster: it has a name. */
export type ObjectMeta = Immutable<Metadata> & { readonly name: string };

type Stored<T extends { readonly metadata?: Metadata }> = Immutable<Omit<T, "metadata" | "apiVersion" | "kind">> & {
    /** Absent in items of a list. */
    readonly apiVersion?: string;
    /** Absent in items of a list. */
    readonly kind?: string;
    readonly metadata: ObjectMeta;
};

/** A namespace, v1. */
export type NamespaceObject = Stored<Namespace>;

/** A node, v1. */
export type NodeObject = Stored<Node>;

/** A Service, v1. */
export type ServiceObject = Stored<Service>;

/** A pod, v1. */
export type PodObject = Stored<Omit<Pod, "spec">> & { readonly spec?: Immutable<Partial<PodSpec>> };

/** An endpoint of a slice. A `ready` that is not set means ready. */
export type EndpointObject = Immutable<Omit<SliceEndpoint, "conditions">> & {
    readonly conditions?: Nullable<EndpointConditions>;
};

/** An EndpointSlice, discovery.k8s.io/v1. Its lists are null where the Service has no endpoint at all. */
export type EndpointSliceObject = Omit<Stored<EndpointSlice>, "addressType" | "endpoints" | "ports"> & {
    readonly addressType: "IPv4" | "IPv6" | "FQDN";
    readonly endpoints?: readonly EndpointObject[] | null;
    readonly ports?: Immutable<EndpointSlice["ports"]> | null;
};

/** Where a Service can be reached from outside. */
export type Ingress = Immutable<LoadBalancerIngress>;

/** Version of the API server. */
export interface ServerVersion {
    /** For instance `v1.34.1`. */
    readonly gitVersion: string;
    readonly major: string;
    readonly minor: string;
}

/** What tells one cluster from another. */
export interface ClusterIdentity {
    /** UID of the namespace kube-system, which lives as long as the cluster. Absent where it could not be read. */
    readonly uid?: string;
    /** The API server's URL: a name for people; one cluster may have several. */
    readonly server: string;
}

/** Label of an EndpointSlice: the name of its Service. */
export const SERVICE_NAME_LABEL = "kubernetes.io/service-name";

/**
 * Labels of nodes: "true" at the edge, "false" in the cloud.
 * Source: ACK Edge, "FAQ about edge nodes"; the second is that of OpenYurt.
 */
export const EDGE_LABELS = ["alibabacloud.com/is-edge-worker", "openyurt.io/is-edge-worker"] as const;

/** Label of an instance of Edge Node Service (ENS): its id. */
export const ENS_LABEL = "alibabacloud.com/ens-instance-id";
