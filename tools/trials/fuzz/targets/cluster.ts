/** Responses of the API server up to the resulting backends, detected settings of a cluster, and kubeconfigs. */
import * as fc from "fast-check";
import type { z } from "zod";
import { groupBackends } from "../../../../provider/backends";
import { ClusterError } from "../../../../provider/cluster";
import {
    describeMismatch,
    ENDPOINT_SLICE,
    NODE,
    page,
    POD,
    SERVER_VERSION,
    SERVICE,
} from "../../../../provider/cluster/answers";
import { loadKubeConfig } from "../../../../provider/cluster/connection";
import { interpret } from "../../../../provider/cluster/discovery";
import { documentOf } from "../../../../provider/service/manifests";
import { parseService } from "../../../../provider/service/service";
import { target } from "../target";
import { damaged, damagedText, oddText } from "../values";

const list = (...items: readonly object[]) => ({ metadata: { resourceVersion: "7" }, items });

const POD_METADATA = { name: "web-1", namespace: "shop", labels: { app: "web" }, uid: "u-1" };

/** Answers as the API server gives them, by what was asked. */
const ANSWERS = {
    nodes: list({
        metadata: { name: "node-1", labels: { "kubernetes.io/hostname": "node-1" }, annotations: {} },
        spec: { providerID: "cn-hangzhou.i-1", unschedulable: false, taints: [{ key: "a", effect: "NoSchedule" }] },
        status: {
            conditions: [{ type: "Ready", status: "True" }],
            addresses: [{ type: "InternalIP", address: "192.168.0.1" }],
        },
    }),
    slices: list({
        metadata: { name: "web-1", namespace: "shop", labels: { "kubernetes.io/service-name": "web" } },
        addressType: "IPv4",
        endpoints: [
            { addresses: ["10.1.0.1"], nodeName: "node-1", conditions: { ready: true, serving: null } },
            { addresses: ["10.1.0.2"], conditions: {} },
        ],
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    }),
    pods: list({
        metadata: POD_METADATA,
        spec: { nodeName: "node-1", containers: [{ name: "app", ports: [{ name: "http", containerPort: 8080 }] }] },
        status: { phase: "Running", podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }], conditions: [] },
    }),
    services: list({
        metadata: { name: "web", namespace: "shop", uid: "u-2", annotations: {}, labels: {}, finalizers: [] },
        spec: {
            type: "LoadBalancer",
            clusterIP: "172.16.0.1",
            selector: { app: "web" },
            externalTrafficPolicy: "Local",
            ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: "http", nodePort: 30080 }],
        },
        status: { loadBalancer: { ingress: [{ ip: "203.0.113.7", ipMode: "VIP" }] } },
    }),
    version: { gitVersion: "v1.34.1", major: "1", minor: "34" },
};

/** As the client does: an answer of another shape is an error, and never an empty list. */
function read<T>(schema: z.ZodType<T>, answer: unknown): T {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new ClusterError({ kind: "invalid", action: "list", detail: describeMismatch(parsed.error) });
}

const FACTS = { clusterId: "c-fuzz", vpcId: "vpc-1", vpcCidrs: ["10.0.0.0/8"] };

const GROUPS = [
    { key: "tcp-80", kind: "ecs" },
    { key: "target-8080", kind: "eni", type: "Ip" },
    { key: "target-8080", kind: "eni", ipVersion: "dualstack" },
] as const;

function backendsOf(answers: Readonly<Record<string, unknown>>): void {
    const nodes = read(page(NODE), answers["nodes"]).items;
    const endpointSlices = read(page(ENDPOINT_SLICE), answers["slices"]).items;
    read(page(POD), answers["pods"]);
    read(SERVER_VERSION, answers["version"]);
    for (const object of read(page(SERVICE), answers["services"]).items) {
        const { service } = parseService(documentOf(object), FACTS);
        if (service === undefined) continue;
        const ports = service.ports.map(({ port, protocol }) => ({ port, protocol }));
        for (const group of GROUPS) groupBackends(service, { ...group, ports }, FACTS, { nodes, endpointSlices });
    }
}

/** Texts of a cluster about itself, which nobody checks before. */
const OBJECTS = {
    configMaps: {
        "ack-cluster-profile": {
            clusterid: "c-1",
            uid: "1",
            vpcid: "vpc-1",
            "vsw-zone": "vsw-1:cn-hangzhou-a,vsw-2:cn-hangzhou-b",
            vswitch: "vsw-1,vsw-2",
            serviceCIDR: "172.16.0.0/16",
        },
        "kube-proxy-worker": { "config.conf": "mode: ipvs\n" },
        "eni-config": { eni_conf: '{"service_cidr": "172.16.0.0/16"}' },
    },
    daemonSets: ["terway-eniip"],
    kubernetesVersion: "v1.34.1",
    providerId: "cn-hangzhou.i-1",
};

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: test
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1", insecure-skip-tls-verify: true } }]
users: [{ name: u, user: { token: t } }]
contexts: [{ name: test, context: { cluster: c, user: u } }]
`;

export const CLUSTER = [
    target({
        name: "answers of the API server",
        good: ANSWERS,
        inputs: damaged(ANSWERS),
        take: (answers) => backendsOf(Object(answers) as Record<string, unknown>),
        expects: (error) => error instanceof ClusterError,
    }),
    target({
        name: "what a cluster says of itself",
        good: OBJECTS.configMaps,
        inputs: fc.dictionary(
            fc.constantFrom(...Object.keys(OBJECTS.configMaps)),
            fc.dictionary(
                fc.constantFrom(...Object.values(OBJECTS.configMaps).flatMap((data) => Object.keys(data))),
                fc.oneof(oddText, damagedText(OBJECTS.configMaps["eni-config"].eni_conf)),
                { maxKeys: 5 },
            ),
        ),
        take: (configMaps) => void interpret({ ...OBJECTS, configMaps }),
    }),
    target({
        name: "kubeconfigs",
        good: KUBECONFIG,
        inputs: damagedText(KUBECONFIG),
        take: async (kubeconfig) => void (await loadKubeConfig({ kubeconfig })),
        expects: (error) => error instanceof ClusterError,
    }),
];
