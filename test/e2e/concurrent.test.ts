/**
 * Events during a run: another run of its stack, a run of another stack on the same instance, console edits, an API
 * server outage, and stale reads of the cloud.
 * Only a run shows what a run does about what happens while it is under way.
 *
 * clusters.test.ts tests the refusal by name, at preview, of two stacks that claim the same Service.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { applyYaml, type Result, scaleDeployment, type Session, waitFor, waitForDeployment } from "../../lab";
import { onTestFinished } from "../support/finished";
import { Gate } from "../support/gate";
import { assertEmpty, deploymentYaml, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const WEB: ServiceSpec = { name: "web", policy: "Local" };
const ID = "lb-users";

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(() => session.lab.stop());

async function stackOf(name: string, services: readonly ServiceSpec[]): Promise<Stack> {
    const stack = await Stack.create(session, name, services);
    onTestFinished(() => stack.clear());
    return stack;
}

/** Holds the first call of an action that a run makes, and lets the run go on once something else is done. */
async function during(action: string, run: () => Promise<Result>, meanwhile: () => unknown): Promise<Result> {
    const { ids } = await session.cloud<{ ids: string[] }>("/_faults", { action, hold: true, times: 1 });
    const id = ids[0] ?? "";
    const running = run();
    const ended = running.then(({ text }) => {
        throw new Error(`the run ended without ${action}: ${text}`);
    });
    // It ends after the call in every case but a mistake of the test.
    ended.catch(() => undefined);
    try {
        await Promise.race([underWay(action, id), ended]);
        await meanwhile();
    } finally {
        await session.cloud(`/_faults?id=${id}`, undefined, "DELETE");
    }
    return running;
}

const underWay = (action: string, id: string) =>
    waitFor(
        `${action} under way`,
        async () => {
            const faults = await session.cloud<{ fault: { id: string }; hits: number }[]>("/_faults");
            return faults.some(({ fault, hits }) => fault.id === id && hits === 1) ? true : undefined;
        },
        { timeout: 300_000 },
    );

/** Does something in the console, as somebody whom modification protection does not hold back. */
const console = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });

const slb = async () => (await stateOf(session)).slb;
const listeners = async () =>
    (await slb()).listeners
        .map(({ protocol, port, attributes }) => `${protocol}:${port} ${String(attributes["Description"])}`)
        .sort();
const members = async (service: string) =>
    (await slb()).vServerGroups.find(({ name }) => name.includes(`/${service}/`))?.backends.map(({ weight }) => weight);

/** An instance of a user, with a listener and a tag, on which Services are to be. */
async function seedInstance(): Promise<void> {
    await session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                id: ID,
                params: {
                    LoadBalancerName: ID,
                    AddressType: "internet",
                    InstanceChargeType: "PayByCLCU",
                    "Tag.1.Key": "team",
                    "Tag.1.Value": "users",
                },
            },
            {
                action: "CreateVServerGroup",
                id: "rsp-users",
                params: { LoadBalancerId: ID, VServerGroupName: "users" },
            },
            {
                action: "CreateLoadBalancerTCPListener",
                params: {
                    LoadBalancerId: ID,
                    ListenerPort: "9000",
                    Bandwidth: "-1",
                    VServerGroupId: "rsp-users",
                    Description: "users' own",
                },
            },
        ],
    });
}

const on = (name: string, port: number): ServiceSpec => ({
    name,
    policy: "Local",
    ports: [{ port }],
    annotations: { id: ID, "force-override-listeners": "true" },
});

const tags = async () => (await slb()).loadBalancers.find(({ id }) => id === ID)?.tags;
const listenerOf = (name: string, port: number) => `tcp:${port} k8s/${port}/${name}/default/c-test`;

/** Stacks on the instance, in the next three tests. */
let one: Stack;
let two: Stack;

