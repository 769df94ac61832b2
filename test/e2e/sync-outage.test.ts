/** The API server is killed and comes back under two replicas of the sync controller: nobody writes without a valid lease, no backend is removed for want of data, and what happened is caught up. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
    type Call,
    compactEtcd,
    killApiServer,
    scaleDeployment,
    type Session,
    startApiServer,
    waitFor,
    waitForDeployment,
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
    session = await startWorld();
    dir = path.join(session.lab.dir, "cluster");
    await seedSync(session);
    await applyBinding(session, "web-tcp-80", nodesSpec());
    replicas.push(new ReplicaProcess(session), new ReplicaProcess(session));
    for (const replica of replicas) await replica.prints('"watching"');
    await leaderOf(replicas);
    await follows();
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

/** Waits until the group has what the cluster says now. */
const follows = async (): Promise<void> => waitForMembers(() => weightsOf(session), await desiredWeights(session));

const scale = async (pods: number): Promise<void> => {
    await scaleDeployment(session.lab.cluster, "default", "shop", pods);
    await waitForDeployment(session.lab.cluster, "default", "shop");
};

const writes = async (since: number): Promise<Call[]> =>
    (await session.calls(since)).filter(({ mutating }) => mutating);

/** Whether somebody removed a backend since a call. */
const removals = async (since: number): Promise<string[]> =>
    (await writes(since)).map(({ action }) => action).filter((action) => action.startsWith("Remove"));

test("the API server is killed and starts at once: both replicas go on, and a change is followed", async () => {
    const since = await session.lastCall();
    await killApiServer(dir);
    await startApiServer(dir);
    await scale(7);
    await follows();
    await leaderOf(replicas);
    expect(replicas.map(({ running }) => running)).toStrictEqual([true, true]);
    expect(replicas.filter(({ leads }) => leads)).toHaveLength(1);
    expect(await removals(since)).toStrictEqual([]);
});

test("the API server stays away past the lease, and has forgotten the past when it is back: nothing is written meanwhile, and everything is healed afterwards", async () => {
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
    await scale(9);
    await follows();
    expect(await removals(since)).toStrictEqual([]);
    expect((await statusOf(session, "web-tcp-80")).conditions?.[0]).toMatchObject({ reason: "Synced" });
});

test("a node goes while no replica watches: the list after the outage says so, and its backend is removed", async () => {
    for (const replica of replicas) replica.signal("SIGSTOP");
    await killApiServer(dir);
    await startApiServer(dir);
    await removeNode(session.lab.cluster, "node-3");
    await scale(5);
    const desired = await desiredWeights(session);
    expect(Object.keys(desired)).toHaveLength(2);
    for (const replica of replicas) replica.signal("SIGCONT");
    await waitForMembers(() => weightsOf(session), desired);
    await scale(3);
    await follows();
});
