import assert from "node:assert/strict";
import { test } from "node:test";
import * as vswitch from "./vswitch";

const WISH = { service: "shop/web", candidates: ["vsw-1", "vsw-2"], rule: "first" as const };
const chosen = async (olds: object, news: object) => (await vswitch.check(olds, { ...WISH, ...news })).inputs.chosen;

test("vSwitch: a named one is taken, else the first of the cluster's where that is the rule", async () => {
    assert.equal(await chosen({}, {}), "vsw-1");
    assert.equal(await chosen({}, { named: "vsw-9" }), "vsw-9");
});

test("vSwitch: what was chosen stays, also when candidates change or the Service no longer names it", async () => {
    assert.equal(await chosen({ chosen: "vsw-2" }, {}), "vsw-2");
    assert.equal(await chosen({ chosen: "vsw-9" }, { candidates: ["vsw-3"] }), "vsw-9");
});

test("vSwitch: none to choose from is a refusal with a remedy", async () => {
    const { failures } = await vswitch.check({}, { ...WISH, candidates: [] });
    assert.match(failures[0]?.reason ?? "", /^Service shop\/web: none of the vSwitches.*Remedy: /);
});
