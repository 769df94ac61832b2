import { expect, test } from "@jest/globals";
import { ASSUMED_QUOTAS, instancesAfter, judgeUse, type QuotaUse } from ".";

const USE: QuotaUse = { type: "clb", quota: "listeners", subject: "lb-1", used: 50 };

test.each([
    [50, true],
    [51, false],
])("%d listeners under a limit of 50: sufficient %s", (used, sufficient) => {
    expect(judgeUse({ ...USE, used }, ASSUMED_QUOTAS)).toEqual({
        ...USE,
        used,
        what: "listeners of the instance",
        limit: 50,
        assumed: true,
        sufficient,
    });
});

test("an account's own limit takes the place of the published one", () => {
    const limits = { ...ASSUMED_QUOTAS.limits.clb, listeners: { limit: 80, assumed: false } };
    const account = { ...ASSUMED_QUOTAS, limits: { ...ASSUMED_QUOTAS.limits, clb: limits } };
    expect(judgeUse({ ...USE, used: 80 }, account)).toMatchObject({ limit: 80, assumed: false, sufficient: true });
});

test.each([
    ["not counted: the stack's own", undefined, { after: 3, created: 2, deleted: 1 }, 3],
    ["counted: with what comes, without what goes", 10, { after: 3, created: 2, deleted: 1 }, 11],
    ["counted before the stack's own were there", 0, { after: 3, created: 0, deleted: 0 }, 3],
])("instances after a run, %s", (_what, there, stack, after) => {
    const account = { ...ASSUMED_QUOTAS, instances: { clb: there, nlb: undefined } };
    expect(instancesAfter("clb", stack, account)).toBe(after);
});
