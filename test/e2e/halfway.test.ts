/**
 * Creations and changes of backends that the cloud refuses halfway: the next plain `up` completes them.
 * Only a run shows which state a refused creation leaves, and what the next run makes of it.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { forget } from "../support/forget";
import { WHOLE } from "../support/sample";
import { assertEmpty, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

let session: Session;
/** A stack that each test leaves empty. */
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    stack = await Stack.create(session, "halfway", []);
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
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

test("a CLB whose creation the cloud has refused has its ownership tags after the next up", async () => {
    for (const [index, [what, action, fault]] of FAULTS.entries()) {
        stack.write(FAULTS.slice(0, index + 1).map((_, part) => ({ name: `web-${part}` })));
        await session.cloud("/_faults", { action, ...fault, times: 999 });
        stack.fail(await stack.up());
        await session.cloud("/_faults", undefined, "DELETE");
        stack.succeed(await stack.up());
        const { loadBalancers } = (await stateOf(session)).slb;
        expect([what, ...loadBalancers.map(({ tags }) => Object.keys(tags).sort())]).toStrictEqual([
            what,
            ...Array.from({ length: index + 1 }, () => ["ack.aliyun.com", "kubernetes.do.not.delete"]),
        ]);
    }
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});

const NLB = {
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: { "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" },
} as const;

const ENDS = ["its manifest is taken away", "the stack is destroyed"] as const;

/**
 * Calls that fail for good in a creation, and leave an instance with its protections on. Those of a list do not keep
 * each other from being made.
 */
const LEFT: readonly (readonly (readonly [kind: string, spec: Omit<ServiceSpec, "name">, action: string])[])[] = [
    [
        ["CLB", {}, "TagResources"],
        ["CLB with a name", { annotations: { name: "front" } }, "TagResources"],
        ["NLB", NLB, "CreateListener"],
    ],
    [
        ["CLB", {}, "CreateVServerGroup"],
        ["CLB with source ranges", { sourceRanges: ["10.0.0.0/8"] }, "AddAccessControlListEntry"],
        ["NLB with source ranges", { ...NLB, sourceRanges: ["10.0.0.0/8"] }, "LoadBalancerJoinSecurityGroup"],
    ],
];

for (const [index, rows] of LEFT.entries())
    for (const end of WHOLE ? ENDS : ENDS.slice(index, index + 1)) {
        const what = rows.map(([kind, , action]) => `a ${kind} whose creation fails at ${action}`).join(", ");
        test(`${what} goes where ${end}`, async () => {
            stack.write(rows.map(([, spec], row) => ({ name: `web-${row}`, ...spec })));
            const faults = [...new Map(rows.map(([kind, , action]) => [action, kind]))].map(([action, kind]) => ({
                product: kind.startsWith("NLB") ? "Nlb" : "Slb",
                ...{ action, code: "Forbidden.RAM", status: 403, times: 999 },
            }));
            await session.cloud("/_faults", faults);
            stack.fail(await stack.up("--continue-on-error"));
            const hit = await session.cloud<{ hits: number }[]>("/_faults");
            expect(hit.map(({ hits }) => hits > 0)).toStrictEqual(faults.map(() => true));
            await session.cloud("/_faults", undefined, "DELETE");
            const { slb, nlb } = await stateOf(session);
            expect([...slb.loadBalancers, ...nlb.loadBalancers]).toHaveLength(rows.length);
            stack.writeText("apiVersion: v1\nkind: ConfigMap\nmetadata: { name: none }\n");
            stack.succeed(await (end === "the stack is destroyed" ? stack.destroy() : stack.up()));
            assertEmpty(await stateOf(session));
        });
    }

test("a destroy waits for a busy CLB, and for a busy NLB", async () => {
    stack.write([{ name: "web" }, { name: "net", ...NLB }]);
    stack.succeed(await stack.up());
    const faults = [
        ["Slb", "DeleteLoadBalancer", "ServiceIsConfiguring"],
        ["Nlb", "DeleteLoadBalancer", "ResourceInConfiguring.loadbalancer"],
        ["Nlb", "UpdateLoadBalancerProtection", "Conflict.Lock"],
    ].map(([product, action, code]) => ({ product, action, code, status: 400, times: 2 }));
    await session.cloud("/_faults", faults);
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
    expect((await session.cloud<{ hits: number }[]>("/_faults")).map(({ hits }) => hits)).toStrictEqual([2, 2, 2]);
    await session.cloud("/_faults", undefined, "DELETE");
});

/** A part of a Service that a change removes while it adds another. */
const PARTS: readonly (readonly [action: string, of: (part: number) => Omit<ServiceSpec, "name">])[] = [
    ["RemoveVServerGroupBackendServers", (part) => ({ annotations: { "backend-label": `only=node-${part}` } })],
    ["RemoveAccessControlListEntry", (part) => ({ sourceRanges: [`10.${part}.0.0/16`] })],
];

test("what a failed run has added leaves with the next up, unless that wants it", async () => {
    for (const node of ["node-1", "node-2", "node-3"])
        await session.run("kubectl", ["label", "node", node, `only=${node}`, "--overwrite"]);
    const observe = async () => {
        const { vServerGroups, acls } = (await stateOf(session)).slb;
        return [
            vServerGroups.flatMap(({ name, backends }) => backends.map(({ serverId }) => `${name} ${serverId}`)).sort(),
            acls.flatMap(({ entries }) => Object.keys(entries)),
        ] as const;
    };
    const counts = async () => (await observe()).map(({ length }) => length);
    const webs = (part: number) => PARTS.map(([, of], index) => ({ name: `web-${index}`, ...of(part) }));
    stack.write(webs(1));
    stack.succeed(await stack.up());
    const first = await observe();
    const faults = PARTS.map(([action]) => ({ action, code: "Forbidden.RAM", status: 403, times: 99 }));
    await session.cloud("/_faults", faults);
    stack.write(webs(2));
    const text = stack.fail(await stack.up("--continue-on-error"));
    for (const [action] of PARTS) expect(text).toMatch(new RegExp(action));
    await session.cloud("/_faults", undefined, "DELETE");
    const [backends, entries] = first.map(({ length }) => length) as [number, number];
    expect(await counts()).toStrictEqual([backends + 1, entries + 1]);
    stack.write(webs(1));
    stack.succeed(await stack.up());
    expect(await observe()).toStrictEqual(first);
    stack.succeed(await stack.destroy());
    assertEmpty(await stateOf(session));
});
