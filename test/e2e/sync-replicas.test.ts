/**
 * Two replicas of the sync controller: one leads, the other takes over when it is killed or stopped, and nothing is
 * written twice.
 * Only a run shows how processes on a real API server pass on the lead.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as path from "node:path";
import { scaleDeployment, type Session, waitFor, waitForDeployment } from "../../lab";
import { readState } from "../../lab/cluster/state";
import { found } from "../support/found";
import { applyBinding, leaderOf, ReplicaProcess, waitForMembers } from "../support/replica";
import { desiredWeights, nodesSpec, seedSync, weightsOf } from "../support/sync";
import { startWorld } from "../support/world";

/** Milliseconds within which the other replica has to lead. */
const TAKE_OVER = 15_000;

let session: Session;
const replicas: ReplicaProcess[] = [];

const start = (): ReplicaProcess => {
    const replica = new ReplicaProcess(session, "--resync-seconds", "86400");
    replicas.push(replica);
    return replica;
};

beforeAll(async () => {
    session = await startWorld({ isOwn: true });
    await seedSync(session);
    await applyBinding(session, "web-tcp-80", nodesSpec());
});

afterAll(async () => {
    for (const replica of replicas) {
        replica.signal("SIGCONT");
        replica.signal("SIGTERM");
    }
    await Promise.all(replicas.map((replica) => replica.ended()));
    await session.lab.stop();
});

/** The replica that leads. */
const leader = (): Promise<ReplicaProcess> => leaderOf(replicas);

const scale = async (replicas: number): Promise<void> => {
    await scaleDeployment(session.lab.cluster, "default", "shop", replicas);
    await waitForDeployment(session.lab.cluster, "default", "shop");
};

/** Writes of the cloud since a call. */
const writesSince = async (call: number): Promise<string[]> =>
    (await session.calls(call)).filter(({ mutating }) => mutating).map(({ action }) => action);

test("of two replicas that start at once, one leads and adds each member once", async () => {
    const since = await session.lastCall();
    start();
    start();
    await leader();
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
    expect(replicas.filter(({ leads }) => leads)).toHaveLength(1);
    expect(await writesSince(since)).toStrictEqual(["AddVServerGroupBackendServers"]);
});

test("after a leader is killed during a call, the other replica completes the change", async () => {
    const former = await leader();
    const other = found(
        replicas.find((one) => one !== former),
        "other replica",
    );
    await session.cloud("/_faults", { action: "SetVServerGroupAttribute", delayMs: 60_000, times: 1 });
    await scale(7);
    await waitFor("the call is under way", async () =>
        (await session.cloud<{ hits: number }[]>("/_faults")).some(({ hits }) => hits > 0) ? true : undefined,
    );
    former.signal("SIGKILL");
    const killed = performance.now();
    await other.prints('"leading"');
    expect(performance.now() - killed).toBeLessThan(TAKE_OVER + 5_000);
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
});

test("a leader that was stopped past its lease writes nothing when it continues", async () => {
    const former = await leader();
    const fresh = start();
    await fresh.prints('"watching"');
    former.signal("SIGSTOP");
    await fresh.prints('"leading"');
    await scale(4);
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
    const since = await session.lastCall();
    former.signal("SIGCONT");
    await former.prints('"not leading any more"');
    await scale(6);
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
    expect(fresh.leads).toBe(true);
    const writes = (await session.calls(since)).filter(({ mutating }) => mutating);
    const members = writes.map(({ params }) => `${params["VServerGroupId"] ?? ""} ${params["BackendServers"] ?? ""}`);
    expect(new Set(members).size).toBe(members.length);
});

test("nothing is written while the API server hangs past the lease, and changes follow after it", async () => {
    const state = await readState(path.join(session.lab.dir, "cluster"));
    const server = found(
        state?.programs.find(({ name }) => name === "kube-apiserver"),
        "kube-apiserver",
    );
    const holder = await leader();
    const before = await weightsOf(session);
    const since = await session.lastCall();
    process.kill(server.pid, "SIGSTOP");
    try {
        await waitFor("nobody leads", () => Promise.resolve(holder.leads ? undefined : true));
        expect(await writesSince(since)).toStrictEqual([]);
        expect(await weightsOf(session)).toStrictEqual(before);
    } finally {
        process.kill(server.pid, "SIGCONT");
    }
    await scale(5);
    await leader();
    await waitForMembers(() => weightsOf(session), await desiredWeights(session));
});

test("members follow the cluster despite throttling, outages and lost responses of the cloud", async () => {
    const desired = async (): Promise<void> => waitForMembers(() => weightsOf(session), await desiredWeights(session));
    await leader();
    for (const fault of [
        { action: "SetVServerGroupAttribute", code: "Throttling.User", times: 2 },
        { action: "*", code: "ServiceUnavailable", status: 503, times: 2 },
        { action: "SetVServerGroupAttribute", dropAfterEffect: true, times: 1 },
    ]) {
        await session.cloud("/_faults", fault);
        await scale(3);
        await desired();
        await scale(6);
        await desired();
        const hits = (await session.cloud<{ hits: number }[]>("/_faults")).reduce((sum, one) => sum + one.hits, 0);
        expect(hits).toBeGreaterThan(0);
        await session.cloud("/_faults", undefined, "DELETE");
    }
});

test("a replica that ends releases the lease, and the next one leads at once", async () => {
    const former = await leader();
    const fresh = start();
    await fresh.prints('"watching"');
    former.signal("SIGTERM");
    expect(await former.ended()).toBe(0);
    await waitFor("another one leads", () =>
        Promise.resolve(replicas.some((one) => one !== former && one.leads) ? true : undefined),
    );
});
