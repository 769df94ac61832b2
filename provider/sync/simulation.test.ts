/**
 * The controller with objects in memory and a simulated group: faults, and what is told outside.
 *
 * Requirements: X24.
 */
import { expect, test } from "@jest/globals";
import { CloudError } from "../cloud";
import { Simulation } from "../../test/support/simulation";
import { binding, endpoint, gatedPod, MARK, node, podSpec, service, slice, spec } from "../../test/support/sync-world";

test("members follow endpoints without a read, and nothing is called where nothing is to do", async () => {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a"), node("b")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
    sim.calls.length = 0;
    sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "i-a": 1, "i-b": 1 });
    expect(sim.calls).toStrictEqual(["add"]);
    sim.put("node", { ...node("a"), metadata: { name: "a", resourceVersion: "2" } });
    sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
    await sim.settle();
    expect(sim.calls).toStrictEqual(["add"]);
    expect(sim.statuses.at(-1)).toMatchObject({
        conditions: [{ type: "Synced", status: "True", reason: "Synced" }],
        backends: { total: 2, draining: 0, weight: 2, userManaged: 1 },
        members: [
            { backend: "i-a:30080", weight: 1 },
            { backend: "i-b:30080", weight: 1 },
        ],
    });
    expect(sim.servers.some(({ address }) => address === "i-user")).toBe(true);
});

test("a console edit is healed by the next resync, and user-managed members are left alone", async () => {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a"), node("b")], slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
    await sim.settle();
    sim.servers = [
        { address: "i-user", port: 1, weight: 3 },
        { address: "i-a", port: 30080, weight: 77, mark: MARK },
    ];
    sim.controller.resync();
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "i-a": 1, "i-b": 1 });
    expect(sim.servers.find(({ address }) => address === "i-user")).toMatchObject({ weight: 3 });
});

test("backends are added before others are removed", async () => {
    const sim = new Simulation();
    sim.cluster(podSpec({ drainSeconds: 0 }), [node("a")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    sim.calls.length = 0;
    sim.put("slice", slice(endpoint("10.0.0.2", "a")));
    await sim.settle();
    expect(sim.calls).toStrictEqual(["findEnis", "add", "remove"]);
});

test("a terminating endpoint drains, and is removed when its time is over", async () => {
    const sim = new Simulation();
    sim.cluster(
        podSpec({ drainSeconds: 30 }),
        [node("a")],
        slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "a")),
    );
    await sim.settle();
    sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "a", "draining")));
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 0 });
    expect(sim.statuses.at(-1)).toMatchObject({ backends: { total: 2, draining: 1 } });
    await sim.pass(30_000);
    expect(sim.weights()).toStrictEqual({ "10.0.0.1:8080": 100 });
});

test("a rollout with graceful-shutdown: a terminating pod keeps weight 0 until it is gone", async () => {
    const sim = new Simulation();
    sim.cluster(podSpec({ gracefulShutdown: true, drainSeconds: 1 }), [node("a")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    sim.put("slice", slice(endpoint("10.0.0.1", "a", "draining"), endpoint("10.0.0.2", "a")));
    await sim.settle();
    await sim.pass(20_000);
    expect(sim.weights()).toStrictEqual({ "10.0.0.1:8080": 0, "10.0.0.2:8080": 100 });
    expect(sim.statuses.at(-1)).toMatchObject({ backends: { total: 2, draining: 1 } });
    sim.put("slice", slice(endpoint("10.0.0.2", "a")));
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "10.0.0.2:8080": 100 });
    expect(sim.statuses.at(-1)).toMatchObject({ backends: { total: 1, draining: 0 } });
});

test("an outage is reported with a remedy and retried with growing waits until the end", async () => {
    const sim = new Simulation();
    const tries: number[] = [];
    sim.wait = () => Promise.resolve(void tries.push(sim.clock.now()));
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    let failures = 3;
    sim.fault = () =>
        failures-- > 0
            ? new CloudError({
                  action: "Add",
                  code: "ServiceUnavailable",
                  message: "",
                  kind: "unavailable",
                  attempts: 1,
                  httpStatus: 503,
              })
            : undefined;
    await sim.settle();
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason: "CloudUnavailable" }] });
    expect(sim.events.map(({ reason }) => reason)).toContain("SyncLoadBalancerFailed");
    await sim.pass(60_000);
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "True" }] });
    expect([...new Set(tries)]).toStrictEqual([0, 1000, 3000, 7000]);
});

test("reading the group again finds a call that succeeded but whose answer was lost", async () => {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    let first = true;
    sim.afterwards = () => {
        if (!first) return undefined;
        first = false;
        return new CloudError({ action: "Add", code: "READ_TIMEOUT", message: "", kind: "uncertain", attempts: 1 });
    };
    await sim.settle();
    await sim.pass(5_000);
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "True" }] });
});

test("a missing group or Service and an invalid spec change nothing and give a remedy", async () => {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    sim.remove("service", service());
    await sim.settle();
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason: "ServiceMissing" }] });
    sim.put("service", service());
    sim.bind({ ...spec(), backendType: "both" } as never);
    await sim.settle();
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason: "InvalidSpec" }] });
    sim.bind(spec());
    sim.gone = true;
    sim.controller.resync();
    await sim.settle();
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason: "ServerGroupMissing" }] });
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
});

test("of two bindings for the backends of one Service in one group the older one counts", async () => {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    sim.bind(spec({ externalTrafficPolicy: "Cluster" }), "younger", "2026-02-01T00:00:00Z");
    await sim.settle();
    expect(sim.weights()).toStrictEqual({ "i-a": 1 });
    expect(sim.statuses.at(-1)).toMatchObject({ conditions: [{ status: "False", reason: "Conflict" }] });
});