test("two stacks on different ports of an instance run at once without affecting each other", async () => {
    await seedInstance();
    one = await Stack.create(session, "one", [on("a", 80)]);
    two = await Stack.create(session, "two", [on("b", 81)]);
    for (const stack of [one, two]) await stack.config("vpcId", "vpc-lab");
    one.succeed(
        await during(
            "CreateLoadBalancerTCPListener",
            () => one.up(),
            async () => two.succeed(await two.up()),
        ),
    );
    expect(await listeners()).toStrictEqual([listenerOf("a", 80), listenerOf("b", 81), "tcp:9000 users' own"]);
    expect([await members("a"), await members("b")]).toStrictEqual([expect.any(Array), expect.any(Array)]);
    const both = await tags();
    expect(both).toMatchObject({ team: "users", "kubernetes.reused.by.user": "true" });

    // Both leave at once, and each has seen the other when it began.
    one.succeed(
        await during(
            "DeleteLoadBalancerListener",
            () => one.destroy(),
            async () => two.succeed(await two.destroy()),
        ),
    );
    expect([await listeners(), await tags()]).toStrictEqual([["tcp:9000 users' own"], { team: "users" }]);

    // A Service leaves while the other comes back.
    one.succeed(await one.up());
    two.succeed(
        await during(
            "CreateLoadBalancerTCPListener",
            () => two.up(),
            async () => one.succeed(await one.destroy()),
        ),
    );
    expect(await listeners()).toStrictEqual([listenerOf("b", 81), "tcp:9000 users' own"]);
    expect(await tags()).toStrictEqual(both);
    two.succeed(await two.up("--refresh", "--expect-no-changes"));
});

test("of two stacks on the same port, the second is refused and the first keeps its listener", async () => {
    one.write([on("c", 90)]);
    two.write([on("d", 90)]);
    const refused = one.fail(
        await during(
            "CreateLoadBalancerTCPListener",
            () => one.up(),
            async () => two.succeed(await two.up()),
        ),
    );
    expect(refused).toMatch(/ListenerAlreadyExists/);
    expect(await listeners()).toStrictEqual([listenerOf("d", 90), "tcp:9000 users' own"]);
    const before = await stateOf(session);
    const since = await session.lastCall();
    expect(one.fail(await one.up())).toMatch(
        /listener tcp:90 of load balancer lb-users belongs to another Service \("k8s\/90\/d\/default\/c-test"\).*Remedy: /s,
    );
    expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
    expect(await stateOf(session)).toStrictEqual(before);
    // The remedy: the port is free once its owner has left it.
    await two.remove();
    one.succeed(await one.up("--refresh"));
    expect(await listeners()).toStrictEqual([listenerOf("c", 90), "tcp:9000 users' own"]);
    one.succeed(await one.destroy());
    expect([await listeners(), await tags()]).toStrictEqual([["tcp:9000 users' own"], { team: "users" }]);
});

test("a listener that a user adds on the Service's port during a run is not replaced", async () => {
    const stack = one;
    onTestFinished(() => stack.clear());
    stack.write([on("e", 91)]);
    const users = { LoadBalancerId: ID, ListenerPort: "91", ListenerProtocol: "tcp" };
    const text = stack.fail(
        await during(
            "CreateVServerGroup",
            () => stack.up(),
            () =>
                console("CreateLoadBalancerTCPListener", {
                    ...users,
                    Bandwidth: "-1",
                    VServerGroupId: "rsp-users",
                    Description: "users' new one",
                }),
        ),
    );
    expect(text).toMatch(/listener tcp:91 of lb-users exists and is not this Service's.*users' new one.*Remedy: /s);
    expect(await listeners()).toStrictEqual(["tcp:9000 users' own", "tcp:91 users' new one"]);
    await console("DeleteLoadBalancerListener", users);
    stack.succeed(await stack.up("--refresh"));
    expect(await listeners()).toStrictEqual(["tcp:9000 users' own", listenerOf("e", 91)]);
    await stack.remove();
    expect([await listeners(), await tags()]).toStrictEqual([["tcp:9000 users' own"], { team: "users" }]);
});

