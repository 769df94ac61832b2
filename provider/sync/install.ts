/** Kubernetes objects that install the controller. */
import { stringify } from "yaml";
import { PROFILE } from "../cluster/discovery";
import { bindingDefinition } from "./binding/crd";
import { API_GROUP, BINDING_PLURAL } from "./binding/spec";

/** Resources of a container, by name, such as `memory: "128Mi"`. */
export interface ContainerResources {
    /** Resources that are reserved for it. */
    readonly requests?: Readonly<Record<string, string>>;
    /** Resources that it may use at most. */
    readonly limits?: Readonly<Record<string, string>>;
}

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
    /** Number of replicas, of which one works. Default 2. */
    readonly replicas?: number;
    /** Resources of each pod. Default: 50m of a processor, and 128Mi of memory, at most 512Mi. */
    readonly resources?: ContainerResources;
    /** Seconds between two reads of every group, 10 to 86400. Default 600. */
    readonly resyncSeconds?: number;
    /** Id of the cluster in ownership marks. Default: that in the ConfigMap kube-system/ack-cluster-profile. */
    readonly clusterId?: string;
    /** User-managed server groups that bindings may fill, as `<namespace of the binding>/<id>`. Default none. */
    readonly userManagedGroups?: readonly string[];
    /** Namespaces whose bindings the controller serves, with rights in no other. Default: all. */
    readonly watchNamespaces?: readonly string[];
    /**
     * Set the readiness gates of pods, for which the controller may read pods and patch their statuses in every
     * namespace. Default true.
     */
    readonly readinessGates?: boolean;
    /** Limit the traffic of the pods to probes, figures, DNS and HTTPS. Default false. */
    readonly networkPolicy?: boolean;
}

type Install = Required<Omit<InstallOptions, "ramRole" | "clusterId">> & Pick<InstallOptions, "ramRole" | "clusterId">;

/** Values of options that are left out. */
export const INSTALL_DEFAULTS = {
    namespace: "ack-loadbalancer",
    name: "ack-loadbalancer-sync",
    replicas: 2,
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    resyncSeconds: 600,
    networkPolicy: false,
    userManagedGroups: [],
    watchNamespaces: [],
    readinessGates: true,
} as const satisfies Partial<InstallOptions>;

const PROBES_PORT = 8080;

const RBAC = "rbac.authorization.k8s.io";
const RBAC_VERSION = `${RBAC}/v1` as const;
const WATCH = ["list", "watch"];
const LEASES = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
const BINDINGS = { apiGroups: [API_GROUP], resources: [BINDING_PLURAL] };

/** Returns an object with literal types for version and kind, which Pulumi's kubernetes package requires. */
const objectOf = <const Version extends string, const Kind extends string, Rest extends object>(
    apiVersion: Version,
    kind: Kind,
    rest: Rest,
) => ({ apiVersion, kind, ...rest });

/** Returns the objects of an installation by name, in the order in which they are applied. */
export function installObjects(options: InstallOptions) {
    const install: Install = { ...INSTALL_DEFAULTS, ...options };
    const { name, namespace, ramRole } = install;
    const labels = {
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/component": "sync",
        "app.kubernetes.io/part-of": "ack-loadbalancer",
    };
    const metadata = { name, namespace, labels };
    return {
        definition: bindingDefinition(),
        namespace: objectOf("v1", "Namespace", {
            metadata: {
                name: namespace,
                // Lets the RRSA webhook put the role's token into pods.
                ...(ramRole && { labels: { "pod-identity.alibabacloud.com/injection": "on" } }),
            },
        }),
        serviceAccount: objectOf("v1", "ServiceAccount", {
            metadata: {
                ...metadata,
                ...(ramRole && { annotations: { "pod-identity.alibabacloud.com/role-name": ramRole } }),
            },
        }),
        ...accessOf(install, metadata),
        deployment: objectOf("apps/v1", "Deployment", { metadata, spec: deploymentSpec(install, labels) }),
        // A replica stays while nodes are drained.
        disruptionBudget: objectOf("policy/v1", "PodDisruptionBudget", {
            metadata,
            spec: { minAvailable: 1, selector: { matchLabels: labels } },
        }),
        ...(install.networkPolicy && {
            networkPolicy: objectOf("networking.k8s.io/v1", "NetworkPolicy", {
                metadata,
                spec: { podSelector: { matchLabels: labels }, ...trafficOf(install) },
            }),
        }),
    };
}

