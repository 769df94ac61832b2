/** Runs keep to the account's write quotas: the calls of this package and of the alicloud plugin together, in all processes and in two runs at once. Requirements: D34. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session } from "../../lab";
import { actionFor, type Operation, PLUGIN_WRITES, type WrittenNoun } from "../../provider/quotas";
import { type ServiceSpec, Stack, startWorld } from "../support/world";

/** What the cloud allows, and what the runs go by: far less, so that a slow machine does not delay a call out of one window into the next. */
const ALLOWED = { calls: 12, seconds: 5 };
const NAMED = { ACK_LOADBALANCER_WRITE_QUOTAS: "slb=12/15,nlb=12/15" };

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
    await session.cloud("/_config", { rateLimits: { "Slb.write": ALLOWED, "Nlb.write": ALLOWED } });
    stacks.push(await Stack.create(session, "quotas", clb("shop", 5, "wrr")));
    stacks.push(await Stack.create(session, "quotas-other", clb("edge", 4, "wrr")));
});

afterAll(async () => {
    await session.cloud("/_config", { rateLimits: {} });
    for (const stack of stacks) await stack.remove();
    await session.lab.stop();
});

/** Writes that runs of all stacks at once make. */
async function writesOf(...flags: string[]): Promise<Write[]> {
    const since = await session.lastCall();
    const runs = stacks.map((stack) =>
        stack.run("up", ["--yes", "--skip-preview", ...flags], { env: NAMED }).then((result) => stack.succeed(result)),
    );
    // Both runs end before one of them fails the test, or it would be taken down while the other goes on.
    for (const run of await Promise.allSettled(runs)) if (run.status === "rejected") throw run.reason;
    const calls = (await session.calls(since)) as unknown as (Write & { mutating: boolean; origin: string })[];
    return calls.filter(({ mutating, origin }) => mutating && origin === "api");
}

/** How often the alicloud plugin called each action. */
function byThePlugin(writes: readonly Write[], product: string): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { action, form, product: of } of writes)
        if (form !== "V3" && of === product) counts[action] = (counts[action] ?? 0) + 1;
    return counts;
}

/** What the table of its writes foresees for so many of each object. */
function foreseen(type: "clb" | "nlb", operation: Operation, objects: Partial<Record<WrittenNoun, number>>) {
    const counts: Record<string, number> = {};
    for (const [noun, count] of Object.entries(objects))
        for (const action of PLUGIN_WRITES[type][noun as WrittenNoun][operation]) {
            const name = actionFor(action, "tcp");
            counts[name] = (counts[name] ?? 0) + count;
        }
    return counts;
}

const throttled = (writes: readonly Write[]): string[] =>
    writes.filter(({ code }) => code.startsWith("Throttling")).map(({ action }) => action);

test("two runs at once create their Services without a call that the cloud refuses for its rate; the plugin calls what is foreseen", async () => {
    const writes = await writesOf();
    expect(throttled(writes)).toEqual([]);
    expect(byThePlugin(writes, "Slb")).toEqual(foreseen("clb", "create", { instance: 9, listener: 18, group: 18 }));
    expect(writes.filter(({ action }) => action === "AddVServerGroupBackendServers")).toHaveLength(18);
});

test("so do updates, in which each listener changes", async () => {
    stacks[0]?.write(clb("shop", 5, "sch"));
    stacks[1]?.write([...clb("edge", 4, "sch"), ...nlb(7)]);
    const writes = await writesOf();
    expect(throttled(writes)).toEqual([]);
    expect(byThePlugin(writes, "Slb")).toEqual(foreseen("clb", "update", { listener: 18 }));
    expect(byThePlugin(writes, "Nlb")).toEqual(foreseen("nlb", "create", { instance: 7, listener: 14, group: 14 }));
});