test("a second run is refused by the lock, and edits during a run are drift of the next", async () => {
    await applyYaml(session.lab.cluster, deploymentYaml("edited", 1));
    await waitForDeployment(session.lab.cluster, "default", "edited");
    const stack = await stackOf("edited", [{ ...WEB, selector: "edited" }]);
    const first = await during(
        "CreateVServerGroup",
        () => stack.up(),
        async () => {
            const since = await session.lastCall();
            expect(stack.fail(await stack.destroy())).toMatch(/the stack is currently locked by 1 lock/);
            expect((await session.calls(since)).filter(({ mutating }) => mutating)).toStrictEqual([]);
        },
    );
    stack.succeed(first);
    const [group] = (await slb()).vServerGroups;
    const [instance] = (await slb()).loadBalancers;
    expect(group?.backends).toHaveLength(1);
    await scaleDeployment(session.lab.cluster, "default", "edited", 3);
    await waitForDeployment(session.lab.cluster, "default", "edited");
    await session.cloud("/_seed", { instances: [{ id: "i-users", privateIp: "10.9.9.9" }] });
    const result = await during(
        "AddVServerGroupBackendServers",
        () => stack.up(),
        async () => {
            await console("AddVServerGroupBackendServers", {
                VServerGroupId: group?.id,
                BackendServers: JSON.stringify([{ ServerId: "i-users", Port: "8000", Weight: "70", Type: "ecs" }]),
            });
            await console("SetLoadBalancerTCPListenerAttribute", {
                LoadBalancerId: instance?.id,
                ListenerPort: "80",
                Scheduler: "wlc",
            });
            await console("TagResources", {
                ResourceType: "instance",
                "ResourceId.1": instance?.id,
                "Tag.1.Key": "by",
                "Tag.1.Value": "hand",
            });
        },
    );
    stack.succeed(result);
    expect([...((await members("web")) ?? [])].sort()).toStrictEqual([1, 1, 1, 70]);

    expect(stack.succeed(await stack.up("--refresh", "--diff"))).toMatch(/scheduler/);
    expect((await slb()).listeners[0]?.attributes["Scheduler"]).not.toBe("wlc");
    // A member that a user has added is left alone, in a managed group too.
    expect([...((await members("web")) ?? [])].sort()).toStrictEqual([1, 1, 1, 70]);
});

test("a run waits for a short API server outage, and fails without removals in a long one", async () => {
    const { gate, kubeconfig } = await Gate.open(session);
    onTestFinished(() => gate.close());
    const stack = await stackOf("gone", [WEB]);
    const up = () => stack.run("up", ["--yes", "--skip-preview"], { env: { KUBECONFIG: kubeconfig } });

    const text = stack.fail(
        await during(
            "CreateVServerGroup",
            () => up(),
            () => gate.goAway(),
        ),
    );
    expect(text).toMatch(
        /Kubernetes: .* failed at https:.*: unreachable.*remedy: check that the API server's address/s,
    );
    expect(gate.refused).toBeGreaterThan(0);
    // The cluster was read before anything was made, so the new objects are complete. The address could not be written.
    for (const group of (await slb()).vServerGroups) expect(group.backends).toHaveLength(3);
    gate.comeBack();

    stack.succeed(await up());
    expect(await members("web")).toHaveLength(3);

    // Two members are to go and are there until the cluster says so.
    await scaleDeployment(session.lab.cluster, "default", "shop", 1);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    const before = await slb();
    gate.goAway();
    expect(stack.fail(await up())).toMatch(/unreachable/);
    expect(await slb()).toStrictEqual(before);
    const running = up();
    await waitFor("the run at the gate", async () => (gate.refused > 1 ? true : undefined), { timeout: 300_000 });
    gate.comeBack();
    stack.succeed(await running);
    expect(await members("web")).toHaveLength(1);
    await scaleDeployment(session.lab.cluster, "default", "shop", 4);
    await waitForDeployment(session.lab.cluster, "default", "shop");
    await stack.remove();
});

test("a creation with stale reads completes, at the latest in the next run", async () => {
    const stack = await stackOf("stale", [WEB]);
    await session.cloud("/_faults", { action: "*", mutating: false, stale: true, forMs: 20_000 });
    const first = await stack.up();
    await session.cloud("/_faults", undefined, "DELETE");
    if (first.code !== 0) stack.succeed(await stack.up("--refresh"));
    expect((await slb()).loadBalancers).toHaveLength(1);
    expect(await listeners()).toStrictEqual([listenerOf("web", 80)]);
    expect(await members("web")).toHaveLength(3);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    await stack.remove();
    assertEmpty(await stateOf(session));
});
