/** Creations that the cloud refuses halfway: the next plain `up` completes the instance with its ownership tags. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { onTestFinished } from "../support/finished";
import { assertEmpty, Stack, startWorld, stateOf } from "../support/world";

let session: Session;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
});

afterAll(async () => {
    await session.lab.stop();
});

const FAULTS = [
    [
        "is not available while it waits for the instance",
        "DescribeLoadBalancerAttribute",
        { code: "ServiceUnavailable", status: 503 },
    ],
    ["throttles while it waits for the instance", "DescribeLoadBalancerAttribute", { code: "Throttling.User" }],
    ["refuses to tag the instance", "TagResources", { code: "Forbidden.RAM", status: 403 }],
] as const;

for (const [index, [what, action, fault]] of FAULTS.entries()) {
    test(`a CLB has its ownership tags after the next up, where the cloud ${what}`, async () => {
        const stack = await Stack.create(session, `halfway-${index}`, [{ name: "web" }]);
        onTestFinished(() => stack.clear());
        await session.cloud("/_faults", { action, ...fault, times: 999 });
        stack.fail(await stack.up());
        await session.cloud("/_faults", undefined, "DELETE");
        stack.succeed(await stack.up());
        const { loadBalancers } = (await stateOf(session)).slb;
        expect(loadBalancers.map(({ tags }) => Object.keys(tags).sort())).toStrictEqual([
            ["ack.aliyun.com", "kubernetes.do.not.delete"],
        ]);
        stack.succeed(await stack.preview("--expect-no-changes"));
        stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
        await stack.remove();
        assertEmpty(await stateOf(session));
    });
}
