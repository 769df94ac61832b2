import assert from "node:assert/strict";
import { test } from "node:test";
import * as backends from "./backends";
import * as contract from "./contract";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const GROUP = { serverGroupId: "rsp-1", description: "k8s/30080/web/shop/c1", port: 30080 };
const MEMBERS = { "i-a": { weight: 1 } };

test("backends: an empty answer keeps what was there, unless emptying is allowed or nothing was there", async () => {
    const olds = { ...GROUP, backends: MEMBERS };
    const news = { ...GROUP, port: 31080, backends: {} };
    assert.deepEqual((await backends.check(olds, news)).inputs, olds);
    assert.deepEqual((await backends.check(olds, { ...news, allowEmpty: true })).inputs, { ...news, allowEmpty: true });
    assert.deepEqual((await backends.check({}, news)).inputs, news);
});

test("backends: what is not known yet is passed through", async () => {
    const news = { ...GROUP, backends: UNKNOWN as unknown as typeof MEMBERS };
    assert.deepEqual((await backends.check({ ...GROUP, backends: MEMBERS }, news)).inputs, news);
});

const REQUESTED = { addressType: "internet", clusterId: "c1" };

test("contract: the first request is what is established", async () => {
    const { inputs, failures } = await contract.check({}, { service: "shop/web", requested: REQUESTED });
    assert.deepEqual([inputs.established, failures], [REQUESTED, []]);
});

test("contract: a change is refused with a sentence that names the Service", async () => {
    const olds = { service: "shop/web", requested: REQUESTED, established: REQUESTED };
    const { failures } = await contract.check(olds, {
        service: "shop/web",
        requested: { ...REQUESTED, addressType: "intranet" },
    });
    assert.equal(failures.length, 1);
    assert.match(failures[0]?.reason ?? "", /^Service shop\/web: addressType cannot change/);
});

test("contract: an allowed change passes, and stays visible to policies while it is made", async () => {
    const olds = { service: "shop/web", requested: REQUESTED, established: REQUESTED };
    const news = {
        service: "shop/web",
        requested: { ...REQUESTED, addressType: "intranet" },
        allowReplacement: ["addressType"],
    };
    const { inputs, failures } = await contract.check(olds, news);
    assert.deepEqual(failures, []);
    assert.equal(inputs.established?.["addressType"], "internet");
    const after = await contract.check(inputs, { service: "shop/web", requested: news.requested });
    assert.deepEqual([after.failures, after.inputs.established?.["addressType"]], [[], "intranet"]);
});

test("contract: a CLB does not become an NLB, not even where that is allowed", async () => {
    const olds = { service: "shop/web", requested: { ...REQUESTED, loadBalancerType: "clb" } };
    const { failures } = await contract.check(olds, {
        service: "shop/web",
        requested: { ...REQUESTED, loadBalancerType: "nlb" },
        allowReplacement: ["loadBalancerType"],
    });
    assert.equal(failures.length, 1);
    assert.match(
        failures[0]?.reason ?? "",
        /^Service shop\/web: loadBalancerType cannot change from "clb" to "nlb".+delete the Service and create it again/,
    );
});

test("contract: a setting that was taken away is still remembered", async () => {
    const first = await contract.check(
        {},
        { service: "shop/web", requested: { ...REQUESTED, resourceGroupId: "rg-1" } },
    );
    const second = await contract.check(first.inputs, { service: "shop/web", requested: REQUESTED });
    const third = await contract.check(second.inputs, {
        service: "shop/web",
        requested: { ...REQUESTED, resourceGroupId: "rg-2" },
    });
    assert.match(third.failures[0]?.reason ?? "", /resourceGroupId cannot change from "rg-1" to "rg-2"/);
});

test("backends: user-managed members that an earlier version recorded under another name stay recorded", async () => {
    const recorded = { "i-users:80": { weight: 70, description: "by hand" } };
    const inputs = { ...GROUP, backends: MEMBERS, region: "cn-hangzhou" };
    const { outs } = await backends.update("rsp-1", { ...inputs, serverIds: {}, leftAlone: recorded }, inputs);
    assert.deepEqual([outs.userManaged, "leftAlone" in outs], [recorded, false]);
});
