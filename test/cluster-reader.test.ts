import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { ClusterError, openCluster, type ClusterReader } from "../provider/cluster";
import { REPOSITORY } from "./support/repository";

/** The cluster reader against a real Kubernetes control plane, which runs as separate processes. */

const program = path.join(REPOSITORY, "dist/lab/cluster/main.js");
let dir: string;
let child: ChildProcess;
let kubeconfig: string;
let cluster: ClusterReader;

const run = promisify(execFile);
const lab = (...args: string[]): Promise<unknown> =>
    run(process.execPath, [program, ...args, "--kubeconfig", kubeconfig]);

const manifests = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec:
  type: LoadBalancer
  loadBalancerClass: example.com/lb
  selector: { app: web }
  ports: [{ name: http, port: 80, targetPort: 8080 }]
---
apiVersion: v1
kind: Service
metadata: { name: empty, namespace: default }
spec: { selector: { app: nobody }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: none, ports: [{ name: http, containerPort: 8080 }] }] }
`;

beforeAll(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "cluster-reader-"));
    child = spawn(process.execPath, [program, "up", "--dir", dir], { stdio: ["ignore", "pipe", "inherit"] });
    kubeconfig = await new Promise<string>((resolve, reject) => {
        let said = "";
        child.stdout?.on("data", (chunk) => {
            said += chunk;
            const found = /^export KUBECONFIG=(.+)$/m.exec(said)?.[1];
            if (found !== undefined) resolve(found);
        });
        child.once("exit", (code) => reject(new Error(`the cluster ended with code ${code}:\n${said}`)));
    });
    await lab("node", "add", "node-1", "node-2", "--zone", "cn-hangzhou-h");
    const file = path.join(dir, "manifests.yaml");
    fs.writeFileSync(file, manifests);
    await lab("apply", file);
    await lab("wait-endpoints", "default/web", "3");
    cluster = openCluster({ kubeconfig });
});

afterAll(async () => {
    const ended =
        child.exitCode === null && child.signalCode === null
            ? new Promise((resolve) => child.once("exit", resolve))
            : undefined;
    child.kill("SIGTERM");
    await ended;
    fs.rmSync(dir, { recursive: true, force: true });
});

test("Services, nodes, endpoints and pods are read", async () => {
    const nodes = await cluster.listNodes();
    expect(nodes.map(({ metadata }) => metadata.name).sort()).toStrictEqual(["node-1", "node-2"]);
    expect(nodes[0]?.spec?.providerID ?? "").toMatch(/^cn-hangzhou\.i-/);

    const web = await cluster.getService("default", "web");
    expect(web?.spec?.type).toBe("LoadBalancer");
    expect(typeof web?.spec?.ports?.[0]?.nodePort).toBe("number");
    const slices = await cluster.listEndpointSlices("default", "web");
    const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
    expect(endpoints.filter(({ conditions }) => conditions?.ready)).toHaveLength(3);
    expect(endpoints.every(({ nodeName }) => nodeName === "node-1" || nodeName === "node-2")).toBeTruthy();
    expect(slices[0]?.ports?.map(({ port }) => port)).toStrictEqual([8080]);

    expect(
        (await cluster.listEndpointSlices("default", "empty")).flatMap((slice) => slice.endpoints ?? []),
    ).toStrictEqual([]);
    expect(await cluster.getService("default", "later")).toBeUndefined();
    expect((await cluster.listPods("default", { app: "web" })).map(({ status }) => status?.phase)).toStrictEqual([
        "Running",
        "Running",
        "Running",
    ]);
});

test("the page size does not change the objects", async () => {
    const names = async (pageSize: number): Promise<string[]> =>
        (await openCluster({ kubeconfig, pageSize }).listServices()).map(
            ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
        );
    const all = await names(500);
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(await names(1)).toStrictEqual(all);
});

test("the status of a Service is written, changed and removed, and only if it differs", async () => {
    const ingress = async (): Promise<unknown> =>
        (await cluster.getService("default", "web"))?.status?.loadBalancer?.ingress;
    const write = (...items: { ip?: string; hostname?: string }[]): Promise<boolean> =>
        cluster.patchServiceStatus("default", "web", { ingress: items });
    expect(await write({ ip: "203.0.113.7" })).toBe(true);
    expect(await ingress()).toStrictEqual([{ ip: "203.0.113.7", ipMode: "VIP" }]);
    expect(await write({ ip: "203.0.113.7" })).toBe(false);
    expect(await write({ hostname: "web.example.com" })).toBe(true);
    expect(await ingress()).toStrictEqual([{ hostname: "web.example.com" }]);
    expect(await write()).toBe(true);
    expect(await ingress()).toBeUndefined();
    expect(await write()).toBe(false);
});

async function refusal(work: Promise<unknown>): Promise<ClusterError> {
    const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    if (!(error instanceof ClusterError)) throw new Error(String(error));
    return error;
}

test("missing credentials and an unknown authority are different errors", async () => {
    const config = fs.readFileSync(kubeconfig, "utf8");
    const anonymous = openCluster({
        kubeconfig: config.replace(/^(\s*)(?:client-certificate|client-key|token)(?:-data)?:.*$/gm, ""),
    });
    expect((await refusal(anonymous.listNodes())).kind).toMatch(/^(?:unauthorized|forbidden)$/);
    const stranger = openCluster({ kubeconfig: config.replace(/^(\s*)certificate-authority(?:-data)?:.*$/gm, "") });
    const untrusted = await refusal(stranger.listNodes());
    expect(untrusted.kind).toBe("unreachable");
    expect(untrusted.cause).toMatch(/certificate/);
    expect(untrusted.message).not.toMatch(/tries/);
});

test("the server's version is read, and a missing Service is undefined", async () => {
    expect((await cluster.serverVersion()).gitVersion).toMatch(/^v1\.\d+\.\d+/);
    expect(await cluster.getService("default", "none")).toBeUndefined();
    expect(await cluster.getService("no-such-namespace", "none")).toBeUndefined();
    expect((await refusal(cluster.patchServiceStatus("default", "none", { ingress: [] }))).kind).toBe("not-found");
});
