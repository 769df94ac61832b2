/**
 * Creations whose call the cloud refuses once for its rate.
 * Only a run shows which of the plugins and the engine repeats a refused call.
 *
 * Requirements: D34.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Session } from "../../lab";
import { assertEmpty, stateOf } from "../support/cloud-state";
import { onTestFinished } from "../support/finished";
import { Stack, startWorld } from "../support/world";

let session: Session;

beforeAll(async () => void (session = await startWorld({ isResident: true })));

afterAll(() => session.lab.stop());

/** Creates a Service while the cloud refuses a call of an action, and counts the objects. */
async function createDespite(action: string): Promise<{ stack: Stack; objects: Record<string, number> }> {
    const stack = await Stack.create(session, `throttled-${action.toLowerCase()}`, [{ name: "web" }]);
    onTestFinished(() => stack.clear());
    await session.cloud("/_faults", { action, code: "Throttling.User", times: 1 });
    const result = await stack.up();
    const hits = (await session.cloud<{ hits: number }[]>("/_faults")).map((fault) => fault.hits);
    await session.cloud("/_faults", undefined, "DELETE");
    stack.succeed(result);
    expect(hits).toEqual([1]);
    const { loadBalancers, listeners, vServerGroups } = (await stateOf(session)).slb;
    const objects = { instances: loadBalancers.length, listeners: listeners.length, groups: vServerGroups.length };
    return { stack, objects };
}

for (const action of ["CreateVServerGroup", "CreateLoadBalancerTCPListener"])
    test(`after a refused ${action} the same run completes and the next one has no changes`, async () => {
        const { stack, objects } = await createDespite(action);
        expect(objects).toEqual({ instances: 1, listeners: 1, groups: 1 });
        stack.succeed(await stack.preview("--expect-no-changes"));
        await stack.remove();
        assertEmpty(await stateOf(session));
    });

// The engine would update what a failed creation has made, and the plugin cannot.
for (const action of ["SetVServerGroupAttribute", "StartLoadBalancerListener", "SetLoadBalancerTCPListenerAttribute"])
    test(`after a refused ${action} the next run completes`, async () => {
        const stack = await Stack.create(session, `throttled-${action.toLowerCase()}`, [{ name: "web" }]);
        onTestFinished(() => stack.clear());
        await session.cloud("/_faults", { action, code: "Throttling.User", times: 99 });
        // A second try would remove what was made, and then update it.
        expect(stack.fail(await stack.up())).not.toMatch(/did not exist/);
        await session.cloud("/_faults", undefined, "DELETE");
        stack.succeed(await stack.up());
        const { loadBalancers, vServerGroups, listeners } = (await stateOf(session)).slb;
        expect([loadBalancers.length, vServerGroups.length]).toStrictEqual([1, 1]);
        expect(listeners.map(({ status }) => status)).toStrictEqual(["running"]);
        stack.succeed(await stack.up());
        stack.succeed(await stack.preview("--expect-no-changes"));
        await stack.remove();
        assertEmpty(await stateOf(session));
    });
