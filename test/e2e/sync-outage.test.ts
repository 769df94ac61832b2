/**
 * The API server is killed and restarted under two replicas of the sync controller: no write happens without a valid
 * lease, no backend is removed for lack of data, and missed changes follow.
 * Only a run shows what a process does while a real API server is gone.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
    type Call,
    compactEtcd,
    killApiServer,
    scaleDeployment,
    type Session,
    setSchedulable,
    startApiServer,
    waitFor,
    waitForEndpoints,
} from "../../lab";
import { removeNode } from "../../lab/cluster";
import { applyBinding, leaderOf, ReplicaProcess, statusOf, waitForMembers } from "../support/replica";
import { desiredWeights, MARK, NODES_GROUP, nodesSpec, seedSync, weightsOf } from "../support/sync";
import { startWorld } from "../support/world";

let session: Session;
/** Folder of the cluster. */
let dir: string;
const replicas: ReplicaProcess[] = [];

beforeAll(async () => {
    session = await startWorld({ isOwn: true });
    dir = path.join(session.lab.dir, "cluster");
    await seedSync(session);
    await applyBinding(session, "web-tcp-80", { ...nodesSpec(), removeUnscheduled: true });
    replicas.push(new ReplicaProcess(session), new ReplicaProcess(session));
    for (const replica of replicas) await replica.prints('"watching"');
    await leaderOf(replicas);
    await follows(4);
});

afterAll(async () => {
    await startApiServer(dir);
    for (const replica of replicas) {
        replica.signal("SIGCONT");
        replica.signal("SIGTERM");
    }
    await Promise.all(replicas.map((replica) => replica.ended()));
    await session.lab.stop();
});

/** Milliseconds after which the control plane's other programs have all noticed that the API server is back. */
const RECONNECTED = 300_000;

/** Scales, and waits until the group has the pods. */
async function follows(pods: number): Promise<void> {
    const { cluster } = session.lab;
    await scaleDeployment(cluster, "default", "shop", pods);
    await waitForEndpoints(cluster, "default", "web", pods, RECONNECTED);
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
}

const writes = async (since: number): Promise<Call[]> =>
    (await session.calls(since)).filter(({ mutating }) => mutating);

/** Returns the calls that removed a backend since a given call. */
const removals = async (since: number): Promise<string[]> =>
    (await writes(since)).map(({ action }) => action).filter((action) => action.startsWith("Remove"));

test("both replicas continue after a restart of the API server", async () => {
    const since = await session.lastCall();
    await killApiServer(dir);
    await startApiServer(dir);
    await follows(7);
    await leaderOf(replicas);
    expect(replicas.map(({ running }) => running)).toStrictEqual([true, true]);
    expect(replicas.filter(({ leads }) => leads)).toHaveLength(1);
    expect(await removals(since)).toStrictEqual([]);
});

test("nothing is written while the API server is down past the lease, and all is caught up later", async () => {
    const before = await weightsOf(session);
    const holder = await leaderOf(replicas);
    const nodes = "/api/v1/nodes";
    const { metadata } = await session.lab.cluster.get<{ metadata: { resourceVersion: string } }>(nodes);
    await killApiServer(dir);
    await waitFor("nobody leads", () => Promise.resolve(holder.leads ? undefined : true));
    const since = await session.lastCall();
    const [machine = ""] = Object.keys(before);
    await session.cloud("/_console", {
        product: "Slb",
        action: "SetVServerGroupAttribute",
        params: {
            VServerGroupId: NODES_GROUP,
            BackendServers: JSON.stringify([
                { ServerId: machine, Port: "30080", Weight: "99", Type: "ecs", Description: MARK },
            ]),
        },
    });
    // A resync is due in this time, and would heal the edit.
    await pause(12_000);
    expect(await session.calls(since)).toStrictEqual([]);
    expect(await weightsOf(session)).toStrictEqual({ ...before, [machine]: 99 });
    await compactEtcd(dir);
    await startApiServer(dir);
    const watched = session.lab.cluster.get(
        `${nodes}?watch=true&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`,
    );
    expect(await watched.then((event) => JSON.stringify(event), String)).toMatch(/too old resource version/);
    await leaderOf(replicas);
    await waitForMembers(() => weightsOf(session), before);
    expect(await removals(since)).toStrictEqual([]);
    await setSchedulable(session.lab.cluster, "node-2", false);
    await waitFor("the cordoned node is no backend", async () =>
        Object.keys(await weightsOf(session)).length === 2 ? true : undefined,
    );
    await setSchedulable(session.lab.cluster, "node-2", true);
    await waitForMembers(() => weightsOf(session), before);
    expect((await statusOf(session, "web-tcp-80")).conditions?.[0]).toMatchObject({ reason: "Synced" });
});

test("a node deleted during the outage is removed by the list after it", async () => {
    const before = await weightsOf(session);
    for (const replica of replicas) replica.signal("SIGSTOP");
    await killApiServer(dir);
    await startApiServer(dir);
    const node = await session.lab.cluster.get<{ spec: { providerID: string } }>("/api/v1/nodes/node-3");
    const gone = node.spec.providerID.split(".")[1] ?? "";
    expect(before[gone]).toBeGreaterThan(0);
    await removeNode(session.lab.cluster, "node-3");
    for (const replica of replicas) replica.signal("SIGCONT");
    await waitFor("the node is no backend", async () =>
        (await weightsOf(session))[gone] === undefined ? true : undefined,
    );
    await follows(5);
});
