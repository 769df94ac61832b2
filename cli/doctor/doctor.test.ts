import { expect, test } from "@jest/globals";
import type { Check } from "./check";
import { REFUSED, worst } from "./check";
import { ASSUMED_QUOTAS } from "../../test/support/assumed-quotas";
import { quotaChecks } from "./cloud";
import { codeOf, pageOf } from "./main";
import { judgeTools, type Tools } from "./tools";

const TOOLS: Tools = {
    node: "v24.1.0",
    pulumi: "v3.260.0",
    packages: {
        "@pulumi/pulumi": "3.270.0",
        "@pulumi/alicloud": "3.106.0",
        "@pulumi/kubernetes": "4.32.0",
        "@pulumi/policy": "1.21.0",
    },
};

for (const [what, change, state, found] of [
    ["the least versions", {}, "ok", /3\.270\.0/],
    ["an old Node", { node: "v20.19.0" }, "error", /v20\.19\.0, and 22\.19\.0 is the least/],
    [
        "an old patch",
        { packages: { ...TOOLS.packages, "@pulumi/kubernetes": "4.31.1" } },
        "error",
        /4\.31\.1, and 4\.32\.0/,
    ],
    ["a package that is not there", { packages: {} }, "warning", /not found/],
    ["a Pulumi CLI without onError hooks", { pulumi: "v3.216.0" }, "error", /v3\.216\.0, and 3\.217\.0 is the least/],
    ["no Pulumi", { pulumi: undefined }, "warning", /not found/],
    ["a version that is none", { pulumi: "dev" }, "warning", /dev, which is no version/],
] as const) {
    test(`tools: ${what}`, () => {
        const checks = judgeTools({ ...TOOLS, ...change });
        expect(worst(checks)).toBe(state);
        const gravest = checks.find((check) => check.state === state && found.test(check.found));
        expect(gravest?.found).toMatch(found);
        expect(state === "ok" || gravest?.remedy !== undefined).toBe(true);
    });
}

test("the gravest state counts, and the page has every check", () => {
    const check = (state: Check["state"]): Check => ({ area: "cloud", what: state, state, found: "x" });
    expect(worst([check("ok"), check("skipped")])).toBe("skipped");
    expect(worst([check("ok"), check("error"), check("warning")])).toBe("error");
    expect(worst([])).toBe("ok");
    const page = pageOf([check("ok"), check("error")]);
    expect(page.summary).toBe("a run would fail: 1 error, 0 warnings");
    expect(page.sections.flatMap(({ table }) => table?.rows ?? []).length).toBe(2);
});

test("what may not be read is named in the first line, and is neither good nor bad", () => {
    const check = (state: Check["state"], found: string): Check => ({ area: "cluster", what: "plugin", state, found });
    const refused = [check("ok", "x"), check("skipped", REFUSED)];
    expect([codeOf(refused), pageOf(refused).summary]).toStrictEqual([2, "could not be checked: plugin (0 warnings)"]);
    expect(codeOf([check("skipped", "not tried")])).toBe(0);
    expect(codeOf([...refused, check("error", "x")])).toBe(1);
});

test.each([
    [29, false, "ok", "29 of 30 (asked of the cloud)"],
    [30, true, "warning", "30 of 30 (the published default; yours may differ)"],
    [undefined, true, "ok", "30 (the published default; yours may differ)"],
] as const)("quotas: %s instances, assumed %s: %s", (used, assumed, state, found) => {
    const clb = { ...ASSUMED_QUOTAS.limits.clb, instances: { limit: 30, assumed } };
    const account = { limits: { ...ASSUMED_QUOTAS.limits, clb }, instances: { clb: used, nlb: undefined } };
    const [instances, ...others] = quotaChecks("clb", account);
    expect(instances).toMatchObject({ state, found });
    expect(others.map((check) => check.found)).toEqual(
        ["50", "200", "50"].map((limit) => `${limit} (the published default; yours may differ)`),
    );
});
