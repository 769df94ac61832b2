/** Live Services for tests, in order unless said otherwise. */

import { buildClb } from "../../provider/plan/desired";
import type { ServiceObject } from "../../provider/service/objects";
import { documentOf } from "../../provider/service/manifests";
import { parseService } from "../../provider/service/service";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, PROTECTION_REASON } from "../../provider/schema/names";
import type { ServerGroup } from "../../provider/schema/server-group";
import { ASSUMED_QUOTAS } from "./assumed-quotas";
import type { InspectedService } from "../../cli/inspect/model";

const MARK = "k8s/80/web/shop/c1";
const GROUP = "k8s/30080/web/shop/c1";

/** Server group of {@link OBJECT}. */
export const SERVER_GROUP: ServerGroup = {
    key: "tcp-80",
    kind: "ecs",
    ports: [{ port: 80, protocol: "TCP" }],
    backendPort: 30080,
};

/** The Service object, as the API server has it. */
export const OBJECT: ServiceObject = {
    metadata: { name: "web", namespace: "shop", uid: "u-1" },
    spec: {
        type: "LoadBalancer",
        loadBalancerClass: "ack-loadbalancer.io/clb",
        selector: { app: "web" },
        ports: [{ name: "main", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 }],
    },
    status: { loadBalancer: { ingress: [{ ip: "203.0.113.11" }] } },
};

const SHOWN = { fact: "backends", value: "nodes", from: "its members in the cloud" } as const;

/** Returns a Service behind a CLB with one backend. */
export function liveService(change: Partial<InspectedService> = {}): InspectedService {
    const object = change.object ?? OBJECT;
    const { service, diagnostics } = parseService(documentOf({ ...object, kind: "Service", apiVersion: "v1" }), {
        clusterId: "c1",
    });
    const model = service && buildClb(service, { clusterId: "c1" });
    return {
        object,
        service,
        model,
        diagnostics,
        type: "clb",
        nodes: [],
        slices: [
            {
                metadata: { name: "web-1" },
                addressType: "IPv4",
                endpoints: [{ addresses: ["10.0.0.7"], conditions: { ready: true }, nodeName: "node-1" }],
                ports: [{ name: "main", port: 8080, protocol: "TCP" }],
            },
        ],
        pods: [],
        events: [],
        bindings: [],
        leader: undefined,
        deployments: [],
        desired: [
            {
                model: change.model?.serverGroups[0] ?? SERVER_GROUP,
                backends: { "i-1": { weight: 100 } },
                draining: new Set(),
                notes: [],
            },
        ],
        cloud: {
            kind: "found",
            instance: {
                kind: "clb",
                id: "lb-1",
                name: defaultLoadBalancerName("u-1"),
                tags: { [OWNER_TAG]: defaultLoadBalancerName("u-1"), [CLUSTER_TAG]: "c1" },
                addressType: "internet",
                ipVersion: "ipv4",
                instanceChargeType: "PayByCLCU",
                internetChargeType: "paybytraffic",
                deleteProtection: "on",
                modificationProtection: "ConsoleProtection",
                modificationProtectionReason: PROTECTION_REASON,
                address: "203.0.113.11",
                listeners: [{ protocol: "tcp", port: 80, description: MARK, serverGroupId: "rsp-1" }],
                serverGroups: [
                    { id: "rsp-1", name: GROUP, backends: [{ address: "i-1", port: 30080, weight: 100, mark: GROUP }] },
                ],
            },
            listeners: {},
            certificates: [],
            groups: {},
            acl: undefined,
            securityGroup: undefined,
            former: [],
            elasticAddresses: [],
            quotas: ASSUMED_QUOTAS,
            health: [{ listener: "tcp:80", backend: "i-1:30080", state: "normal" }],
        },
        seen: { facts: { clusterId: "c1" }, backends: "ecs", shown: [SHOWN] },
        clusterId: "c1",
        now: Date.parse("2026-01-01T00:01:00Z"),
        ...change,
    };
}
