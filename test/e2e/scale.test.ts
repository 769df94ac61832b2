/**
 * Reads of the cluster and quotas of the account, which many Services of a stack share.
 * Only a run shows which reads the resources of a stack share.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session } from "../../lab";
import { forget } from "../support/forget";
import { pattern } from "../support/pattern";
import { callsOf, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const COUNT = 6;

const SERVICES: readonly ServiceSpec[] = Array.from({ length: COUNT }, (_, index) => ({
    name: `shop-${index}`,
    policy: "Local",
    selector: "shop",
}));

let session: Session;
let stack: Stack;
/** Stack of the second folder, once it exists. */
let other: Stack | undefined;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "scale", SERVICES);
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack, ...(other === undefined ? [] : [other]));
});

/** Requests of this package's clients that the API server has answered, by resource and verb. */
async function requests(run: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await counters();
    await run();
    const after = await counters();
    return Object.fromEntries(
        [...after]
            .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
            .filter(([, more]) => more > 0),
    );
}

/** A counter of list and get requests in the metrics of the API server. */
const READ = pattern(
    /^apiserver_request_total\{.*resource="(services|endpointslices)",scope="(\w+)",/,
    /.*verb="(GET|LIST)".*\} (\d+)/,
);

async function counters(): Promise<Map<string, number>> {
    const { text } = await session.run("kubectl", ["get", "--raw", "/metrics"]);
    const found = new Map<string, number>();
    for (const line of text.split("\n")) {
        const [, resource, scope, verb, count] = READ.exec(line) ?? [];
        if (resource === undefined) continue;
        const name = `${verb ?? ""} ${resource} ${scope ?? ""}`;
        found.set(name, (found.get(name) ?? 0) + Number(count));
    }
    return found;
}

test("preview refuses Services that exceed the account's quotas, once and with numbers", async () => {
    await session.cloud("/_config", { quotas: { loadBalancers: 4 } });
    const calls = await callsOf(session, async () => {
        // A process: what fails in a resident program is shown once more for each promise that it fails.
        const text = stack.fail(await session.start("pulumi", stack.commandLine("preview")).done);
        expect(text).toMatch(/the account has no room for these Services; nothing was changed/);
        expect(text).toMatch(/6 are to be made, and there are 0; the account may have 4/);
        expect(text).toMatch(/slb_quota_instances_num raised to at least 6/);
        expect(text.match(/slb_quota_instances_num\)/g)).toHaveLength(1);
    });
    expect(Object.keys(calls).sort()).toStrictEqual(["DescribeLoadBalancers", "ListProductQuotas"]);
    expect((await session.run("kubectl", ["get", "services", "--output", "name"])).text).not.toMatch(/shop-/);
});

test("without permission to read quotas a run warns and continues", async () => {
    await session.cloud("/_faults", { action: "ListProductQuotas", code: "NoPermission", status: 403, times: 100 });
    await session.cloud("/_config", { quotas: { loadBalancers: 30 } });
    try {
        stack.succeed(await stack.preview());
        stack.write(Array.from({ length: 31 }, (_, index) => ({ ...SERVICES[0]!, name: `shop-${index}` })));
        expect(stack.succeed(await stack.preview())).toMatch(
            /warning: \[quota\].*31 are to be made, and there are 0; the published default is 30/,
        );
    } finally {
        stack.write(SERVICES);
        await session.cloud("/_faults", undefined, "DELETE");
    }
});

test("a run without changes makes no cloud call, and lists Services and endpoints once each", async () => {
    stack.succeed(await stack.up());
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(COUNT);
    const calls = await callsOf(session, async () => {
        const asked = await requests(async () => stack.succeed(await stack.up("--expect-no-changes")));
        const { "LIST services namespace": services, "LIST endpointslices namespace": slices, ...others } = asked;
        // The control plane's own parts list now and then as well, but get nothing by name.
        expect([services, slices].every((count) => count !== undefined && count < COUNT)).toBe(true);
        expect(others["GET services resource"] ?? 0).toBeLessThan(COUNT);
    });
    expect(calls).toStrictEqual({});
});

/** Moves each Service as docs/scale.md says. */
async function move(from: Stack, into: Stack, services: readonly string[]): Promise<void> {
    const urns = services.map(
        (service) =>
            `urn:pulumi:${from.name}::ack-loadbalancer::ack-loadbalancer:index:ServiceLoadBalancer::${service}`,
    );
    for (const urn of urns) {
        from.succeed(await from.command("state", "move", "--source", from.name, "--dest", into.name, "--yes", urn));
    }
}

test("a Service moves between stacks without a call to the cloud", async () => {
    const keys = SERVICES.map(({ name }) => `default/${name}`);
    const moving = keys.slice(0, 2);
    other = await Stack.create(session, "scale-other", SERVICES.slice(0, 2));
    const before = await stateOf(session);
    await move(stack, other, moving);
    stack.write(SERVICES.slice(2));
    const calls = await callsOf(session, async () => {
        other!.succeed(await other!.up());
        stack.succeed(await stack.up("--expect-no-changes"));
    });
    expect(calls).toStrictEqual({});
    expect(await stateOf(session)).toStrictEqual(before);

    await other.remove();
    other = undefined;
    expect((await stateOf(session)).slb.loadBalancers).toHaveLength(keys.length - moving.length);
    const left = (await session.run("kubectl", ["get", "services", "--output", "name"])).text;
    for (const key of keys) expect(left.includes(key.slice("default".length))).toBe(!moving.includes(key));
});
