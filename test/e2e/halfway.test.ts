/**
 * Creations and changes of backends that the cloud refuses halfway: the next plain `up` completes them.
 * Only a run shows which state a refused creation leaves, and what the next run makes of it.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { onTestFinished } from "../support/finished";
import { WHOLE } from "../support/sample";
import { assertEmpty, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

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

const NLB = {
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
} as const;

const ENDS = ["its manifest is taken away", "the stack is destroyed"] as const;

/** Calls that fail for good in a creation, and leave an instance with its protections on. */
const LEFT: readonly (readonly [kind: string, spec: Omit<ServiceSpec, "name">, action: string])[] = [
    ["CLB", {}, "TagResources"],
    ["CLB", {}, "CreateVServerGroup"],
    ["CLB with a name", { annotations: { name: "front" } }, "TagResources"],
    ["CLB with source ranges", { sourceRanges: ["10.0.0.0/8"] }, "AddAccessControlListEntry"],
    ["NLB", NLB, "CreateListener"],
    ["NLB with source ranges", { ...NLB, sourceRanges: ["10.0.0.0/8"] }, "LoadBalancerJoinSecurityGroup"],
];

for (const [index, [kind, spec, action]] of LEFT.entries())
    for (const end of WHOLE ? ENDS : ENDS.slice(index % 2, (index % 2) + 1)) {
        test(`a ${kind} whose creation fails at ${action} goes where ${end}`, async () => {
            const stack = await Stack.create(session, `left-${index}-${end.length}`, [{ name: "web", ...spec }]);
            onTestFinished(() => stack.clear());
            await session.cloud("/_faults", { action, code: "Forbidden.RAM", status: 403, times: 999 });
            stack.fail(await stack.up());
            await session.cloud("/_faults", undefined, "DELETE");
            stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
            stack.succeed(await (end === "the stack is destroyed" ? stack.destroy() : stack.up()));
            assertEmpty(await stateOf(session));
        });
    }

for (const [kind, spec, action, code] of [
    ["CLB", {}, "DeleteLoadBalancer", "ServiceIsConfiguring"],
    ["NLB", NLB, "DeleteLoadBalancer", "ResourceInConfiguring.loadbalancer"],
    ["NLB", NLB, "UpdateLoadBalancerProtection", "Conflict.Lock"],
] as const)
    test(`a destroy waits for a busy ${kind}: ${action} answers ${code}`, async () => {
        const stack = await Stack.create(session, `busy-${action.length}-${kind.toLowerCase()}`, [
            { name: "web", ...spec },
        ]);
        onTestFinished(() => stack.clear());
        stack.succeed(await stack.up());
        await session.cloud("/_faults", { action, code, status: 400, times: 2 });
        stack.succeed(await stack.destroy());
        assertEmpty(await stateOf(session));
    });

const PARTS: readonly (readonly [what: string, action: string, of: (part: number) => Omit<ServiceSpec, "name">])[] = [
    [
        "backends",
        "RemoveVServerGroupBackendServers",
        (part) => ({ annotations: { "backend-label": `only=node-${part}` } }),
    ],
    ["source ranges", "RemoveAccessControlListEntry", (part) => ({ sourceRanges: [`10.${part}.0.0/16`] })],
];

for (const [what, action, of] of PARTS) {
    test(`${what} that a failed run has added leave with the next up, if that does not want them`, async () => {
        for (const node of ["node-1", "node-2", "node-3"])
            await session.run("kubectl", ["label", "node", node, `only=${node}`, "--overwrite"]);
        const observe = async () => {
            const { vServerGroups, acls } = (await stateOf(session)).slb;
            return [
                ...vServerGroups.flatMap(({ backends }) => backends.map(({ serverId }) => serverId)),
                ...acls.flatMap(({ entries }) => Object.keys(entries)),
            ];
        };
        const stack = await Stack.create(session, action.toLowerCase(), [{ name: "web", ...of(1) }]);
        onTestFinished(() => stack.clear());
        stack.succeed(await stack.up());
        const first = await observe();
        await session.cloud("/_faults", { action, code: "Forbidden.RAM", status: 403, times: 99 });
        stack.write([{ name: "web", ...of(2) }]);
        expect(stack.fail(await stack.up())).toMatch(new RegExp(action));
        await session.cloud("/_faults", undefined, "DELETE");
        expect(await observe()).toHaveLength(first.length + 1);
        stack.write([{ name: "web", ...of(1) }]);
        stack.succeed(await stack.up());
        expect(await observe()).toStrictEqual(first);
        stack.succeed(await stack.preview("--expect-no-changes"));
        stack.write([{ name: "web", ...of(3) }]);
        stack.succeed(await stack.up());
        expect(await observe()).toHaveLength(first.length);
        await stack.remove();
        assertEmpty(await stateOf(session));
    });
}