test("a binding that is being deleted is not worked on any more, though it is still there", async () => {
    const sim = new Simulation();
    sim.cluster(spec(), [node("a"), node("b")], slice(endpoint("10.0.0.1", "a")));
    await sim.settle();
    const before = sim.weights();
    const made = binding(spec());
    sim.put("binding", { ...made, metadata: { ...made.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
    await sim.settle();
    expect(sim.weights()).toStrictEqual(before);
});

test("a binding that goes while its group waits for its turn changes nothing any more", async () => {
    const sim = new Simulation();
    const { promise: free, resolve } = Promise.withResolvers<void>();
    sim.wait = (call) => (call === "add" ? free : Promise.resolve());
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    const others = Array.from({ length: 16 }, (_, n) => `rsp-${n + 2}`);
    for (const id of others) sim.bind(spec({ serverGroup: { id, type: "VServer" } }), id);
    while (sim.calls.filter((call) => call === "add").length < 16) await sim.wait("");
    sim.remove("binding", binding(spec({ serverGroup: { id: "rsp-17", type: "VServer" } }), "rsp-17"));
    resolve();
    await sim.settle();
    expect(sim.calls.filter((call) => call === "add")).toHaveLength(16);
});

test("nothing is written without the lease", async () => {
    const sim = new Simulation();
    sim.leads = false;
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    sim.controller.resync();
    await sim.settle();
    expect(sim.calls).toStrictEqual([]);
});

test("readiness gates are set once the group has the pod, and say no where it cannot", async () => {
    const sim = new Simulation();
    sim.cluster(
        podSpec(),
        [node("a")],
        slice(endpoint("10.0.0.1", "a", "waiting"), endpoint("10.0.0.9", "a", "waiting")),
    );
    sim.put("pod", gatedPod("10.0.0.1"));
    await sim.settle();
    expect(sim.conditions).toStrictEqual([["pod-10.0.0.1", "True", "ServerRegistered"]]);
    sim.unreachable.add("10.0.0.9");
    sim.put("pod", gatedPod("10.0.0.9"));
    await sim.settle();
    expect(sim.conditions.at(-1)).toStrictEqual(["pod-10.0.0.9", "False", "ServerInvalidServer"]);
    expect(sim.events.map(({ reason }) => reason)).toContain("SkipSyncBackends");
    sim.unreachable.clear();
    await sim.pass(10_000);
    expect(sim.conditions.at(-1)).toStrictEqual(["pod-10.0.0.9", "True", "ServerRegistered"]);
    expect(sim.weights()).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.9:8080": 100 });
});

test.each(["name", "findEnis", "add"])(
    "no gate is set before the group has the pod, which becomes ready during the call %s",
    async (during) => {
        const sim = new Simulation();
        const added = during === "name" ? ["10.0.0.1"] : [];
        sim.servers.push(...added.map((address) => ({ address, port: 8080, weight: 100, mark: MARK })));
        const early: unknown[] = [];
        sim.fault = (call) => {
            const isAdded = sim.servers.some(({ address }) => address === "10.0.0.2");
            if (!isAdded) early.push(...sim.conditions.filter(([name]) => name === "pod-10.0.0.2"));
            if (call === during) sim.put("pod", gatedPod("10.0.0.2"));
            return undefined;
        };
        sim.cluster(podSpec(), [node("a")], slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "a", "waiting")));
        sim.put("pod", gatedPod("10.0.0.2", false));
        await sim.settle();
        expect(early).toStrictEqual([]);
        expect(sim.conditions).toStrictEqual([["pod-10.0.0.2", "True", "ServerRegistered"]]);
    },
);

test("a binding that conflicts with an older one holds no readiness gate", async () => {
    const sim = new Simulation();
    sim.cluster(podSpec(), [node("a")], slice(endpoint("10.0.0.1", "a", "waiting")));
    sim.bind(podSpec(), "younger", "2026-02-01T00:00:00Z");
    await sim.settle();
    sim.put("pod", gatedPod("10.0.0.1"));
    await sim.settle();
    expect(sim.conditions).toStrictEqual([["pod-10.0.0.1", "True", "ServerRegistered"]]);
});

test("a change of several groups of a Service is one event of the Service", async () => {
    const sim = new Simulation();
    const other = spec({ serverGroup: { id: "rsp-2", type: "VServer" } });
    sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
    sim.bind(other, "web-other");
    await sim.settle();
    sim.events.length = 0;
    sim.put("node", node("b"));
    sim.put("slice", slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b")));
    await sim.settle();
    expect(sim.events.map(({ reason, message }) => `${reason}: ${message}`)).toStrictEqual([
        "SyncedBackends: Synced backends: + b (i-b) weight 1",
    ]);
});

test.each([
    ["Forbidden.RAM", "final", 403, /the RAM role of the controller .*docs\/sync\.md/],
    ["Throttling.User", "throttled", 400, /Remedy: none needed: the controller tries again, with fewer calls/],
] as const)(
    "the remedy of a call that fails with %s is that of the controller",
    async (code, kind, httpStatus, remedy) => {
        const sim = new Simulation();
        sim.cluster(spec(), [node("a")], slice(endpoint("10.0.0.1", "a")));
        sim.fault = () => new CloudError({ action: "Add", code, message: "", kind, attempts: 1, httpStatus });
        await sim.settle();
        const message = sim.events.find(({ reason }) => reason === "SyncLoadBalancerFailed")?.message ?? "";
        expect(message).toMatch(remedy);
        expect(message).not.toMatch(/Pulumi|pulumi up|ram-policy/);
    },
);
