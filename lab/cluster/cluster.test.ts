import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { found } from "../../test/support/found";
import { REPOSITORY } from "../../test/support/repository";
import {
    addNode,
    applyYaml,
    Client,
    clusterStatus,
    endpointSlices,
    installTools,
    kubectl,
    removeNode,
    scaleDeployment,
    setNodeReady,
    setPodReady,
    setSchedulable,
    startCluster,
    stopCluster,
    waitFor,
    waitForDeployment,
    waitForEndpoints,
    type Cluster,
    type Node,
    type Tools,
} from ".";
import { tailOf } from "./folder";
import { identify, signal, terminate, type Identity } from "../build/identity";
import { freePorts } from "./ports";
import { DEFAULT_NETWORK, FILES, type Ports } from "./programs";
import { Run, startOnFreePorts } from "./run";

let scratch: string;
let tools: Tools;
let cluster: Cluster;
let client: Client;

beforeAll(async () => {
    tools = await installTools();
    scratch = mkdtempSync(join(tmpdir(), "ack-lb-cluster-"));
    cluster = await startCluster({ dir: join(scratch, "main"), tools });
    client = await Client.open(cluster.kubeconfig);
});
afterAll(async () => {
    for (const name of readdirSync(scratch)) await stopCluster(join(scratch, name));
    expect(processesOf(scratch)).toStrictEqual([]);
    rmSync(scratch, { recursive: true });
});

/** Command lines of the processes of the clusters below a folder, except kubectl's. */
function processesOf(folder: string): string[] {
    const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => line.includes(folder) && !line.includes(" ps "));
}

const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, finalizers: [example.org/cloud]}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: 8080}]
`;

const PINNED = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-pinned}
spec:
  replicas: 2
  selector: {matchLabels: {pinned: web}}
  template:
    metadata: {labels: {app: web, pinned: web}}
    spec: {nodeName: node-3, containers: [{name: web, image: web}]}
`;

