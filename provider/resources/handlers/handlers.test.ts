/** Requirements: I08, X05, X32. */
import { expect, test } from "@jest/globals";
import * as backends from "./backends";
import * as contract from "./contract";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const GROUP = { serverGroupId: "rsp-1", description: "k8s/30080/web/shop/c1", port: 30080 };
const MEMBERS = { "i-a": { weight: 1 } };

test("backends: an empty answer keeps the backends, unless emptying is allowed or none existed", async () => {
    const other = { ...GROUP, serverGroupId: "rsp-2", backends: MEMBERS };
    const olds = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS }, "tcp-81": other } };
    const news = { groups: { "tcp-80": { ...GROUP, port: 31080, backends: {} }, "tcp-81": other } };
    expect((await backends.check(olds, news)).inputs).toStrictEqual(olds);
    expect((await backends.check(olds, { ...news, allowEmpty: true })).inputs).toStrictEqual({
        ...news,
        allowEmpty: true,
    });
    expect((await backends.check({}, news)).inputs).toStrictEqual(news);
});

test("backends: a group of addresses does not get the instances of the group before it", async () => {
    const olds = { groups: { "tcp-80": { ...GROUP, groupType: "Instance" as const, backends: MEMBERS } } };
    const news = { groups: { "tcp-80": { ...GROUP, groupType: "Ip" as const, backends: {} } } };
    expect((await backends.check(olds, news)).inputs).toStrictEqual(news);
});

test("backends: what is not known yet is passed through", async () => {
    const news = { groups: { "tcp-80": { ...GROUP, backends: UNKNOWN as unknown as typeof MEMBERS } } };
    const olds = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS } } };
    expect((await backends.check(olds, news)).inputs).toStrictEqual(news);
});

test("backends: ignored weights stay those of the record, unless the group itself changes", async () => {
    const olds = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS } }, ignoreWeights: true };
    const scaled = { "i-a": { weight: 7 }, "i-b": { weight: 3 } };
    const news = { groups: { "tcp-80": { ...GROUP, backends: scaled } }, ignoreWeights: true };
    const inputsOf = async (given: typeof news) => (await backends.check(olds, given)).inputs;
    expect(await inputsOf(news)).toStrictEqual({
        ...news,
        groups: { "tcp-80": { ...GROUP, backends: { ...MEMBERS, "i-b": { weight: 3 } } } },
    });
    const marked = { ...GROUP, description: "k8s/30080/web/shop/c2" };
    expect(await inputsOf({ ...news, groups: { "tcp-80": { ...marked, backends: scaled } } })).toStrictEqual({
        ...news,
        groups: { "tcp-80": { ...marked, backends: { ...MEMBERS, "i-b": { weight: 3 } } } },
    });
    const moved = { ...news, groups: { "tcp-80": { ...GROUP, port: 31080, backends: scaled } } };
    expect(await inputsOf(moved)).toStrictEqual(moved);
    expect(await inputsOf({ ...news, ignoreWeights: false })).toMatchObject({ groups: news.groups });
});

test("backends: with sync they are a difference only if the group changes or sync is switched", async () => {
    const other = { backends: { "i-other": { weight: 1 } } };
    const olds = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS } }, sync: true };
    const news = { ...olds, groups: { "tcp-80": { ...GROUP, ...other } } };
    expect((await backends.check(olds, news)).inputs).toStrictEqual(olds);
    const renamed = { ...news, groups: { "tcp-80": { ...GROUP, ...other, description: "k8s/31081/web/shop/c1" } } };
    expect((await backends.check(olds, renamed)).inputs).toStrictEqual(renamed);
    const off = { groups: news.groups };
    expect((await backends.check(olds, off)).inputs).toStrictEqual(off);
    expect((await backends.check(off, news)).inputs).toStrictEqual(news);
});

test("backends: after sync, ignored weights stay those of the cloud, else of the record", async () => {
    const olds = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS } }, sync: true, ignoreWeights: true };
    const scaled = { "i-a": { weight: 7 }, "i-b": { weight: 3 } };
    const news = { groups: { "tcp-80": { ...GROUP, backends: scaled } }, ignoreWeights: true };
    const cloud = [{ address: "i-a", type: "ecs" as const, port: 30080, weight: 40, mark: GROUP.description }];
    const keptWith = async (read: () => Promise<typeof cloud>) =>
        ((await backends.check(olds, news, read)).inputs as typeof news).groups["tcp-80"].backends["i-a"];
    expect(await keptWith(() => Promise.resolve(cloud))).toStrictEqual({ weight: 40 });
    expect(await keptWith(() => Promise.reject(new Error("no credentials")))).toStrictEqual({ weight: 1 });
});