/** Roles of the controller, and of runs that write bindings. */
function accessOf(install: Install, metadata: { readonly name: string; readonly namespace: string }) {
    const { name, namespace, watchNamespaces } = install;
    const inSystem = { name, namespace: "kube-system" };
    const clusterWide = { name };
    /** Binds the role of the same name to the service account. */
    const bound = <Kind extends "ClusterRole" | "Role", Of extends { readonly name: string }>(kind: Kind, of: Of) =>
        objectOf(RBAC_VERSION, `${kind}Binding`, {
            metadata: of,
            roleRef: { apiGroup: RBAC, kind, name: of.name },
            subjects: [{ kind: "ServiceAccount", name, namespace }],
        });
    const watched = [...new Set(watchNamespaces)].flatMap((one) => {
        const inWatched = { name: `${name}-watch`, namespace: one };
        return [
            objectOf(RBAC_VERSION, "Role", { metadata: inWatched, rules: rulesOf(install) }),
            bound("Role", inWatched),
        ];
    });
    const profileRules = [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [PROFILE], verbs: ["get"] }];
    return {
        clusterRole: objectOf(RBAC_VERSION, "ClusterRole", {
            metadata: clusterWide,
            rules: [NODES, ...(watched.length === 0 ? rulesOf(install) : [])],
        }),
        clusterRoleBinding: bound("ClusterRole", clusterWide),
        ...(watched.length > 0 && { watched }),
        role: objectOf(RBAC_VERSION, "Role", {
            metadata,
            rules: [
                { ...LEASES, verbs: ["create"] },
                { ...LEASES, resourceNames: [name], verbs: ["get", "patch"] },
            ],
        }),
        roleBinding: bound("Role", metadata),
        profileRole: objectOf(RBAC_VERSION, "Role", { metadata: inSystem, rules: profileRules }),
        profileRoleBinding: bound("Role", inSystem),
        // Permissions of runs that write bindings. The installation grants them to nobody: a binding of the role does.
        bindingsRole: objectOf(RBAC_VERSION, "ClusterRole", {
            metadata: { name: `${name}-bindings` },
            rules: [{ ...BINDINGS, verbs: ["get", ...WATCH, "create", "patch", "update", "delete"] }],
        }),
    };
}

/** For kubectl, which reads YAML 1.1, a bare `on` is a boolean. */
const YAML = { aliasDuplicateObjects: false, lineWidth: 0, compat: "yaml-1.1" } as const;

/** Returns an object as YAML. */
export const manifestOf = (object: object): string => stringify(object, YAML);

export const installManifests = (options: InstallOptions): string =>
    Object.values(installObjects(options)).flat().map(manifestOf).join("---\n");

const NODES = { apiGroups: [""], resources: ["nodes"], verbs: WATCH };

/** The controller reads what decides backends, and writes statuses, events and conditions of pods. */
const rulesOf = ({ readinessGates }: Install) => [
    { apiGroups: [""], resources: ["services"], verbs: WATCH },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: WATCH },
    ...(readinessGates
        ? [
              { apiGroups: [""], resources: ["pods"], verbs: ["get", ...WATCH] },
              { apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] },
          ]
        : []),
    { apiGroups: [""], resources: ["events"], verbs: ["create"] },
    { ...BINDINGS, verbs: WATCH },
    { apiGroups: [API_GROUP], resources: [`${BINDING_PLURAL}/status`], verbs: ["patch"] },
];

const deploymentSpec = (install: Install, labels: Record<string, string>) => ({
    replicas: install.replicas,
    selector: { matchLabels: labels },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
    template: {
        metadata: {
            labels,
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
                    labelSelector: { matchLabels: labels },
                },
            ],
            terminationGracePeriodSeconds: 30,
            containers: [container(install)],
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
        ...install.watchNamespaces.map((namespace) => `--watch-namespace=${namespace}`),
    ],
    ports: [{ name: "http", containerPort: PROBES_PORT }],
    livenessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 20, failureThreshold: 3 },
    readinessProbe: { httpGet: { path: "/readyz", port: "http" }, periodSeconds: 5 },
    resources: install.resources,
    securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
    },
});

const tcp = (port: number) => ({ protocol: "TCP", port });

/** Source: "View instance metadata" of ECS. */
const METADATA_SERVICE = { ipBlock: { cidr: "100.100.100.200/32" } };

/** Admits probes and figures, and lets out DNS, the API server and the cloud, and what has the role of the node. */
const trafficOf = ({ ramRole }: Install) => ({
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ ports: [tcp(PROBES_PORT)] }],
    egress: [
        { ports: [{ protocol: "UDP", port: 53 }, tcp(53), tcp(443), tcp(6443)] },
        ...(ramRole === undefined ? [{ to: [METADATA_SERVICE], ports: [tcp(80)] }] : []),
    ],
});
