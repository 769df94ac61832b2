import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { found } from "../../test/support/found";
import { startTime } from "../build/identity";
import { Client, type Cluster, clusterStatus, compactEtcd, killApiServer, startApiServer, startCluster } from ".";

let cluster: Cluster;
let client: Client;

beforeAll(async () => {
    cluster = await startCluster({ dir: mkdtempSync(join(tmpdir(), "ack-lb-outage-")) });
    client = await Client.open(cluster.kubeconfig);
});
afterAll(async () => {
    client.close();
    rmSync(cluster.dir, { recursive: true });
});

const alive = async () => (await clusterStatus(cluster.dir))?.alive;

const ALL = {
    supervisor: true,
    etcd: true,
    "kube-apiserver": true,
    "kube-controller-manager": true,
    "kube-scheduler": true,
    kwok: true,
};

/**
 * Returns the answer to a watch of ConfigMaps from a version on, once it has ended. The server need not wait for
 * changes.
 */
const watched = (version: string): Promise<string> =>
    client
        .get(`/api/v1/configmaps?watch=true&timeoutSeconds=1&resourceVersion=${version}`)
        .then((event) => JSON.stringify(event), String);

const versionOf = async (): Promise<string> =>
    (await client.get<{ metadata: { resourceVersion: string } }>("/api/v1/configmaps")).metadata.resourceVersion;

const keep = (name: string): Promise<unknown> =>
    client.create("/api/v1/namespaces/default/configmaps", { metadata: { name }, data: { kept: "yes" } });

test("a killed API server is down until it is started, and keeps its data and address", async () => {
    await keep("before");
    await killApiServer(cluster.dir);
    await killApiServer(cluster.dir);
    expect(await alive()).toStrictEqual({ ...ALL, "kube-apiserver": false });
    await expect(client.get("/readyz")).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
    await startApiServer(cluster.dir);
    expect(await alive()).toStrictEqual(ALL);
    expect(await client.get("/api/v1/namespaces/default/configmaps/before")).toMatchObject({ data: { kept: "yes" } });
});

test("after a compaction and a restart a watch from an earlier version gets 410 Gone", async () => {
    const version = await versionOf();
    await keep("between");
    expect(await watched(version)).toMatch(/"type":"ADDED".*"between"/);
    await compactEtcd(cluster.dir);
    await killApiServer(cluster.dir);
    await startApiServer(cluster.dir);
    expect(await watched(version)).toMatch(/410|"code":410|Expired|too old resource version/);
});

test("an outage needs a running cluster", async () => {
    const nowhere = join(cluster.dir, "nowhere");
    for (const act of [killApiServer, compactEtcd]) await expect(act(nowhere)).rejects.toThrow(/no cluster runs in/);
});

test("a cluster that is stopped leaves its logs, and no process", async () => {
    const { programs } = found((await clusterStatus(cluster.dir))?.state, "state");
    await cluster.stop();
    expect(programs.filter(({ pid }) => startTime(pid) !== undefined)).toStrictEqual([]);
    expect(await clusterStatus(cluster.dir)).toBeUndefined();
    expect(readdirSync(cluster.dir)).toStrictEqual(["logs"]);
});
