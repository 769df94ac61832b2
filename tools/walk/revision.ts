import * as fc from "fast-check";
import type { EndpointSliceObject, NodeObject, ServiceObject } from "../../provider/service/objects";

/** Revision of a Service, and its pods. */
export interface Revision {
    readonly service: ServiceObject;
    readonly endpointSlices: readonly EndpointSliceObject[];
}

/** Annotations by what follows their common prefix. */
export type Annotations = Readonly<Record<string, string>>;

/** A port of the Service, and the protocol of its listener. */
export interface Port {
    readonly port: number;
    readonly protocol: string;
}

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const UID = "5e4dbfc9-c2ae-4642-b033-5607860aef6a";

/** Nodes of the walk's cluster. */
export const NODES = ["node-1", "node-2", "node-3"] as const;

export const NODE_OBJECTS: readonly NodeObject[] = NODES.map((name, index) => ({
    metadata: { name, labels: { "kubernetes.io/hostname": name } },
    spec: { providerID: `cn-hangzhou.i-${name}` },
    status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [{ type: "InternalIP", address: `192.168.0.${index + 1}` }],
    },
}));

export const CERTIFICATES = ["cert-1", "cert-2"] as const;

export const pick = (...values: readonly (string | number)[]): fc.Arbitrary<string> =>
    fc.constantFrom(...values.map(String));
/** Each of these annotations or not. */
export const some = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Annotations> =>
    fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Annotations>;
/** All of these annotations, or none of them. */
export const together = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Annotations> =>
    fc.option(fc.record(values), { nil: {}, freq: 2 });
export const all = (...parts: readonly fc.Arbitrary<Annotations>[]): fc.Arbitrary<Annotations> =>
    fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Annotations);

/** A revision with these ports and annotations, and random nodes, pods and traffic policy. */
export function revisionOf(
    ports: readonly Port[],
    annotations: Annotations,
    loadBalancerClass?: string,
): fc.Arbitrary<Revision> {
    return fc
        .record({
            policy: fc.constantFrom("Cluster", "Local"),
            placement: fc.array(fc.constantFrom(...NODES), { minLength: 1, maxLength: 6 }),
        })
        .map(({ policy, placement }) => ({
            service: {
                apiVersion: "v1",
                kind: "Service",
                metadata: {
                    name: "web",
                    namespace: "default",
                    uid: UID,
                    annotations: Object.fromEntries(
                        Object.entries(annotations).map(([key, value]) => [PREFIX + key, value]),
                    ),
                },
                spec: {
                    type: "LoadBalancer",
                    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
                    externalTrafficPolicy: policy,
                    selector: { app: "web" },
                    ports: ports.map(({ port, protocol }) => ({
                        name: `${protocol}-${port}`,
                        port,
                        targetPort: 8080,
                        protocol: protocol === "udp" ? "UDP" : "TCP",
                        nodePort: 30_000 + Math.floor(port / 10) + (protocol === "udp" ? 1000 : 0),
                    })),
                },
            },
            endpointSlices: [
                {
                    metadata: { name: "web-1", namespace: "default", labels: { "kubernetes.io/service-name": "web" } },
                    addressType: "IPv4",
                    endpoints: placement.map((nodeName, index) => ({
                        addresses: [`10.1.0.${index + 1}`],
                        nodeName,
                        conditions: { ready: true },
                    })),
                    ports: ports.map(({ port, protocol }) => ({
                        name: `${protocol}-${port}`,
                        port: 8080,
                        protocol: protocol === "udp" ? "UDP" : "TCP",
                    })),
                },
            ],
        }));
}
