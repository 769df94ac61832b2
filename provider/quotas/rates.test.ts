import { expect, test } from "@jest/globals";
import { defaultRate, parseWriteQuotas, rateOf } from ".";

test.each([
    ["slb", "CreateVServerGroup", 90, 60_000],
    ["slb", "DescribeVServerGroups", 3_000, 60_000],
    ["nlb", "CreateListener", 200, 60_000],
    ["nlb", "ListListeners", 20, 1_000],
    ["vpc", "TagResources", 90, 60_000],
])("%s %s: %d calls in %d ms", (product, action, calls, perMs) => {
    expect(defaultRate(product, action)).toEqual({ calls, perMs });
    expect(rateOf({}, product, action)).toEqual({ calls, perMs });
});

test.each([
    [undefined, {}],
    ["", {}],
    ["slb=180", { slb: { calls: 180, perMs: 60_000 } }],
    [" slb=30/6 , nlb=400/60", { slb: { calls: 30, perMs: 6_000 }, nlb: { calls: 400, perMs: 60_000 } }],
])("the variable %j", (text, quotas) => {
    expect(parseWriteQuotas(text)).toEqual(quotas);
});

test.each(["90", "slb", "slb=", "slb=0", "slb=90/0", "slb=-1", "alb=90", "slb=90/60/60", "slb=1e3", "__proto__=5"])(
    "%j is refused, and the message says how it is written",
    (text) => {
        expect(() => parseWriteQuotas(text)).toThrow(/which is not a valid quota. Remedy: .*slb=90\/60,nlb=200\/60/);
    },
);

test("quotas of an account are those of its writes", () => {
    const quotas = parseWriteQuotas("slb=180");
    expect(rateOf(quotas, "slb", "CreateVServerGroup").calls).toBe(180);
    expect(rateOf(quotas, "slb", "DescribeVServerGroups").calls).toBe(3_000);
    expect(rateOf(quotas, "nlb", "CreateListener").calls).toBe(200);
});
