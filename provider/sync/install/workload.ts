/** The pods of the controller. */
import { meta } from "./access";
import { type Install, labelsOf, PROBES_PORT } from "./options";

/** The replicas; one works, the others wait for its lease. */
export const deployment = (install: Install) => ({
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata: meta(install),
    spec: {
        replicas: install.replicas,
        selector: { matchLabels: labelsOf(install) },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        template: {
            metadata: {
                labels: labelsOf(install),
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
                        labelSelector: { matchLabels: labelsOf(install) },
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

/** Keeps one replica while nodes are drained. */
export const disruptionBudget = (install: Install) => ({
    apiVersion: "policy/v1" as const,
    kind: "PodDisruptionBudget" as const,
    metadata: meta(install),
    spec: { minAvailable: 1, selector: { matchLabels: labelsOf(install) } },
});

/** In: probes and figures. Out: DNS, the API server, the cloud. */
export const networkPolicy = (install: Install) => ({
    apiVersion: "networking.k8s.io/v1" as const,
    kind: "NetworkPolicy" as const,
    metadata: meta(install),
    spec: {
        podSelector: { matchLabels: labelsOf(install) },
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
