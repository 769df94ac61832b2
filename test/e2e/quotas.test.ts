/**
 * Runs that reach the account's write quotas: refused calls are retried, and the runs complete.
 * Only a run shows how two runs at once share a quota.
 *
 * Requirements: D34.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session } from "../../lab";
import { forget } from "../support/forget";
import { type ServiceSpec, Stack, startWorld } from "../support/world";

/** Writes of an action that the cloud allows, fewer than the runs make. */
const ALLOWED = { calls: 6, seconds: 5 };

/** Second calls of a creation, which neither plugin nor engine can repeat: what they leave waits for the next run. */
const SECOND_CALLS = {
    "Slb.SetVServerGroupAttribute": { calls: 60, seconds: ALLOWED.seconds },
    "Slb.SetLoadBalancerTCPListenerAttribute": { calls: 60, seconds: ALLOWED.seconds },
    "Slb.StartLoadBalancerListener": { calls: 60, seconds: ALLOWED.seconds },
};

/** Has the cloud refuse some calls of an action: on a slow machine all may stay below the rate. */
const refuseSome = (action: string) =>
    session.cloud("/_faults", [{ action, code: "Throttling.User", skip: 2, times: 3 }]);

const LIMITED = { "Slb.write": ALLOWED, "Nlb.write": ALLOWED };

/** Services of the first stack, of the second, and those of the second with an NLB. */
const [SHOPS, EDGES, NLBS] = [3, 2, 3];

const PORTS = [{ port: 80 }, { port: 443 }];

const clb = (prefix: string, count: number, scheduler: string): ServiceSpec[] =>
    Array.from({ length: count }, (_, index) => ({
        name: `${prefix}-${index}`,
        policy: "Local",
        ports: PORTS,
        annotations: { scheduler },
    }));

const nlb = (count: number): ServiceSpec[] =>
    Array.from({ length: count }, (_, index) => ({
        name: `nlb-${index}`,
        policy: "Local",
        loadBalancerClass: "alibabacloud.com/nlb",
        ports: PORTS,
        annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
    }));

interface Write {
    readonly product: string;
    readonly action: string;
    readonly form: string;
    readonly code: string;
    readonly time: string;
}

let session: Session;
const stacks: Stack[] = [];

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_config", { rateLimits: { ...LIMITED, ...SECOND_CALLS } });
    stacks.push(await Stack.create(session, "quotas", clb("shop", SHOPS, "wrr")));
    stacks.push(await Stack.create(session, "quotas-other", clb("edge", EDGES, "wrr")));
});

afterAll(async () => {
    await session.lab.stop();
    forget(...stacks);
});

/** Writes that runs of all stacks at once make. */
async function writesOf(...flags: string[]): Promise<Write[]> {
    const since = await session.lastCall();
    const runs = stacks.map((stack) =>
        stack.run("up", ["--yes", "--skip-preview", ...flags]).then((result) => stack.succeed(result)),
    );
    // Both runs end before one of them fails the test, or it would be taken down while the other goes on.
    for (const run of await Promise.allSettled(runs)) if (run.status === "rejected") throw run.reason;
    const calls = (await session.calls(since)) as unknown as (Write & { mutating: boolean; origin: string })[];
    return calls.filter(({ mutating, origin }) => mutating && origin === "api");
}

/** Expects that some writes were refused for their rate. */
const expectRefused = (writes: readonly Write[]): void =>
    expect(writes.filter(({ code }) => code.startsWith("Throttling"))).not.toEqual([]);

const accepted = (writes: readonly Write[], name: string): Write[] =>
    writes.filter(({ action, code }) => action === name && code === "OK");

/** Number of objects created and not deleted: a creation with a refused later call is deleted, then repeated. */
const kept = (writes: readonly Write[], create: string, remove: string): number =>
    accepted(writes, create).length - accepted(writes, remove).length;

test("two runs at once create their Services although the cloud refuses calls for their rate", async () => {
    await refuseSome("CreateVServerGroup");
    const writes = await writesOf();
    expectRefused(writes);
    expect(accepted(writes, "CreateLoadBalancer")).toHaveLength(SHOPS + EDGES);
    const listeners = (SHOPS + EDGES) * PORTS.length;
    expect(kept(writes, "CreateVServerGroup", "DeleteVServerGroup")).toBe(listeners);
    expect(kept(writes, "CreateLoadBalancerTCPListener", "DeleteLoadBalancerListener")).toBe(listeners);
    expect(accepted(writes, "AddVServerGroupBackendServers")).toHaveLength(listeners);
});

test("two runs at once update every listener although the cloud refuses calls for their rate", async () => {
    await session.cloud("/_config", { rateLimits: LIMITED });
    await refuseSome("SetLoadBalancerTCPListenerAttribute");
    stacks[0]?.write(clb("shop", SHOPS, "sch"));
    stacks[1]?.write([...clb("edge", EDGES, "sch"), ...nlb(NLBS)]);
    const writes = await writesOf();
    expectRefused(writes);
    expect(accepted(writes, "SetLoadBalancerTCPListenerAttribute")).toHaveLength((SHOPS + EDGES) * PORTS.length);
    expect(accepted(writes, "CreateListener")).toHaveLength(NLBS * PORTS.length);
    const [, mixed] = stacks;
    mixed?.succeed(await mixed.preview("--refresh", "--expect-no-changes"));
});