const AGENT = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: agent}]}
`;

interface Service {
    metadata: { deletionTimestamp?: string };
    spec: { ports: { nodePort: number }[]; healthCheckNodePort: number };
}
const SERVICE = "/api/v1/namespaces/default/services/web";

test("nodes have the requested properties", async () => {
    for (const name of ["node-1", "node-2"]) await addNode(client, { name });
    const node = await addNode(client, {
        name: "node-3",
        zone: "cn-hangzhou-k",
        instanceId: "i-bp1abc",
        internalIp: "192.168.7.7",
        labels: { pool: "blue" },
    });
    expect(node.spec.providerID).toBe("cn-hangzhou.i-bp1abc");
    expect(node.metadata.labels?.["topology.kubernetes.io/zone"]).toBe("cn-hangzhou-k");
    expect(node.metadata.labels?.["pool"]).toBe("blue");
    const { items } = await client.get<{ items: Node[] }>("/api/v1/nodes");
    expect(items.map(({ metadata, status }) => [metadata.name, status?.addresses?.[0]])).toStrictEqual([
        ["node-1", { type: "InternalIP", address: "192.168.0.10" }],
        ["node-2", { type: "InternalIP", address: "192.168.0.11" }],
        ["node-3", { type: "InternalIP", address: "192.168.7.7" }],
    ]);
    expect(
        items.every(({ status }) => status?.conditions?.some((c) => c.type === "Ready" && c.status === "True")),
    ).toBeTruthy();
    await expect(addNode(client, { name: "node-1" })).rejects.toThrow(/409/);
});

test("a Deployment gets pods, its Service ports and an EndpointSlice", async () => {
    await applyYaml(client, WEB);
    await waitForDeployment(client, "default", "web");
    const endpoints = await waitForEndpoints(client, "default", "web", 2);
    for (const endpoint of endpoints) {
        expect(endpoint.addresses[0] ?? "").toMatch(/^172\.20\.\d+\.\d+$/);
        expect(endpoint.nodeName ?? "").toMatch(/^node-[123]$/);
        expect(endpoint.zone ?? "").toMatch(/^cn-hangzhou-[hk]$/);
        expect(endpoint.conditions).toStrictEqual({ ready: true, serving: true, terminating: false });
        expect(endpoint.targetRef?.kind).toBe("Pod");
    }
    const [slice] = await endpointSlices(client, "default", "web");
    expect(slice?.ports).toStrictEqual([{ name: "http", port: 8080, protocol: "TCP" }]);
    const { spec } = await client.get<Service>(SERVICE);
    expect((spec.ports[0]?.nodePort ?? 0) >= 30_000 && spec.healthCheckNodePort >= 30_000).toBeTruthy();
});

test("pods with the same address are replaced", async () => {
    const pods = async (): Promise<{ path: string; address: string | undefined }[]> => {
        const { items } = await client.get<{
            items: { metadata: { name: string; labels?: { app?: string } }; status: { podIP?: string } }[];
        }>("/api/v1/namespaces/default/pods");
        return items
            .filter(({ metadata }) => metadata.labels?.app === "web")
            .map(({ metadata, status }) => ({
                path: `/api/v1/namespaces/default/pods/${metadata.name}`,
                address: status.podIP,
            }));
    };
    const [first, second] = await pods();
    const twin = { podIP: first?.address, podIPs: [{ ip: first?.address }] };
    await client.patch(`${second?.path}/status`, { status: twin });
    expect(new Set((await pods()).map(({ address }) => address)).size).toBe(1);
    await waitForDeployment(client, "default", "web");
    const replaced = await pods();
    expect(new Set(replaced.map(({ address }) => address)).size).toBe(2);
    await waitForEndpoints(client, "default", "web", 2);
});

test("endpoints follow scaling, and a cordoned node gets no new pod", async () => {
    await setSchedulable(client, "node-3", false);
    const before = await waitForEndpoints(client, "default", "web", 2);
    await scaleDeployment(client, "default", "web", 8);
    const endpoints = await waitForEndpoints(client, "default", "web", 8);
    const on = (list: typeof endpoints): number => list.filter(({ nodeName }) => nodeName === "node-3").length;
    expect(on(endpoints)).toBe(on(before));
    await setSchedulable(client, "node-3", true);
    expect((await client.get<Node>("/api/v1/nodes/node-3")).spec.unschedulable).toBeUndefined();
});

test("pods are ready only while their node is", async () => {
    const all = await waitForEndpoints(client, "default", "web", 8);
    const there = all.filter(({ nodeName }) => nodeName === "node-1").length;
    expect(there).toBeGreaterThan(0);
    await setNodeReady(client, "node-1", false);
    const left = await waitForEndpoints(client, "default", "web", 8 - there);
    expect(left.every(({ nodeName }) => nodeName !== "node-1")).toBeTruthy();
    await setNodeReady(client, "node-1", true);
    await waitForEndpoints(client, "default", "web", 8);
});

test("a pod that is not ready is not a ready endpoint", async () => {
    const [one] = await waitForEndpoints(client, "default", "web", 8);
    const pod = one?.targetRef?.name ?? "";
    await setPodReady(client, "default", pod, false);
    const left = await waitForEndpoints(client, "default", "web", 7);
    expect(left.every(({ targetRef }) => targetRef?.name !== pod)).toBeTruthy();
    await setPodReady(client, "default", pod, true);
    await waitForEndpoints(client, "default", "web", 8);
});

test("the pods of a removed node are created again on the others", async () => {
    await applyYaml(client, AGENT);
    const agents = "/apis/apps/v1/namespaces/default/daemonsets/agent";
    const agentsReady = (count: number): Promise<true> =>
        waitFor(`${count} agents`, async () => {
            const { status } = await client.get<{ status: { numberReady?: number; desiredNumberScheduled?: number } }>(
                agents,
            );
            return status.numberReady === count && status.desiredNumberScheduled === count ? true : undefined;
        });
    await agentsReady(3);
    await removeNode(client, "node-1");
    await agentsReady(2);
    await waitForDeployment(client, "default", "web");
    const endpoints = await waitForEndpoints(client, "default", "web", 8);
    expect(endpoints.every(({ nodeName }) => nodeName !== "node-1")).toBeTruthy();
    await kubectl(client, ["delete", "daemonset/agent", "--cascade=foreground"]);
});

test("a Deployment with nodeName has all pods on one node", async () => {
    await applyYaml(client, PINNED);
    const endpoints = await waitForEndpoints(client, "default", "web", 10);
    expect(endpoints.filter(({ nodeName }) => nodeName === "node-3").length).toBeGreaterThanOrEqual(2);
    await scaleDeployment(client, "default", "web-pinned", 0);
    await waitForEndpoints(client, "default", "web", 8);
});

test("a finalizer delays a Service's deletion, and owned objects are deleted too", async () => {
    const deleting = kubectl(client, ["delete", "service/web", "deployment/web", "--cascade=foreground"]);
    await waitFor(
        "deletion to be asked for",
        async () => (await client.get<Service>(SERVICE)).metadata.deletionTimestamp,
    );
    await client.patch(SERVICE, { metadata: { finalizers: null } });
    await deleting;
    expect(await client.find(SERVICE)).toBeUndefined();
    expect((await client.get<{ items: unknown[] }>("/api/v1/namespaces/default/pods")).items).toStrictEqual([]);
});

test("the folder of a running cluster is refused", async () => {
    await expect(startCluster({ dir: cluster.dir, tools })).rejects.toThrow(/a cluster runs in .* already/);
});

/** Names of the programs of a cluster that do not run. */
const endedIn = async (dir: string): Promise<string[]> =>
    Object.entries((await clusterStatus(dir))?.alive ?? { none: false }).flatMap(([name, is]) => (is ? [] : [name]));

/** Runs a process that starts a cluster and then waits. It returns when the cluster is ready. */
async function owner(dir: string, detached: boolean): Promise<Identity> {
    const program = `
    const { startCluster } = require(${JSON.stringify(join(REPOSITORY, "dist/lab/cluster"))});
    startCluster(${JSON.stringify({ dir, detached, tools })}).then(
      () => { console.log("ready"); setInterval(() => {}, 1000); },
      (error) => console.log(error.message));`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: child.stdout })) {
        expect(line).toBe("ready");
        break;
    }
    return identify(child.pid ?? 0);
}

test("a cluster ends with its owner, unless it is detached", async () => {
    const [held, free] = [join(scratch, "held"), join(scratch, "free")];
    const owners = [await owner(held, false), await owner(free, true)];
    expect(processesOf(held).length >= 6).toBe(true);
    const other = await Client.open(join(free, FILES.kubeconfig));
    await addNode(other, { name: "elsewhere" });
    expect(await client.find("/api/v1/nodes/elsewhere")).toBeUndefined();
    other.close();

    for (const one of owners) signal(one, "SIGKILL");
    await waitFor("the end of the held cluster", async () => (processesOf(held).length === 0 ? true : undefined));
    expect(await clusterStatus(held)).toBeUndefined();
    for (const dir of [cluster.dir, free]) expect(await endedIn(dir)).toStrictEqual([]);
});

test("a cluster whose supervisor was killed can be stopped, and its folder reused", async () => {
    const dir = join(scratch, "free");
    const { supervisor, programs } = found((await clusterStatus(dir))?.state, "state");
    await terminate(supervisor, 0);
    expect((await clusterStatus(dir))?.alive["etcd"]).toBe(true);
    await startCluster({ dir, tools, detached: true, network: { podCidr: "10.9.0.0/16" } });
    const lines = processesOf(dir);
    expect(programs.filter(({ pid }) => lines.some((line) => line.trim().startsWith(`${pid} `)))).toStrictEqual([]);
    expect(await endedIn(dir)).toStrictEqual([]);

    // Nothing could stop it without its folder, so it ends with that.
    rmSync(dir, { recursive: true, maxRetries: 5 });
    await waitFor("the end of the detached cluster", async () => (processesOf(dir).length === 0 ? true : undefined));
    expect(await stopCluster(dir)).toBe(false);
});

test("a program that fails to start is reported with the end of its log, and nothing runs on", async () => {
    const dir = join(scratch, "broken");
    await expect(startCluster({ dir, tools, network: { serviceCidr: "nonsense" } })).rejects.toThrow(
        /^kube-apiserver ended while starting \(exit code \d+\)\. End of .*kube-apiserver\.log:\n[^]*not a valid cidr/,
    );
    expect(processesOf(dir)).toStrictEqual([]);
    const absent = { ...tools, binaries: { ...tools.binaries, etcd: join(scratch, "no-etcd") } };
    await expect(startCluster({ dir, tools: absent })).rejects.toThrow(/etcd cannot be started: .*ENOENT/);
    expect(await clusterStatus(dir)).toBeUndefined();
});

test("a port that another process took is replaced", async () => {
    const dir = join(scratch, "ports");
    const taken = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const choices = [{ etcd: port }, { kwok: port }, {}];
    const lines: string[] = [];
    const choose = async (): Promise<Ports> => {
        const [etcd = 0, a = 0, b = 0, c = 0, kwok = 0] = await freePorts(5);
        const free = { etcd, "kube-apiserver": a, "kube-controller-manager": b, "kube-scheduler": c, kwok };
        return { ...free, ...choices.shift() };
    };
    const onLost = (): never => {
        throw new Error("the cluster was lost");
    };
    const make = (ports: Ports): Run =>
        new Run({ dir, tools, ports, network: DEFAULT_NETWORK, onStarted: async () => undefined, onLost });
    const run = await startOnFreePorts(choose, make, (line) => lines.push(line));
    await run.stop();
    taken.close();
    expect(choices).toStrictEqual([]);
    expect(lines.filter((line) => line.includes("a port was taken"))).toHaveLength(2);
    expect(processesOf(dir)).toStrictEqual([]);
    expect(existsSync(join(dir, "logs", "kwok.log"))).toBeTruthy();
    expect(await tailOf(join(dir, "logs", "etcd.log"))).not.toBe("");
});

test("all programs of a cluster end with one that ends by itself, and the folder says why", async () => {
    signal(identify(cluster.pids.kwok), "SIGKILL");
    await waitFor("the end", async () => (processesOf(cluster.dir).length === 0 ? true : undefined));
    const ended = await clusterStatus(cluster.dir);
    expect(ended?.state.phase).toBe("ended");
    expect(ended?.state.reason).toBe("kwok ended by itself (SIGKILL)");
});
