/** Kubernetes objects that install the controller. */
import { stringify } from "yaml";
import { PROFILE } from "../cluster/discovery";
import { bindingDefinition } from "./binding/crd";
import { API_GROUP, BINDING_PLURAL } from "./binding/spec";

/** Options of an installation. Every field but the image has a default. */
export interface InstallOptions {
    /** Image of the Deployment, for example `registry.cn-hangzhou.aliyuncs.com/acme/ack-loadbalancer:1.0.0`. */
    readonly image: string;
    /** Default `ack-loadbalancer`. */
    readonly namespace?: string;
    /** Name of all resources. Default `ack-loadbalancer-sync`. */
    readonly name?: string;
    /** RAM role that the pods get by RRSA. Default: their other credentials, such as the role of their node. */
    readonly ramRole?: string;
    /** Replicas, of which one works. Default 2. */
    readonly replicas?: number;
    /** Seconds between two reads of every group, 10 to 86400. Default 600. */
    readonly resyncSeconds?: number;
    /** Id of the cluster in ownership marks. Default: that in the ConfigMap kube-system/ack-cluster-profile. */
    readonly clusterId?: string;
    /** User-managed server groups that bindings may fill, as `<namespace of the binding>/<id>`. Default none. */
    readonly userManagedGroups?: readonly string[];
    /**
     * Set the readiness gates of pods, for which the controller may read pods and patch their statuses in every
     * namespace. Default true.
     */
    readonly readinessGates?: boolean;
    /** Limit the traffic of the pods to probes, figures, DNS and HTTPS. Default false. */
    readonly networkPolicy?: boolean;
}

type Install = Required<Omit<InstallOptions, "ramRole" | "clusterId">> & Pick<InstallOptions, "ramRole" | "clusterId">;

/** Port of probes and figures. */
const PROBES_PORT = 8080;

const RBAC = { apiVersion: "rbac.authorization.k8s.io/v1" } as const;
const WATCH = ["list", "watch"];

/** Returns the objects of an installation by name, in the order in which they are applied. */
export function installObjects(options: InstallOptions) {
    const install: Install = {
        namespace: "ack-loadbalancer",
        name: "ack-loadbalancer-sync",
        replicas: 2,
        resyncSeconds: 600,
        networkPolicy: false,
        userManagedGroups: [],
        readinessGates: true,
        ...options,
    };
    const { name, namespace, ramRole } = install;
    const labels = {
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/component": "sync",
        "app.kubernetes.io/part-of": "ack-loadbalancer",
    };
    const metadata = { name, namespace, labels };
    const inSystem = { name, namespace: "kube-system" };
    const clusterWide = { name };
    /** Binds the role of the same name to the service account. */
    const bound = <Kind extends "ClusterRole" | "Role">(kind: Kind, of: object) => ({
        ...RBAC,
        kind: `${kind}Binding` as const,
        metadata: of,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
        subjects: [{ kind: "ServiceAccount", name, namespace }],
    });
    const profileRules = [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [PROFILE], verbs: ["get"] }];
    return {
        definition: bindingDefinition(),
        namespace: {
            apiVersion: "v1" as const,
            kind: "Namespace" as const,
            metadata: {
                name: namespace,
                // Lets the RRSA webhook put the role's token into pods.
                ...(ramRole && { labels: { "pod-identity.alibabacloud.com/injection": "on" } }),
            },
        },
        serviceAccount: {
            apiVersion: "v1" as const,
            kind: "ServiceAccount" as const,
            metadata: {
                ...metadata,
                ...(ramRole && { annotations: { "pod-identity.alibabacloud.com/role-name": ramRole } }),
            },
        },
        clusterRole: { ...RBAC, kind: "ClusterRole" as const, metadata: clusterWide, rules: clusterRules(install) },
        clusterRoleBinding: bound("ClusterRole", clusterWide),
        role: { ...RBAC, kind: "Role" as const, metadata, rules: leaseRules(name) },
        roleBinding: bound("Role", metadata),
        profileRole: { ...RBAC, kind: "Role" as const, metadata: inSystem, rules: profileRules },
        profileRoleBinding: bound("Role", inSystem),
        bindingsRole: {
            ...RBAC,
            kind: "ClusterRole" as const,
            metadata: { name: `${name}-bindings` },
            rules: BINDING_RULES,
        },
        deployment: deployment(install, metadata),
        // Keeps one replica while nodes are drained.
        disruptionBudget: {
            apiVersion: "policy/v1" as const,
            kind: "PodDisruptionBudget" as const,
            metadata,
            spec: { minAvailable: 1, selector: { matchLabels: labels } },
        },
        ...(install.networkPolicy ? { networkPolicy: networkPolicy(metadata) } : {}),
    };
}

