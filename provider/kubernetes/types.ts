/**
 * Kubernetes objects as the API server gives them, as far as this package reads them. Fields that are not named here are there too and are
 * passed on untouched.
 */
export interface ObjectMeta {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
}

export interface Condition {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
}

/** A node, v1. */
export interface NodeObject {
    readonly metadata: ObjectMeta;
    readonly spec?: {
        readonly providerID?: string;
        readonly unschedulable?: boolean;
        readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
    };
    readonly status?: {
        readonly conditions?: readonly Condition[];
        readonly addresses?: readonly { readonly type: string; readonly address: string }[];
        readonly nodeInfo?: { readonly kubeProxyVersion?: string; readonly kubeletVersion?: string };
    };
}

export interface Endpoint {
    readonly addresses: readonly string[];
    readonly nodeName?: string;
    /** A `ready` that is not set means ready. */
    readonly conditions?: {
        readonly ready?: boolean | null;
        readonly serving?: boolean | null;
        readonly terminating?: boolean | null;
    };
    readonly targetRef?: {
        readonly kind?: string;
        readonly name?: string;
        readonly namespace?: string;
        readonly uid?: string;
    };
    readonly zone?: string;
}

/** An EndpointSlice, discovery.k8s.io/v1. */
export interface EndpointSliceObject {
    readonly metadata: ObjectMeta;
    readonly addressType: "IPv4" | "IPv6" | "FQDN";
    /** Null where the Service has no endpoint at all. */
    readonly endpoints?: readonly Endpoint[] | null;
    readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[] | null;
}

/** A pod, v1. */
export interface PodObject {
    readonly metadata: ObjectMeta;
    readonly spec?: {
        readonly nodeName?: string;
        readonly hostNetwork?: boolean;
        readonly containers?: readonly {
            readonly name: string;
            readonly ports?: readonly {
                readonly name?: string;
                readonly containerPort: number;
                readonly protocol?: string;
            }[];
        }[];
    };
    readonly status?: {
        readonly phase?: string;
        readonly podIP?: string;
        readonly podIPs?: readonly { readonly ip: string }[];
        readonly conditions?: readonly Condition[];
    };
}

/** Where a Service can be reached from outside. */
export interface Ingress {
    readonly ip?: string;
    readonly hostname?: string;
    readonly ipMode?: string;
    readonly ports?: readonly { readonly port: number; readonly protocol: string; readonly error?: string }[];
}

/** A Service, v1. */
export interface ServiceObject {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata: ObjectMeta;
    readonly spec?: {
        readonly type?: string;
        readonly clusterIP?: string;
        readonly selector?: Readonly<Record<string, string>>;
        readonly ports?: readonly {
            readonly name?: string;
            readonly port: number;
            readonly protocol?: string;
            readonly targetPort?: number | string;
            readonly nodePort?: number;
        }[];
        readonly externalTrafficPolicy?: string;
        readonly loadBalancerClass?: string;
        readonly loadBalancerSourceRanges?: readonly string[];
        readonly healthCheckNodePort?: number;
    };
    readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } };
}

/** Version of the API server. */
export interface ServerVersion {
    /** For instance `v1.34.1`. */
    readonly gitVersion: string;
    readonly major: string;
    readonly minor: string;
}
