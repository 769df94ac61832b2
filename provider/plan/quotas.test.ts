import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { QUOTAS } from "../schema/quotas";
import { type InstanceDemand, judgeQuotas, type ObservedQuotas } from "./quotas";

const demand = (service: string, more: Partial<InstanceDemand> = {}): InstanceDemand => ({
    service,
    type: "clb",
    created: true,
    listeners: 2,
    groups: [],
    ...more,
});

const demands = (count: number, more: Partial<InstanceDemand> = {}) =>
    Array.from({ length: count }, (_, index) => demand(`shop/s-${index}`, more));

const servers = (count: number) => Array.from({ length: count }, (_, index) => `i-${index}`);

const known = (limits: Readonly<Record<string, number>>, more: Partial<ObservedQuotas> = {}): ObservedQuotas => ({
    limits: new Map(Object.entries(limits)),
    instances: 0,
    recoverable: 0,
    ...more,
});

const UNKNOWN: ObservedQuotas = { limits: undefined, instances: undefined, recoverable: 0 };

const CASES: readonly (readonly [
    what: string,
    demands: readonly InstanceDemand[],
    observed: ObservedQuotas,
    found: readonly RegExp[],
])[] = [
    ["room for all", demands(30), known({ slb_quota_instances_num: 30 }), []],
    [
        "instances of others count",
        demands(20),
        known({ slb_quota_instances_num: 30 }, { instances: 12 }),
        [/^error .*20 are to be made, and the region has 12; the account may have 30 .*raised to at least 32/],
    ],
    ["a raised quota", demands(100), known({ slb_quota_instances_num: 500 }), []],
    [
        "the published default is no reason to refuse",
        demands(31),
        UNKNOWN,
        [/^warning .*the region has an unknown number; the published default is 30 .*look the quota up/],
    ],
    [
        "what may be there already is not counted twice",
        demands(20),
        known({ slb_quota_instances_num: 30 }, { instances: 30, recoverable: 20 }),
        [],
    ],
    [
        "nothing is made",
        demands(100, { created: false }),
        known({ slb_quota_instances_num: 30 }, { instances: 100 }),
        [],
    ],
    [
        "too many listeners",
        [demand("shop/wide", { listeners: 51 }), demand("shop/web")],
        known({ slb_quota_listeners_num: 50 }),
        [/^error .*listeners of a CLB than there may be: shop\/wide would have 51/],
    ],
    [
        "too many backends; a server of two groups counts once",
        [demand("shop/web", { groups: [servers(150), servers(201)] })],
        known({ slb_quota_backendservers_num: 200 }),
        [/^error .*backends of a CLB .*shop\/web would have 201/],
    ],
    [
        "every node behind every load balancer, and those that are there count",
        [
            demand("shop/new", { groups: [["i-1"]] }),
            ...demands(50, { created: false, groups: [["i-1", "i-2"], ["i-1"]] }),
        ],
        known({ slb_quota_backendserver_attached_num: 50 }),
        [/^error .*i-1, for one, would count 51 times/],
    ],
    [
        "an NLB counts server groups",
        demands(101, { type: "nlb", groups: [["i-1"], ["i-1"]] }),
        known({ nlb_quota_loadbalancers_num: 500, nlb_quota_server_added_num: 200 }),
        [/^error .*i-1, for one, would count 202 times/],
    ],
    [
        "another kind's demand is not this kind's",
        demands(100, { type: "nlb" }),
        known({ slb_quota_instances_num: 1 }),
        [],
    ],
];

for (const [what, all, observed, expected] of CASES)
    test(`quotas before the run: ${what}`, () => {
        const type = what.includes("NLB") ? "nlb" : "clb";
        const found = judgeQuotas(type, all, observed).map(
            ({ severity, cause, remedy }) => `${severity} ${cause}. ${remedy ?? ""}`,
        );
        expect(found).toHaveLength(expected.length);
        expected.forEach((pattern, index) => expect(found[index]).toMatch(pattern));
    });

test("nothing is refused for a quota that the account is not known to have", () => {
    fc.assert(
        fc.property(fc.nat(500), fc.nat(500), fc.nat(300), (count, instances, nodes) => {
            const all = demands(count, { groups: [servers(nodes)], listeners: nodes });
            const found = judgeQuotas("clb", all, { limits: new Map(), instances, recoverable: 0 });
            expect(found.filter(({ severity }) => severity === "error")).toStrictEqual([]);
            expect(found.some(({ cause }) => cause.includes(QUOTAS.clb.instances.code))).toBe(
                count > 0 && count + instances > QUOTAS.clb.instances.published,
            );
        }),
        { numRuns: 50 },
    );
});
