/**
 * Creations whose call the cloud refuses once for its rate.
 * Only a run shows which of the plugins and the engine repeats a refused call.
 *
 * Requirements: D34.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session } from "../../lab";
import { assertEmpty, stateOf } from "../support/cloud-state";
import { forget } from "../support/forget";
import { Stack, startWorld } from "../support/world";

let session: Session;

let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "throttled", []);
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

const CREATIONS = ["CreateVServerGroup", "CreateLoadBalancerTCPListener"];

/** Second calls of creations, each of another Service. The engine updates what a failed one has made, not the plugin. */
const SECOND_CALLS = [
    { action: "SetVServerGroupAttribute", match: { VServerGroupName: "/.group./" } },
    { action: "StartLoadBalancerListener", match: { ListenerPort: "81" } },
    { action: "SetLoadBalancerTCPListenerAttribute", match: { ListenerPort: "82" } },
];

/** Runs the stack while the cloud refuses calls for their rate, and counts the refusals. */
async function upDespite(faults: readonly object[], ...flags: string[]) {
    await session.cloud(
        "/_faults",
        faults.map((fault) => ({ code: "Throttling.User", ...fault })),
    );
    const result = await stack.up(...flags);
    const hits = (await session.cloud<{ hits: number }[]>("/_faults")).map((fault) => fault.hits);
    await session.cloud("/_faults", undefined, "DELETE");
    return { result, hits };
}

test("after a refused CreateVServerGroup the same run completes and the next one has no changes", async () => {
    stack.write([{ name: "web" }]);
    const faults = CREATIONS.map((action) => ({ action, times: 1 }));
    const { result, hits } = await upDespite(faults);
    stack.succeed(result);
    expect(hits).toEqual([1, 1]);
    const { loadBalancers, listeners, vServerGroups } = (await stateOf(session)).slb;
    const objects = { instances: loadBalancers.length, listeners: listeners.length, groups: vServerGroups.length };
    expect(objects).toEqual({ instances: 1, listeners: 1, groups: 1 });
    stack.succeed(await stack.preview("--expect-no-changes"));
});

test("after refused second calls of creations the next run completes", async () => {
    const services = ["group", "start", "options"].map((name, index) => ({ name, ports: [{ port: 80 + index }] }));
    stack.write(services);
    const faults = SECOND_CALLS.map((fault) => ({ ...fault, times: 99 }));
    // Without the flag the first failure keeps the others from being reached.
    const { result, hits } = await upDespite(faults, "--continue-on-error");
    // A second try would remove what was made, and then update it.
    expect(stack.fail(result)).not.toMatch(/did not exist/);
    expect(hits.filter((count) => count > 0)).toHaveLength(SECOND_CALLS.length);
    stack.succeed(await stack.up());
    const { loadBalancers, vServerGroups, listeners } = (await stateOf(session)).slb;
    expect([loadBalancers.length, vServerGroups.length]).toStrictEqual([3, 3]);
    expect(listeners.map(({ status }) => status)).toStrictEqual(["running", "running", "running"]);
    stack.succeed(await stack.up());
    stack.succeed(await stack.preview("--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});
