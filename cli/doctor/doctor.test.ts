import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../test/support/finished";
import type { Check } from "./check";
import { REFUSED, worst } from "./check";
import { ASSUMED_QUOTAS } from "../../test/support/assumed-quotas";
import { quotaChecks } from "./cloud";
import { codeOf, pageOf } from "./main";
import { judgeTools, readTools, type Tools } from "./tools";

const TOOLS: Tools = {
    node: "v24.1.0",
    pulumi: "v3.260.0",
    packages: {
        "@pulumi/pulumi": "3.276.0",
        "@pulumi/alicloud": "3.108.0",
        "@pulumi/kubernetes": "4.34.2",
        "@pulumi/policy": "1.21.0",
    },
    plugins: [{ name: "kubernetes", version: "4.32.0", at: "/home/me/.pulumi/plugins/resource-kubernetes-v4.32.0" }],
    fetches: true,
};

for (const [what, change, state, found] of [
    ["the least versions", {}, "ok", /3\.276\.0/],
    ["an old Node", { node: "v20.19.0" }, "error", /v20\.19\.0, and 22\.19\.0 is the least/],
    [
        "an old patch",
        { packages: { ...TOOLS.packages, "@pulumi/kubernetes": "4.34.1" } },
        "error",
        /4\.34\.1, and 4\.34\.2/,
    ],
    ["a package that is not there", { packages: {} }, "warning", /not found/],
    ["a Pulumi CLI without onError hooks", { pulumi: "v3.216.0" }, "error", /v3\.216\.0, and 3\.217\.0 is the least/],
    ["no Pulumi", { pulumi: undefined }, "warning", /not found/],
    [
        "a plugin that the run fetches",
        { plugins: [{ name: "kubernetes", version: "4.34.2", at: undefined }] },
        "warning",
        /^4\.34\.2 is not there: the first run fetches it$/,
    ],
    [
        "a plugin that is not there and may not be fetched",
        { plugins: [{ name: "kubernetes", version: "4.34.2", at: undefined }], fetches: false },
        "error",
        /^4\.34\.2 is not there, and PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION is set$/,
    ],
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

const TESTED: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>, boolean])[] = [
    ["none", [], {}, false],
    ["of the SDK's version in the cache", ["home/plugins/resource-kubernetes-v4.34.2/"], {}, true],
    ["of another version in the cache", ["home/plugins/resource-kubernetes-v4.32.0/"], {}, false],
    ["of any version on PATH", ["bin/pulumi-resource-kubernetes"], {}, true],
    [
        "on PATH, which is not to count",
        ["bin/pulumi-resource-kubernetes"],
        { PULUMI_IGNORE_AMBIENT_PLUGINS: "1" },
        false,
    ],
];
for (const [what, files, variables, isThere] of TESTED) {
    test(`the plugin of an installed SDK is looked for where the engine looks: ${what}`, async () => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-doctor-"));
        onTestFinished(() => fs.rmSync(folder, { recursive: true }));
        const env = { PATH: path.join(folder, "bin"), PULUMI_HOME: path.join(folder, "home"), ...variables };
        const manifest = "node_modules/@pulumi/kubernetes/package.json";
        for (const file of [manifest, ...files]) {
            fs.mkdirSync(path.dirname(path.join(folder, file, ".")), { recursive: true });
            if (file.endsWith("/")) fs.mkdirSync(path.join(folder, file));
            else fs.writeFileSync(path.join(folder, file), file === manifest ? '{"version": "4.34.2"}' : "");
        }
        const tools = await readTools(folder, env);
        expect(tools.plugins).toMatchObject([{ name: "kubernetes", version: "4.34.2" }]);
        expect([tools.plugins[0]?.at !== undefined, tools.fetches]).toStrictEqual([isThere, true]);
        const offline = await readTools(folder, { ...env, PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" });
        expect(judgeTools(offline).find(({ what: tool }) => tool === "plugin kubernetes")?.state).toBe(
            isThere ? "ok" : "error",
        );
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
