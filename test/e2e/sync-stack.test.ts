/**
 * Runs together with the sync controller: a run manages structure and fills new groups, the controller keeps the
 * members in between.
 * Only a run shows that runs and the controller leave each other's part alone.
 *
 * Requirements: D01, D32, I09.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scaleDeployment, type Session, waitFor, waitForDeployment } from "../../lab";
import { pattern } from "../support/pattern";
import { installBindings, ReplicaProcess, statusOf, waitForMembers } from "../support/replica";
import { assertEmpty, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const WEB: ServiceSpec = { name: "web", policy: "Local" };

let session: Session;
let stack: Stack;
let replica: ReplicaProcess | undefined;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "sync", [WEB]);
    await stack.config("sync", "true");
});

afterAll(async () => {
    replica?.signal("SIGTERM");
    await replica?.ended();
    await session.lab.stop();
});

/** Weights in the only vServer group. */
const weights = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
        (await stateOf(session)).slb.vServerGroups.flatMap(({ backends }) =>
            backends.map(({ serverId, weight }) => [serverId, weight]),
        ),
    );

/** Number of pods that the group sends to. */
const pods = async (): Promise<number> => Object.values(await weights()).reduce((sum, weight) => sum + weight, 0);

test("without the custom resource a run is refused before any write, with a remedy", async () => {
    const since = await session.lastCall();
    expect(stack.fail(await stack.up())).toMatch(
        pattern(
            /sync is on, but cluster .* does not have the custom resource ServerGroupBinding.*/,
            /Remedy: install the sync controller first/,
        ),
    );
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
    await installBindings(session);
    replica = new ReplicaProcess(session);
    await replica.prints('"leading"');
});

test("a run fills a new group before it creates the listener, and shows the binding", async () => {
    const since = await session.lastCall();
    expect(stack.succeed(await stack.up())).toMatch(/ServerGroupBinding/);
    const actions = (await session.calls(since)).map(({ action }) => action);
    const [filled, listening] = ["AddVServerGroupBackendServers", "CreateLoadBalancerTCPListener"].map((action) =>
        actions.indexOf(action),
    );
    expect(filled).toBeGreaterThan(-1);
    expect(listening).toBeGreaterThan(filled ?? 0);
    expect(await pods()).toBe(4);
    await waitFor("the controller has taken over", async () =>
        (await statusOf(session, "web-tcp-80")).conditions?.[0]?.status === "True" ? true : undefined,
    );
});

test("between runs members follow the cluster, and the next run shows no change", async () => {
    await scaleDeployment(session.lab.cluster, "default", "shop", 7);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await waitFor("seven pods get traffic", async () => ((await pods()) === 7 ? true : undefined));
    const before = await weights();
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    expect(await weights()).toStrictEqual(before);
});

test("a run changes the traffic policy and back while the controller works", async () => {
    stack.write([{ ...WEB, policy: "Cluster" }]);
    stack.succeed(await stack.up());
    await waitFor("every node is a backend", async () => {
        const found = Object.values(await weights());
        return found.length === 3 && found.every((weight) => weight === 100) ? true : undefined;
    });
    stack.write([WEB]);
    stack.succeed(await stack.up());
    await waitFor("weights follow the pods", async () => ((await pods()) === 7 ? true : undefined));
});

test("with sync switched off, members change only in runs", async () => {
    await stack.config("sync", "false");
    expect(stack.succeed(await stack.up())).toMatch(/ServerGroupBinding/);
    const before = await weights();
    await scaleDeployment(session.lab.cluster, "default", "shop", 5);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    expect(await weights()).toStrictEqual(before);
    stack.succeed(await stack.up());
    expect(await pods()).toBe(5);
    await stack.config("sync", "true");
    stack.succeed(await stack.up());
    await scaleDeployment(session.lab.cluster, "default", "shop", 4);
    await waitFor("four pods get traffic", async () => ((await pods()) === 4 ? true : undefined));
});

test("destroy deletes bindings first and leaves nothing", async () => {
    await stack.remove();
    assertEmpty(await stateOf(session));
    await expect(statusOf(session, "web-tcp-80")).rejects.toThrow(/not found/);
    await waitForMembers(weights, {});
});