test("backends: with sync, other settings of the Service change them in the record alone", async () => {
    // Without a cloud every call is an error.
    const olds = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS } }, sync: true, ignoreWeights: true };
    const news = { ...olds, ignoreWeights: false };
    expect(await backends.update("groups", olds, news)).toStrictEqual({ outs: news });
    await expect(backends.update("groups", olds, { ...news, sync: false })).rejects.toThrow(/region/);
});

const REQUESTED = { addressType: "internet", clusterId: "c1" };

test("contract: the first request is what is established", async () => {
    const { inputs, failures } = await contract.check({}, { service: "shop/web", requested: REQUESTED });
    expect([inputs.established, failures]).toStrictEqual([REQUESTED, []]);
});

test("contract: the cluster's resource group counts at creation, and a later one refuses nothing", async () => {
    const inputs = { service: "shop/web", requested: REQUESTED };
    const before = (await contract.check({}, inputs)).inputs;
    const later = await contract.check(before, { ...inputs, initial: { resourceGroupId: "rg-1" } });
    expect([later.failures, later.inputs.established]).toStrictEqual([[], REQUESTED]);
    const made = (await contract.check({}, { ...inputs, initial: { resourceGroupId: "rg-1" } })).inputs;
    expect(made.established).toStrictEqual({ ...REQUESTED, resourceGroupId: "rg-1" });
    const moved = await contract.check(made, { ...inputs, initial: { resourceGroupId: "rg-2" } });
    expect(moved.failures).toStrictEqual([]);
    const named = (resourceGroupId: string) =>
        contract.check(moved.inputs, { ...inputs, requested: { ...REQUESTED, resourceGroupId } });
    expect((await named("rg-1")).failures).toStrictEqual([]);
    expect((await named("rg-2")).failures[0]?.reason).toMatch(/resourceGroupId cannot change from "rg-1" to "rg-2"/);
});

test("contract: a change is refused with a sentence that names the Service", async () => {
    const olds = { service: "shop/web", requested: REQUESTED, established: REQUESTED };
    const { failures } = await contract.check(olds, {
        service: "shop/web",
        requested: { ...REQUESTED, addressType: "intranet" },
    });
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason ?? "").toMatch(/^Service shop\/web: addressType cannot change/);
});

test("contract: an allowed change passes, and stays visible to policies while it is made", async () => {
    const olds = { service: "shop/web", requested: REQUESTED, established: REQUESTED };
    const news = {
        service: "shop/web",
        requested: { ...REQUESTED, addressType: "intranet" },
        allowReplacement: ["addressType"],
    };
    const { inputs, failures } = await contract.check(olds, news);
    expect(failures).toStrictEqual([]);
    expect(inputs.established?.["addressType"]).toBe("internet");
    const after = await contract.check(inputs, { service: "shop/web", requested: news.requested });
    expect([after.failures, after.inputs.established?.["addressType"]]).toStrictEqual([[], "intranet"]);
});

test("contract: a CLB does not become an NLB, not even where that is allowed", async () => {
    const olds = { service: "shop/web", requested: { ...REQUESTED, loadBalancerType: "clb" } };
    const { failures } = await contract.check(olds, {
        service: "shop/web",
        requested: { ...REQUESTED, loadBalancerType: "nlb" },
        allowReplacement: ["loadBalancerType"],
    });
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason ?? "").toMatch(
        /^Service shop\/web: spec\.loadBalancerClass cannot change from a CLB to an NLB.+docs\/migrate-clb-to-nlb\.md.+delete the Service and create it again/,
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
    expect(third.failures[0]?.reason ?? "").toMatch(/resourceGroupId cannot change from "rg-1" to "rg-2"/);
});

test("backends: recorded user-managed members stay recorded", async () => {
    const recorded = { "i-users:80": { weight: 70, description: "by hand" } };
    const inputs = { groups: { "tcp-80": { ...GROUP, backends: MEMBERS } }, region: "cn-hangzhou" };
    const computed = { "tcp-80": { userManaged: recorded } };
    const unsynced = { ...inputs, allowEmpty: true };
    expect((await backends.update("groups", { ...inputs, computed }, unsynced)).outs.computed).toStrictEqual(computed);
});
