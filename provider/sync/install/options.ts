/** How the controller is installed. Every field but the image has a default. */
export interface InstallOptions {
    /** Image of the Deployment, for example `registry.cn-hangzhou.aliyuncs.com/acme/ack-loadbalancer:1.0.0`. */
    readonly image: string;
    /** Default `ack-loadbalancer`. */
    readonly namespace?: string;
    /** Name of all resources. Default `ack-loadbalancer-sync`. */
    readonly name?: string;
    /** RAM role that the pods get by RRSA. Default: the pods' other credentials, such as the role of their node. */
    readonly ramRole?: string;
    /** Replicas, of which one works. Default 2. */
    readonly replicas?: number;
    /** Seconds between two reads of every group, 10 to 86400. Default 600. */
    readonly resyncSeconds?: number;
    /** Id of the cluster in ownership marks. Default: what the ConfigMap kube-system/ack-cluster-profile says. */
    readonly clusterId?: string;
    /** User-managed server groups that bindings may fill, as `<namespace of the binding>/<id>`. Default none. */
    readonly userManagedGroups?: readonly string[];
    /** Set the readiness gates of pods, for which the controller may read pods and patch their statuses in every namespace. Default true. */
    readonly readinessGates?: boolean;
    /** Limit the traffic of the pods to probes, figures, DNS and HTTPS. Default false. */
    readonly networkPolicy?: boolean;
}

/** Options with their defaults. */
export type Install = Required<Omit<InstallOptions, "ramRole" | "clusterId">> &
    Pick<InstallOptions, "ramRole" | "clusterId">;

/** Fills in the defaults. */
export const withDefaults = (options: InstallOptions): Install => ({
    namespace: "ack-loadbalancer",
    name: "ack-loadbalancer-sync",
    replicas: 2,
    resyncSeconds: 600,
    networkPolicy: false,
    userManagedGroups: [],
    readinessGates: true,
    ...options,
});

/** Labels of the pods. */
export const labelsOf = ({ name }: Pick<Install, "name">): Record<string, string> => ({
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/component": "sync",
    "app.kubernetes.io/part-of": "ack-loadbalancer",
});

/** Port of probes and figures. */
export const PROBES_PORT = 8080;
