/**
 * A cluster with many nodes and Services with two ports each. Endpoints are written directly, because pods would take
 * minutes.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { type Session, Session as LabSession, startLab } from "../../lab";
import { createAll } from "../parallel";

/** Ports of each Service. */
export const PORTS = [80, 443] as const;

/** Endpoints of each Service. */
const ENDPOINTS = 10;

/** Most Services that are created as users create them: the engine writes the whole state after each step. */
export const MOST_WRITTEN = 100;

/** Creates without writing the state in between. */
const SKIP_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Variables of a creation's environment. */
export const creating = (services: number) => (services > MOST_WRITTEN ? SKIP_CHECKPOINTS : {});

const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

/** More than any account has: what the package does about quotas is tested elsewhere. */
const QUOTAS = { loadBalancers: 10_000, attachmentsPerServer: 100_000 };

const nameOf = (index: number): string => `shop-${index}`;

/** A lab with so many nodes, and a cloud that refuses nothing for its quotas. */
export async function startWorld(nodes: number): Promise<Session> {
    const lab = await startLab();
    const session = new LabSession(lab);
    await session.cloud("/_config", { quotas: QUOTAS });
    await createAll(nodes, (index) => lab.addNode({ name: `node-${index}` }));
    return session;
}

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

type Policy = "Local" | "Cluster";

const manifest = (index: number, scheduler: string, policy: Policy): string =>
    `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${nameOf(index)}\n` +
    `  namespace: default\n  annotations:\n    ${PREFIX}scheduler: ${scheduler}\n` +
    `spec:\n  type: LoadBalancer\n  externalTrafficPolicy: ${policy}\n` +
    `  selector:\n    app: ${nameOf(index)}\n  ports:\n` +
    PORTS.map(
        (port) => `    - name: tcp-${port}\n      port: ${port}\n      protocol: TCP\n      targetPort: ${port}\n`,
    ).join("");

/** Writes the manifests of so many Services, the first `changed` of them with another scheduler. */
export function writeManifests(
    folder: string,
    count: number,
    { changed = 0, policy = "Local" }: { readonly changed?: number; readonly policy?: Policy } = {},
): void {
    fs.mkdirSync(folder, { recursive: true });
    const text = Array.from({ length: count }, (_, index) => manifest(index, index < changed ? "sch" : "wrr", policy));
    fs.writeFileSync(path.join(folder, "services.yaml"), text.join("---\n"));
}

/** Endpoints of Services, as the control plane would write them for pods. */
export async function writeEndpoints(session: Session, from: number, count: number): Promise<void> {
    await createAll(count, async (offset) => {
        const index = from + offset;
        await session.lab.cluster.create(SLICES, {
            apiVersion: "discovery.k8s.io/v1",
            kind: "EndpointSlice",
            metadata: {
                name: nameOf(index),
                labels: {
                    "kubernetes.io/service-name": nameOf(index),
                    "endpointslice.kubernetes.io/managed-by": "bench",
                },
            },
            addressType: "IPv4",
            ports: PORTS.map((port) => ({ name: `tcp-${port}`, port, protocol: "TCP" })),
            endpoints: Array.from({ length: ENDPOINTS }, (_, number) => ({
                addresses: [`10.${Math.floor(index / 250) + 1}.${index % 250}.${number + 1}`],
                conditions: { ready: true, serving: true, terminating: false },
                nodeName: `node-${number}`,
            })),
        });
    });
}

/** Requests that programs and plugins make to an API server, by what its metrics count. */
export async function requestsOf(session: Session): Promise<number> {
    const { code, text } = await session.run("kubectl", ["get", "--raw", "/metrics"]);
    if (code !== 0) throw new Error(`the API server's metrics cannot be read: ${text}`);
    return text
        .split("\n")
        .filter((line) =>
            /^apiserver_request_total\{.*resource="(services|endpointslices|nodes|pods|namespaces)"/.test(line),
        )
        .filter((line) => !/verb="WATCH"/.test(line))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
