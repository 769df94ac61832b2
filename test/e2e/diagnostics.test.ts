/**
 * Errors that the alicloud plugin raises: the run shows them as they come, and beneath them cause, remedy and document.
 * Only a run shows what the CLI prints of an error that a plugin raises.
 *
 * Requirements: B36, G22, G23, G27, G28, G30.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { diagnose } from "../../provider/cloud";
import { found } from "../support/found";
import { Stack, startWorld, stateOf } from "../support/world";

/** Errors of the cloud and their diagnostics for the user. Source of the texts: "FAQ about Services", error table. */
const REFUSALS = [
    { action: "CreateLoadBalancer", code: "ORDER.ARREARAGE", message: "The account is arrearage.", finding: "arrears" },
    {
        action: "CreateLoadBalancer",
        code: "PAY.INSUFFICIENT_BALANCE",
        message: "Your account does not have enough balance.",
        finding: "balance",
    },
    {
        action: "CreateLoadBalancer",
        code: "ShareSlbHaltSales",
        message: "The share instance has been discontinued.",
        finding: "shared-instance-discontinued",
    },
    {
        action: "CreateLoadBalancer",
        code: "VSwitchAvailableIpNotExist",
        message: "The specified VSwitch has no available ip.",
        finding: "vswitch-full",
    },
    {
        action: "CreateLoadBalancer",
        code: "InvalidVSwitchId.NotFound",
        message: "The specified VSwitch does not exist.",
        finding: "vswitch-missing",
    },
    {
        action: "CreateVServerGroup",
        code: "NetworkConflict",
        message: "The network is in conflict.",
        finding: "other-vpc",
    },
];

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "diagnostics", [{ name: "web", ports: [{ port: 443 }] }]);
});

afterAll(async () => {
    await stack.clear();
    await session.lab.stop();
});

for (const { action, code, message, finding } of REFUSALS) {
    test(`${code} of ${action}: the run shows cause, remedy and document`, async () => {
        const { cause, remedy, source: document } = found(diagnose({ code, message }), code);
        await session.cloud("/_faults", { action, code, message, times: 1 });
        const text = stack.fail(await stack.up());
        expect(diagnose({ code, message })?.code).toBe(finding);
        for (const part of [code, `cause: ${cause}`, `remedy: ${remedy}`, `see: ${document}`]) {
            expect(text).toContain(part);
        }
    });
}

test("once the error is gone, the next run completes the change", async () => {
    await session.cloud("/_faults", undefined, "DELETE");
    stack.succeed(await stack.up());
    expect((await stateOf(session)).slb.listeners).toHaveLength(1);
});
