/** Objects for the tests of the sync controller. */
import type {
    EndpointObject,
    EndpointSliceObject,
    NodeObject,
    PodObject,
    ServiceObject,
} from "../../provider/service/objects";
import type { BindingObject } from "../../provider/sync/binding/object";
import type { BindingSpec } from "../../provider/sync/binding/spec";
import { gateOf } from "../../provider/sync/observation";

export const MARK = "k8s/30080/web/shop/c1";

/** The same for server groups of an NLB. */
export const NLB_MARK = "k8s.8080.TCP.web.shop.c1";

/** A binding of Service shop/web whose nodes are backends. */
export const spec = (more: Partial<BindingSpec> = {}): BindingSpec => ({
    region: "cn-hangzhou",
    serverGroup: { id: "rsp-1", type: "VServer" },
    ownershipMark: more.serverGroup === undefined || more.serverGroup.type === "VServer" ? MARK : NLB_MARK,
    serviceName: "web",
    ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080 }],
    backendType: "ecs",
    nodePort: 30080,
    externalTrafficPolicy: "Local",
    ...more,
});

/** A binding whose pods are backends. */
export const podSpec = (more: Partial<BindingSpec> = {}): BindingSpec => {
    const { nodePort: _, ...rest } = spec({ backendType: "eni", externalTrafficPolicy: "Cluster", ...more });
    return rest;
};

export const binding = (of: BindingSpec, name = "web-tcp-80"): BindingObject => ({
    metadata: {
        name,
        namespace: "shop",
        uid: `uid-${name}`,
        generation: 1,
        creationTimestamp: "2026-01-01T00:00:00Z",
    },
    spec: of,
});

export const service = (more: { nodePort?: number; targetPort?: number; port?: number; type?: string } = {}) =>
    ({
        metadata: { name: "web", namespace: "shop", uid: "uid-service" },
        spec: {
            type: more.type ?? "LoadBalancer",
            selector: { app: "web" },
            ports: [
                {
                    name: "http",
                    port: more.port ?? 80,
                    protocol: "TCP",
                    targetPort: more.targetPort ?? 8080,
                    nodePort: more.nodePort ?? 30080,
                },
            ],
        },
    }) satisfies ServiceObject;

export const node = (name: string, ready = true): NodeObject => ({
    metadata: { name },
    spec: { providerID: `cn-hangzhou.i-${name}` },
    status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
});

/** State of an endpoint: ready, not ready, terminating and serving, or terminating. */
export type EndpointState = "ready" | "waiting" | "draining" | "gone";

const CONDITIONS: Readonly<Record<EndpointState, EndpointObject["conditions"]>> = {
    ready: { ready: true, serving: true, terminating: false },
    waiting: { ready: false, serving: false, terminating: false },
    draining: { ready: false, serving: true, terminating: true },
    gone: { ready: false, serving: false, terminating: true },
};

export const endpoint = (ip: string, on: string, state: EndpointState = "ready"): EndpointObject => ({
    addresses: [ip],
    nodeName: on,
    conditions: CONDITIONS[state] ?? {},
    targetRef: { kind: "Pod", name: `pod-${ip}`, namespace: "shop", uid: `uid-${ip}` },
});

export const slice = (...endpoints: EndpointObject[]): EndpointSliceObject => ({
    metadata: { name: "web-1", namespace: "shop", labels: { "kubernetes.io/service-name": "web" } },
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints,
});

/** A pod with a readiness gate of Service web. */
export const gatedPod = (ip: string, containersReady = true, gate?: "True" | "False"): PodObject => ({
    metadata: { name: `pod-${ip}`, namespace: "shop", uid: `uid-${ip}`, labels: { app: "web" } },
    spec: { readinessGates: [{ conditionType: gateOf("web") }] },
    status: {
        podIP: ip,
        conditions: [
            { type: "ContainersReady", status: containersReady ? "True" : "False" },
            ...(gate === undefined ? [] : [{ type: gateOf("web"), status: gate }]),
        ],
    },
});
