import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Limits, QUOTAS, type ObservedQuotas } from "../quotas";
import { ASSUMED_QUOTAS } from "../../test/support/assumed-quotas";
import { type InstanceDemand, judgeQuotas } from "./quotas";

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

/** An account of which these limits are known, by their names in Quota Center. */
const known = (
    given: Readonly<Record<string, number>>,
    { instances = 0, recoverable = 0 }: { readonly instances?: number; readonly recoverable?: number } = {},
): ObservedQuotas => {
    const limitsOf = (type: "clb" | "nlb"): Limits =>
        Object.fromEntries(
            Object.entries(QUOTAS[type]).map(([name, { code, limit }]) => [
                name,
                given[code] === undefined ? { limit, assumed: true } : { limit: given[code], assumed: false },
            ]),
        ) as unknown as Limits;
    const limits = { clb: limitsOf("clb"), nlb: limitsOf("nlb") };
    return { account: { limits, instances: { clb: instances, nlb: instances } }, recoverable };
};

const UNKNOWN: ObservedQuotas = { account: ASSUMED_QUOTAS, recoverable: 0 };

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
        [/^error .*20 are to be made, and there are 12; the account may have 30 .*raised to at least 32/],
    ],
    ["a raised quota", demands(100), known({ slb_quota_instances_num: 500 }), []],
    [
        "the published default is no reason to refuse",
        demands(31),
        UNKNOWN,
        [/^warning .*there are an unknown number; the published default is 30 .*look the quota up/],
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
        [/^error .*CLB, listeners of the instance\): shop\/wide would have 51/],
    ],
    [
        "too many backends; a server of two groups counts once",
        [demand("shop/web", { groups: [servers(150), servers(201)] })],
        known({ slb_quota_backendservers_num: 200 }),
        [/^error .*CLB, backends of the instance.*shop\/web would have 201/],
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
            const found = judgeQuotas("clb", all, known({}, { instances }));
            expect(found.filter(({ severity }) => severity === "error")).toStrictEqual([]);
            expect(found.some(({ cause }) => cause.includes(QUOTAS.clb.instances.code))).toBe(
                count > 0 && count + instances > QUOTAS.clb.instances.limit,
            );
        }),
        { numRuns: 50 },
    );
});
