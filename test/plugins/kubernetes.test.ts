/** The kubernetes stand-in against a real API server. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addNode, Client, startCluster, type Cluster } from "../../lab/cluster";
import { PluginClient, urnOf, type Properties } from "./plugin-client";

let dir: string;
let cluster: Cluster;
let plugin: PluginClient;

beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "kubernetes-plugin-"));
    cluster = await startCluster({ dir });
    plugin = await PluginClient.start("kubernetes", { kubeconfig: cluster.kubeconfig });
});

afterAll(async () => {
    await plugin?.stop();
    await cluster?.stop();
    await rm(dir, { recursive: true, force: true });
});

const at = (value: unknown, ...path: (string | number)[]): unknown =>
    path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value);

const serviceUrn = urnOf("kubernetes:core/v1:Service", "web");
const service = (ports: number[]): Properties => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", annotations: { "pulumi.com/skipAwait": "true" } },
    spec: {
        type: "LoadBalancer",
        selector: { app: "web" },
        ports: ports.map((port) => ({ name: `p${port}`, port, targetPort: 8080 })),
    },
});

test("a Service is previewed, created, updated, refreshed, imported and deleted", async () => {
    const { inputs, failures } = await plugin.check(serviceUrn, {}, service([80]));
    expect(failures).toStrictEqual([]);
    expect(at(inputs, "metadata", "namespace")).toBe("default");

    const planned = await plugin.create(serviceUrn, inputs, true);
    expect(planned.id).toBe("");
    // A dry run shows the server's defaults.
    expect(at(planned.state, "spec", "ports", 0, "protocol")).toBe("TCP");
    // A preview creates nothing.
    expect((await plugin.read(serviceUrn, "default/web")).id).toBe("");

    const made = await plugin.create(serviceUrn, inputs);
    expect(made.id).toBe("default/web");
    expect(at(made.state, "__inputs")).toStrictEqual(inputs);
    expect(plugin.logs.includes("Skipping await logic")).toBeTruthy();

    const next = (await plugin.check(serviceUrn, inputs, service([80, 443]))).inputs;
    const diff = await plugin.diff(serviceUrn, made.id, made.state, inputs, next);
    expect(diff).toStrictEqual({
        changed: true,
        replaces: [],
        deleteBeforeReplace: false,
        paths: { "spec.ports[1]": "ADD" },
    });
    const changed = await plugin.update(serviceUrn, made.id, made.state, inputs, next);
    expect(at(changed, "spec", "ports", 1, "port")).toBe(443);
    expect(String(at(changed, "__fieldManager"))).toMatch(/^pulumi-kubernetes-[0-9a-f]{8}$/);

    const fewer = (await plugin.check(serviceUrn, next, service([443]))).inputs;
    const reduced = await plugin.update(serviceUrn, made.id, changed, next, fewer);
    // A port that the program drops is removed in the cluster.
    expect((at(reduced, "spec", "ports") as unknown[]).length).toBe(1);
    expect((await plugin.diff(serviceUrn, made.id, reduced, fewer, fewer)).changed).toBe(false);

    const read = await plugin.read(serviceUrn, made.id, reduced, fewer);
    expect(read.inputs).toStrictEqual(fewer);
    const imported = await plugin.read(serviceUrn, made.id);
    expect(at(imported.inputs, "spec", "type")).toBe("LoadBalancer");
    expect(at(imported.inputs, "status")).toBeUndefined();

    await plugin.delete(serviceUrn, made.id, read.state, read.inputs);
    // "skipAwait" also leaves the garbage collector to itself.
    while ((await plugin.read(serviceUrn, made.id, read.state, read.inputs)).id !== "")
        await new Promise((resolve) => setTimeout(resolve, 100));
});

test("names are generated and kept, and a change of identity replaces", async () => {
    const urn = urnOf("kubernetes:core/v1:ConfigMap", "cfg");
    const config = (data: Properties): Properties => ({ apiVersion: "v1", kind: "ConfigMap", data });
    const { inputs } = await plugin.check(urn, {}, config({ a: "1" }));
    const name = String(at(inputs, "metadata", "name"));
    expect(name).toMatch(/^cfg-[0-9a-f]{8}$/);
    const made = await plugin.create(urn, inputs);
    const next = (await plugin.check(urn, inputs, config({ a: "2" }))).inputs;
    expect(at(next, "metadata", "name")).toBe(name);
    const diff = await plugin.diff(urn, made.id, made.state, inputs, next);
    expect(diff).toStrictEqual({
        changed: true,
        replaces: ["data.a"],
        deleteBeforeReplace: false,
        paths: { "data.a": "UPDATE_REPLACE" },
    });
    await plugin.delete(urn, made.id, made.state, inputs);
});

test("a Deployment is created once its pods are available", async () => {
    const client = await Client.open(cluster.kubeconfig);
    await addNode(client, { name: "node-1" });
    client.close();
    const urn = urnOf("kubernetes:apps/v1:Deployment", "web");
    const labels = { app: "web" };
    const { inputs } = await plugin.check(
        urn,
        {},
        {
            apiVersion: "apps/v1",
            kind: "Deployment",
            metadata: { name: "web" },
            spec: {
                replicas: 2,
                selector: { matchLabels: labels },
                template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
            },
        },
    );
    const made = await plugin.create(urn, inputs);
    expect(at(made.state, "status", "availableReplicas")).toBe(2);
    expect(plugin.logs.some((line) => line.includes("Pods available"))).toBeTruthy();
    const other = structuredClone(inputs) as { spec: { selector: { matchLabels: Properties } } };
    other.spec.selector.matchLabels = { app: "other" };
    const diff = await plugin.diff(urn, made.id, made.state, inputs, other);
    expect(diff.replaces).toStrictEqual(["spec.selector.matchLabels.app"]);
    expect(diff.deleteBeforeReplace).toBe(true);
    await plugin.delete(urn, made.id, made.state, inputs);
});

test("secrets stay secret, custom objects need their type, and YAML is split", async () => {
    const urn = urnOf("kubernetes:core/v1:Secret", "s");
    const { inputs } = await plugin.check(
        urn,
        {},
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { a: "b" } },
    );
    const made = await plugin.create(urn, inputs);
    expect(made.state["data"]).toHaveProperty("4dabf18193072939515e22adb298388d");
    await plugin.delete(urn, made.id, made.state, inputs);
    const custom = urnOf("kubernetes:example.com/v1:Thing", "t");
    const thing = (
        await plugin.check(custom, {}, { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" } })
    ).inputs;
    expect((await plugin.create(custom, thing, true)).id).toBe("");
    await expect(plugin.create(custom, thing)).rejects.toThrow(/Verify that any required CRDs have been created/);
    const decoded = await plugin.invoke("kubernetes:yaml:decode", {
        text: "kind: A\n---\nkind: List\nitems: [{kind: B}]\n",
    });
    expect((decoded["result"] as Properties[]).map((object) => object["kind"])).toStrictEqual(["A", "B"]);
});

test("an unreachable cluster is an error, never a deletion", async () => {
    const kubeconfig = JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "c",
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
        clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:1" } }],
        users: [{ name: "u", user: {} }],
    });
    const lost = await PluginClient.start("kubernetes", { kubeconfig });
    try {
        expect((await lost.check(serviceUrn, {}, service([80]))).failures.join()).toMatch(/unreachable/);
        await expect(lost.create(serviceUrn, service([80]), true)).rejects.toThrow(/unreachable|ECONNREFUSED/);
        await expect(
            lost.read(serviceUrn, "default/web", { ...service([80]), __inputs: service([80]) }, service([80])),
        ).rejects.toThrow(/unreachable cluster/);
        await expect(lost.delete(serviceUrn, "default/web", service([80]), service([80]))).rejects.toThrow(
            /unreachable/,
        );
    } finally {
        await lost.stop();
    }
});