/** For kubectl, which reads YAML 1.1, a bare `on` is a boolean. */
const YAML = { aliasDuplicateObjects: false, lineWidth: 0, compat: "yaml-1.1" } as const;

export const installManifests = (options: InstallOptions): string =>
    Object.values(installObjects(options))
        .map((object) => stringify(object, YAML))
        .join("---\n");

/** The controller reads what decides backends, and writes statuses, events and conditions of pods. */
const clusterRules = ({ readinessGates }: Install) => [
    { apiGroups: [""], resources: ["nodes", "services"], verbs: WATCH },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: WATCH },
    ...(readinessGates
        ? [
              { apiGroups: [""], resources: ["pods"], verbs: ["get", ...WATCH] },
              { apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] },
          ]
        : []),
    { apiGroups: [""], resources: ["events"], verbs: ["create"] },
    { apiGroups: [API_GROUP], resources: [BINDING_PLURAL], verbs: WATCH },
    { apiGroups: [API_GROUP], resources: [`${BINDING_PLURAL}/status`], verbs: ["patch"] },
];

const leaseRules = (name: string) => [
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: [name], verbs: ["get", "patch"] },
];

/** Permissions of runs that write bindings. The installation grants them to nobody: a binding of the role does. */
const BINDING_RULES = [
    {
        apiGroups: [API_GROUP],
        resources: [BINDING_PLURAL],
        verbs: ["get", "list", "watch", "create", "patch", "update", "delete"],
    },
];

interface Metadata {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Record<string, string>;
}

const deployment = (install: Install, metadata: Metadata) => ({
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata,
    spec: {
        replicas: install.replicas,
        selector: { matchLabels: metadata.labels },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        template: {
            metadata: {
                labels: metadata.labels,
                annotations: {
                    "prometheus.io/scrape": "true",
                    "prometheus.io/port": String(PROBES_PORT),
                    "prometheus.io/path": "/metrics",
                },
            },
            spec: {
                serviceAccountName: install.name,
                securityContext: {
                    runAsNonRoot: true,
                    runAsUser: 65532,
                    runAsGroup: 65532,
                    fsGroup: 65532,
                    seccompProfile: { type: "RuntimeDefault" },
                },
                topologySpreadConstraints: [
                    {
                        maxSkew: 1,
                        topologyKey: "kubernetes.io/hostname",
                        whenUnsatisfiable: "ScheduleAnyway",
                        labelSelector: { matchLabels: metadata.labels },
                    },
                ],
                terminationGracePeriodSeconds: 30,
                containers: [container(install)],
            },
        },
    },
});

const container = (install: Install) => ({
    name: "sync",
    image: install.image,
    args: [
        "sync",
        `--namespace=${install.namespace}`,
        `--lease=${install.name}`,
        `--port=${PROBES_PORT}`,
        `--resync-seconds=${install.resyncSeconds}`,
        ...(install.clusterId === undefined ? [] : [`--cluster-id=${install.clusterId}`]),
        ...(install.readinessGates ? [] : ["--no-readiness-gates"]),
        ...install.userManagedGroups.map((group) => `--user-managed-group=${group}`),
    ],
    ports: [{ name: "http", containerPort: PROBES_PORT }],
    livenessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 20, failureThreshold: 3 },
    readinessProbe: { httpGet: { path: "/readyz", port: "http" }, periodSeconds: 5 },
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
    },
});

/** Admits probes and figures; lets out DNS, the API server and the cloud. */
const networkPolicy = (metadata: Metadata) => ({
    apiVersion: "networking.k8s.io/v1" as const,
    kind: "NetworkPolicy" as const,
    metadata,
    spec: {
        podSelector: { matchLabels: metadata.labels },
        policyTypes: ["Ingress", "Egress"],
        ingress: [{ ports: [{ protocol: "TCP", port: PROBES_PORT }] }],
        egress: [
            {
                ports: [
                    { protocol: "UDP", port: 53 },
                    { protocol: "TCP", port: 53 },
                    { protocol: "TCP", port: 443 },
                    { protocol: "TCP", port: 6443 },
                ],
            },
        ],
    },
});
