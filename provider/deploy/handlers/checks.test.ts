/** Checks of the dynamic resources that make no call, as the engine calls them at preview. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as certificate from "./clb/certificate";
import * as contract from "./contract";
import * as vswitch from "./clb/vswitch";
import * as zonecheck from "./nlb/zone-check";

/** How the engine writes a value that is not known before `pulumi up`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const wish: vswitch.VSwitchInputs = { service: "shop/web", candidates: ["vsw-1", "vsw-2"], rule: "first" };
const chosen = async (olds: Partial<vswitch.VSwitchInputs>, news: vswitch.VSwitchInputs) =>
    (await vswitch.check(olds, news)).inputs.chosen;

test("vSwitch: the first candidate, then what was chosen, whatever becomes of the candidates", async () => {
    assert.equal(await chosen({}, wish), "vsw-1");
    assert.equal(await chosen({ ...wish, chosen: "vsw-1" }, { ...wish, candidates: ["vsw-9"] }), "vsw-1");
    assert.equal(await chosen({ ...wish, chosen: "vsw-1" }, { ...wish, rule: "available" }), "vsw-1");
});

test("vSwitch: a named one is kept when it is no longer named; one that is known later is not looked at", async () => {
    assert.equal(await chosen({}, { ...wish, named: UNKNOWN }), UNKNOWN);
    assert.equal(await chosen({ ...wish, named: "vsw-7", chosen: "vsw-7" }, wish), "vsw-7");
});

test("vSwitch: no candidate is a refusal with a remedy", async () => {
    const { failures } = await vswitch.check({}, { ...wish, candidates: [] });
    assert.match(failures[0]?.reason ?? "", /^Service shop\/web: .*Remedy: /);
});

test("certificates that were looked at before, or are not known yet, are not looked at", async () => {
    const inputs = { service: "shop/web", certificates: ["cert-1", UNKNOWN] };
    assert.deepEqual((await certificate.check({ ...inputs, certificates: ["cert-1"] }, inputs)).failures, []);
});

test("contract: a value that is not known yet is compared later; what is known is compared now", async () => {
    const olds = { service: "shop/web", requested: { addressType: "internet", clusterId: "c1" } };
    const { failures } = await contract.check(olds, {
        ...olds,
        requested: { addressType: "intranet", clusterId: "c1", vswitchId: UNKNOWN },
    });
    assert.equal(failures.length, 1);
    assert.match(failures[0]?.reason ?? "", /addressType cannot change from "internet" to "intranet"/);
});

test("contract: what cannot work is refused, together with changes that cannot be made, and never stored", async () => {
    const olds = { service: "shop/web", requested: { addressType: "internet" } };
    const news = { service: "shop/web", requested: { addressType: "intranet" }, problems: ["it cannot work"] };
    const changed = await contract.check(olds, news);
    assert.equal(changed.failures.length, 2);
    assert.equal(changed.failures[0]?.reason, "Service shop/web: it cannot work");
    const first = await contract.check({}, news);
    assert.deepEqual([first.failures.length, "problems" in first.inputs], [1, false]);
});

test("contract: that something has become established is no change", async () => {
    const before = {
        service: "shop/web",
        requested: { instanceChargeType: "PayByCLCU" },
        established: { instanceChargeType: "PayBySpec" },
    };
    assert.deepEqual(await contract.diff("shop/web", before, { ...before, established: before.requested }), {
        changes: false,
    });
    assert.deepEqual(
        await contract.diff("shop/web", before, {
            ...before,
            requested: { instanceChargeType: "PayByCLCU", ip: "10.0.0.1" },
        }),
        { changes: true },
    );
});

test("contract: what a change interrupts is recorded for policies, from the second run on, and is a change that the preview shows", async () => {
    const news = { service: "shop/web", requested: { addressType: "internet" }, disruptive: { proxyProtocol: "off" } };
    const first = (await contract.check({}, news)).inputs;
    assert.equal(first.disruptiveBefore, undefined);
    const second = await contract.check(first, { ...news, disruptive: { proxyProtocol: "on" } });
    assert.deepEqual(
        [second.inputs.disruptiveBefore, second.inputs.disruptive, second.failures],
        [{ proxyProtocol: "off" }, { proxyProtocol: "on" }, []],
    );
    assert.deepEqual(await contract.diff("shop/web", first, second.inputs), { changes: true });
    assert.deepEqual(await contract.diff("shop/web", first, (await contract.check(first, news)).inputs), {
        changes: false,
    });
    assert.deepEqual(
        (await contract.check(second.inputs, { ...news, disruptive: { proxyProtocol: "on" } })).inputs.disruptiveBefore,
        { proxyProtocol: "on" },
    );
});

test("zones: vSwitches that were looked at before, or are not known yet, are not looked at; the VPC is remembered", async () => {
    const inputs = { service: "shop/web", vswitches: { "cn-hangzhou-a": "vsw-a", "cn-hangzhou-b": "vsw-b" } };
    const { inputs: kept, failures } = await zonecheck.check(
        { ...inputs, vpc: "vpc-1" },
        { ...inputs, region: "cn-hangzhou" },
    );
    assert.deepEqual([kept.vpc, failures], ["vpc-1", []]);
    const later = await zonecheck.check({}, { ...inputs, vpcId: "vpc-2", vswitches: { "cn-hangzhou-a": UNKNOWN } });
    assert.deepEqual([later.inputs.vpc, later.failures], ["vpc-2", []]);
});
