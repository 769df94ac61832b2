import { expect, test } from "@jest/globals";
import { judgeUse, type QuotaUse } from ".";
import { ASSUMED_QUOTAS } from "../../test/support/assumed-quotas";

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
