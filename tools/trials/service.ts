/** The Service of all lives: what a program says of it, and what the cluster has of it. */
import { createHash } from "node:crypto";
import { Cluster, type InstanceSettings, ServiceLoadBalancer, SharedLoadBalancer } from "../../components";
import { defined } from "../../provider/schema/defined";
import { LOAD_BALANCER_CLASSES } from "../../provider/schema/load-balancer-type";
import type { EndpointSliceObject, ServiceObject } from "../../provider/service/objects";

/** The Service as a program has it. */
export interface Version {
    /** Name of the Service in the namespace `default`. Default `web`. */
    readonly name?: string;
    readonly kind?: "clb" | "nlb";
    /** Network plugin of the cluster. Default Flannel. */
    readonly network?: "terway";
    /** `tcp:80`, in order. Empty for a program without the Service. */
    readonly ports: readonly string[];
    /** By what follows the common prefix. */
    readonly annotations?: Readonly<Record<string, string>>;
    readonly sourceRanges?: readonly string[];
    /** Traffic policy. Default Local. */
    readonly policy?: "Cluster" | "Local";
    /** Nodes of the ready pods. */
    readonly nodes: readonly string[];
    /** Nodes of the pods that terminate and still serve. Default none. */
    readonly leaving?: readonly string[];
    /** Create-only settings that may change. */
    readonly allowReplacement?: readonly string[];
    /** The Service has left the program, and is deleted from the cluster or stays there. Default: it is in both. */
    readonly away?: "deleted" | "stays";
    /** True if the Service is given to the Cloud Controller Manager when it leaves the program. */
    readonly handBack?: boolean;
    /** True if the program takes the load balancer of the Cloud Controller Manager over. */
    readonly adopt?: boolean;
    /** Settings of an instance of the program for several Services, which this Service uses. */
    readonly shared?: InstanceSettings;
}

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const keyOf = (name: string): string =>
    name === "backend-type" ? "service.beta.kubernetes.io/backend-type" : PREFIX + name;
const UID = "5e4dbfc9-c2ae-4642-b033-5607860aef6a";

/** Facts of the cluster. */
export const CLUSTER = { clusterId: "c-trial", networkPlugin: "flannel", vpcId: "vpc-lab" } as const;

/** Facts of the cluster of a version. */
export const clusterOf = (version?: Pick<Version, "network">) => ({
    ...CLUSTER,
    networkPlugin: version?.network ?? CLUSTER.networkPlugin,
});

export const nameOf = ({ name = "web" }: Version): string => name;

/** Node outside the VPC, whose pods are reached by way of the other nodes, or not at all as pods. */
export const EDGE_NODE = "edge-1";

/** Nodes of the pods that can count. A label names a node, which alone counts by its own pods. */
export function countedNodes({ nodes, network, annotations, policy }: Version): readonly string[] {
    if (network === "terway" && annotations?.["backend-type"] !== "ecs")
        return nodes.filter((node) => node !== EDGE_NODE);
    const label = annotations?.["backend-label"];
    return policy === "Cluster" || label === undefined ? nodes : nodes.filter((node) => label.endsWith(`=${node}`));
}

/** Each Service has its own, because names in the cloud derive from it. */
const uidOf = ({ name }: Version): string =>
    name === undefined ? UID : createHash("sha256").update(name).digest("hex").replace(UUID, "$1-$2-$3-$4-$5");
const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;

const portsOf = ({ ports }: Version) =>
    ports.map((text) => {
        const [protocol = "", port = ""] = text.split(":");
        const isUdp = protocol === "udp";
        return { name: `${protocol}-${port}`, port: Number(port), protocol: isUdp ? "UDP" : "TCP" } as const;
    });

/** The Service of a version, as the cluster has it. */
export function serviceOf(version: Version): ServiceObject {
    const { kind = "clb", annotations = {}, sourceRanges, policy = "Local" } = version;
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            name: nameOf(version),
            namespace: "default",
            uid: uidOf(version),
            annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [keyOf(key), value])),
        },
        spec: {
            type: "LoadBalancer",
            ...(kind === "nlb" ? { loadBalancerClass: LOAD_BALANCER_CLASSES.nlb } : {}),
            externalTrafficPolicy: policy,
            selector: { app: "web" },
            ...(sourceRanges === undefined ? {} : { loadBalancerSourceRanges: [...sourceRanges] }),
            ports: portsOf(version).map((port) => ({
                ...port,
                targetPort: 8080,
                // A cluster gives a TCP and a UDP port of the same number the same node port.
                nodePort: 30_000 + Math.floor(port.port / 10),
            })),
        },
    };
}

/** Most pods of a Service that are ready. */
export const MOST_PODS = 6;

/** Its endpoints. */
export function slicesOf(version: Version): EndpointSliceObject[] {
    return [
        {
            metadata: {
                name: `${nameOf(version)}-1`,
                namespace: "default",
                labels: { "kubernetes.io/service-name": nameOf(version) },
            },
            addressType: "IPv4",
            endpoints: [
                ...version.nodes.map((nodeName, index) => ({
                    addresses: [`10.1.0.${index + 1}`],
                    nodeName,
                    conditions: { ready: true },
                })),
                ...(version.leaving ?? []).map((nodeName, index) => ({
                    addresses: [`10.1.0.${MOST_PODS + index + 1}`],
                    nodeName,
                    conditions: { ready: false, serving: true, terminating: true },
                })),
            ],
            ports: portsOf(version).map((port) => ({ ...port, port: 8080 })),
        },
    ];
}

/** A Pulumi program with a version of the Service, or without it. */
export async function program(version: Version | "none"): Promise<void> {
    const cluster = new Cluster(CLUSTER);
    if (version === "none") return;
    const { allowReplacement, handBack = false, adopt = false } = version;
    const allowed = defined({ allowReplacement });
    const shared =
        version.shared === undefined
            ? {}
            : { loadBalancer: new SharedLoadBalancer("shared", { cluster, settings: version.shared, ...allowed }) };
    if (version.ports.length === 0) return;
    const manifest = serviceOf(version);
    if (adopt) await ServiceLoadBalancer.adopt("default/web", { namespace: "default", name: "web", manifest, cluster });
    else
        new ServiceLoadBalancer("default/web", {
            manifest,
            cluster,
            follow: true,
            handBack,
            ...shared,
            ...allowed,
        });
}
