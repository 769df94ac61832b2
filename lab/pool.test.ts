import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { applyYaml, type Lab, LabPool, openLab, type PooledLab, Session, stopLab, waitFor, waitForDeployment } from ".";
import { deploymentYaml } from "../test/support/yaml";
import { clusterStatus } from "./cluster";

let dir: string;
let pool: LabPool;

beforeAll(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "pool-"));
    pool = new LabPool(dir);
});

afterAll(async () => {
    await Promise.all(fs.readdirSync(dir).map((lab) => stopLab(path.join(dir, lab))));
    fs.rmSync(dir, { recursive: true, force: true });
});

const open = (pooled: PooledLab): Promise<Lab> => openLab(pooled.place, async () => pool.give(pooled));

const ask = async (lab: Lab, endpoint: string): Promise<unknown> => (await fetch(lab.cloudUrl + endpoint)).json();

const post = (lab: Lab, endpoint: string, body: object): Promise<unknown> =>
    fetch(lab.cloudUrl + endpoint, { method: "POST", body: JSON.stringify(body) });

const names = async (lab: Lab, collection: string): Promise<string[]> => {
    const { items } = await lab.cluster.get<{ items: { metadata: { name: string } }[] }>(collection);
    return items.map(({ metadata }) => metadata.name);
};

/** Returns kubectl's view of the API group of the definition below. */
const apisOf = async (lab: Lab, ...flags: string[]): Promise<string> =>
    (await new Session(lab).run("kubectl", ["api-resources", "--api-group=example.com", ...flags])).text;

const clusterIdOf = async (lab: Lab): Promise<string | undefined> => {
    const profile = "/api/v1/namespaces/kube-system/configmaps/ack-cluster-profile";
    return (await lab.cluster.get<{ data: Record<string, string> }>(profile)).data["clusterid"];
};

/** An object of each kind that a test makes. */
const LEFT_BEHIND = `
apiVersion: v1
kind: Service
metadata: { name: kept, finalizers: [service.k8s/resources] }
spec: { type: LoadBalancer, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Namespace
metadata: { name: team }
---
apiVersion: v1
kind: Pod
metadata: { name: ending }
spec: { nodeName: gone, terminationGracePeriodSeconds: 600, containers: [{ name: web, image: web }] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: runner }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: notes.example.com }
spec:
  group: example.com
  names: { kind: Note, plural: notes }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

test("the next use of a lab has the same cluster and CLI, and no objects, settings or files", async () => {
    const first = await open(await pool.take("c-one"));
    const files = fs.readdirSync(first.dir);
    const config = await ask(first, "/_config");
    await first.addNode({ name: "node-1" });
    await applyYaml(first.cluster, LEFT_BEHIND);
    await applyYaml(first.cluster, deploymentYaml("shop", 2));
    await waitForDeployment(first.cluster, "default", "shop");
    await waitFor("the API of notes", async () => ((await apisOf(first)).includes("notes") ? true : undefined));
    for (const ended of ["services/kept", "pods/ending"])
        await first.cluster.delete(`/api/v1/namespaces/default/${ended}`);
    await post(first, "/_config", { quotas: { loadBalancers: 1 } });
    fs.writeFileSync(path.join(first.dir, "note"), "");
    fs.writeFileSync(path.join(first.dir, "state/stack.json"), "{}");
    const events = await names(first, "/api/v1/events");
    expect(events).not.toStrictEqual([]);
    await first.stop();

    const second = await open(await pool.take("c-two"));
    expect([second.dir, second.cloudUrl]).toStrictEqual([first.dir, first.cloudUrl]);
    expect(await clusterIdOf(second)).toBe("c-two");
    expect(await names(second, "/api/v1/services")).toStrictEqual(["kubernetes"]);
    for (const collection of ["/api/v1/nodes", "/api/v1/pods", "/apis/apps/v1/deployments"])
        expect(await names(second, collection)).toStrictEqual([]);
    // The cluster's controllers report on the removal itself, some seconds later.
    const kept = await names(second, "/api/v1/events");
    expect(kept.filter((name) => events.includes(name))).toStrictEqual([]);
    expect(await names(second, "/api/v1/namespaces")).not.toContain("team");
    expect(await second.cluster.find("/apis/rbac.authorization.k8s.io/v1/clusterroles/runner")).toBeUndefined();
    expect(await second.cluster.find("/apis/example.com/v1/notes")).toBeUndefined();
    expect(await apisOf(second, "--cached")).not.toMatch(/notes/);
    expect(await ask(second, "/_config")).toStrictEqual(config);
    expect(await ask(second, "/_calls?origin=api")).toStrictEqual([]);
    expect(fs.readdirSync(second.dir)).toStrictEqual(files);
    expect(fs.readdirSync(path.join(second.dir, "state"))).toStrictEqual([]);
    await second.stop();
});

test("a lab that cannot be reset is ended and replaced", async () => {
    const spoilt = await open(await pool.take("c-one"));
    await spoilt.cluster.patch("/api/v1/namespaces/default", { metadata: { labels: { spoilt: "true" } } });
    await spoilt.stop();
    const other = await open(await pool.take("c-one"));
    expect(other.dir).not.toBe(spoilt.dir);
    expect(await clusterStatus(path.join(spoilt.dir, "cluster"))).toBeUndefined();
});
