import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ClusterError, openCluster, type Cluster } from "../provider/kubernetes";

/** The cluster reader against a real Kubernetes control plane, which runs as separate processes. */

const program = path.join(__dirname, "..", "lab", "cluster", "main.js");
let dir: string;
let child: ChildProcess;
let kubeconfig: string;
let cluster: Cluster;

const run = promisify(execFile);
const lab = (...args: string[]): Promise<unknown> =>
    run(process.execPath, [program, ...args, "--kubeconfig", kubeconfig]);

const manifests = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { type: LoadBalancer, loadBalancerClass: example.com/lb, selector: { app: web }, ports: [{ name: http, port: 80, targetPort: 8080 }] }
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

before(async () => {
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

after(async () => {
    const ended =
        child.exitCode === null && child.signalCode === null
            ? new Promise((resolve) => child.once("exit", resolve))
            : undefined;
    child.kill("SIGTERM");
    await ended;
    fs.rmSync(dir, { recursive: true, force: true });
});

test("a snapshot of a Service that exists, one without pods, and one that does not exist yet", async () => {
    const { nodes, services } = await cluster.snapshot([
        { namespace: "default", name: "web" },
        { namespace: "default", name: "empty" },
        { namespace: "default", name: "later", selector: { app: "web" } },
    ]);
    assert.deepEqual(nodes.map(({ metadata }) => metadata.name).sort(), ["node-1", "node-2"]);
    assert.match(nodes[0]?.spec?.providerID ?? "", /^cn-hangzhou\.i-/);

    const [web, empty, later] = services;
    assert.equal(web?.service?.spec?.type, "LoadBalancer");
    assert.equal(typeof web?.service?.spec?.ports?.[0]?.nodePort, "number");
    const endpoints = web?.slices.flatMap((slice) => slice.endpoints ?? []) ?? [];
    assert.equal(endpoints.filter(({ conditions }) => conditions?.ready).length, 3);
    assert.ok(endpoints.every(({ nodeName }) => nodeName === "node-1" || nodeName === "node-2"));
    assert.deepEqual(
        web?.slices[0]?.ports?.map(({ port }) => port),
        [8080],
    );

    assert.deepEqual(
        empty?.slices.flatMap((slice) => slice.endpoints ?? []),
        [],
    );
    assert.equal(later?.service, undefined);
    assert.deepEqual(
        later?.pods.map(({ status }) => status?.phase),
        ["Running", "Running", "Running"],
    );
});

test("small pages give the same objects as one large page", async () => {
    const names = async (pageSize: number): Promise<string[]> =>
        (await openCluster({ kubeconfig, pageSize }).listServices()).map(
            ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
        );
    const all = await names(500);
    assert.ok(all.length >= 3);
    assert.deepEqual(await names(1), all);
});

test("the status of a Service is written once, changed in place and taken away; a repetition writes nothing", async () => {
    const ingress = async (): Promise<unknown> =>
        (await cluster.getService("default", "web"))?.status?.loadBalancer?.ingress;
    const write = (...items: { ip?: string; hostname?: string }[]): Promise<boolean> =>
        cluster.patchServiceStatus("default", "web", { ingress: items });
    assert.equal(await write({ ip: "203.0.113.7" }), true);
    assert.deepEqual(await ingress(), [{ ip: "203.0.113.7", ipMode: "VIP" }]);
    assert.equal(await write({ ip: "203.0.113.7" }), false);
    assert.equal(await write({ hostname: "web.example.com" }), true);
    assert.deepEqual(await ingress(), [{ hostname: "web.example.com" }]);
    assert.equal(await write(), true);
    assert.equal(await ingress(), undefined);
    assert.equal(await write(), false);
});

async function refusal(work: Promise<unknown>): Promise<ClusterError> {
    const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    assert.ok(error instanceof ClusterError, String(error));
    return error;
}

test("no certificate, a wrong authority, and no permission are different errors", async () => {
    const config = fs.readFileSync(kubeconfig, "utf8");
    const anonymous = openCluster({
        kubeconfig: config.replace(/^(\s*)(?:client-certificate|client-key|token)(?:-data)?:.*$/gm, ""),
    });
    assert.match((await refusal(anonymous.listNodes())).kind, /^(?:unauthorized|forbidden)$/);
    const stranger = openCluster({ kubeconfig: config.replace(/^(\s*)certificate-authority(?:-data)?:.*$/gm, "") });
    const untrusted = await refusal(stranger.listNodes());
    assert.equal(untrusted.kind, "unreachable");
    assert.match(untrusted.cause, /certificate/);
    assert.doesNotMatch(untrusted.message, /tries/);
});

test("the version of the server, and a Service that is not there", async () => {
    assert.match((await cluster.serverVersion()).gitVersion, /^v1\.\d+\.\d+/);
    assert.equal(await cluster.getService("default", "none"), undefined);
    assert.equal(await cluster.getService("no-such-namespace", "none"), undefined);
    assert.equal((await refusal(cluster.patchServiceStatus("default", "none", { ingress: [] }))).kind, "not-found");
});
