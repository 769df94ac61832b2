/**
 * Checks of the dynamic resources that make no call, as the engine calls them at preview.
 *
 * Requirements: B05, G27, H04.
 */
import { expect, test } from "@jest/globals";
import * as certificate from "./clb/certificate";
import type { ObservedLoadBalancer } from "../../plan/observed";
import { REQUEST } from "../../../test/support/reuse";
import type { ContractInputs } from "../contract/inputs";
import * as contract from "./contract";
import * as vswitch from "./clb/vswitch";
import * as nlbCertificates from "./nlb/certificate-check";
import * as zonecheck from "./nlb/zone-check";
import * as nlbZones from "./nlb/zones";

/** Text that the engine writes for a value that is not known before `pulumi up`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const inputs: vswitch.VSwitchInputs = { service: "shop/web", candidates: ["vsw-1", "vsw-2"], rule: "first" };
const chosen = async (olds: Partial<vswitch.VSwitchInputs>, news: vswitch.VSwitchInputs) =>
    (await vswitch.check(olds, news)).inputs.chosen;

test("vSwitch: the first candidate, then what was chosen, whatever becomes of the candidates", async () => {
    expect(await chosen({}, inputs)).toBe("vsw-1");
    expect(await chosen({ ...inputs, chosen: "vsw-1" }, { ...inputs, candidates: ["vsw-9"] })).toBe("vsw-1");
    expect(await chosen({ ...inputs, chosen: "vsw-1" }, { ...inputs, rule: "available" })).toBe("vsw-1");
});

test("vSwitch: a named one is kept when it is no longer named; an unknown one is not checked", async () => {
    expect(await chosen({}, { ...inputs, named: UNKNOWN })).toBe(UNKNOWN);
    expect(await chosen({ ...inputs, named: "vsw-7", chosen: "vsw-7" }, inputs)).toBe("vsw-7");
});

test("vSwitch: candidates and a region that are known later are not looked at", async () => {
    const available = { ...inputs, rule: "available" as const };
    for (const news of [
        { ...available, candidates: UNKNOWN as unknown as string[] },
        { ...available, candidates: [UNKNOWN] },
        { ...available, region: UNKNOWN },
    ]) {
        expect(await vswitch.check({}, news)).toStrictEqual({ inputs: news, failures: [] });
        expect(await chosen({ ...inputs, chosen: "vsw-1" }, news)).toBe("vsw-1");
    }
    expect((await vswitch.check({}, { ...inputs, named: "vsw-7", region: UNKNOWN })).failures).toStrictEqual([]);
});

test("vSwitch: no candidate is a refusal with a remedy", async () => {
    const { failures } = await vswitch.check({}, { ...inputs, candidates: [] });
    expect(failures[0]?.reason ?? "").toMatch(/^Service shop\/web: .*Remedy: /);
});

test("certificates that were looked at before, or are not known yet, are not looked at", async () => {
    const inputs = { service: "shop/web", certificates: ["cert-1", UNKNOWN] };
    expect((await certificate.check({ ...inputs, certificates: ["cert-1"] }, inputs)).failures).toStrictEqual([]);
});

test("certificates of an NLB that were looked at before, or are not known yet, are not looked at", async () => {
    const inputs = { service: "shop/web", listeners: { "tcpssl:443": ["1", UNKNOWN], "tcpssl:444": ["2"] } };
    const olds = { ...inputs, listeners: { "tcpssl:443": ["2", "1"] } };
    expect((await nlbCertificates.check(olds, inputs)).failures).toStrictEqual([]);
});

test("contract: a value that is not known yet is compared later; what is known is compared now", async () => {
    const olds = { service: "shop/web", requested: { addressType: "internet", clusterId: "c1" } };
    const { failures } = await contract.check(olds, {
        ...olds,
        requested: { addressType: "intranet", clusterId: "c1", vswitchId: UNKNOWN },
    });
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason ?? "").toMatch(/addressType cannot change from "internet" to "intranet"/);
});

test("contract: a Service that cannot be read yet is judged once it can", async () => {
    const news = { service: "web", requested: {}, live: UNKNOWN, bound: UNKNOWN } as unknown as ContractInputs;
    expect((await contract.check({}, news)).failures).toStrictEqual([]);
});

test("contract: unworkable settings are refused with impossible changes, and never stored", async () => {
    const olds = { service: "shop/web", requested: { addressType: "internet" } };
    const news = { service: "shop/web", requested: { addressType: "intranet" }, problems: ["it cannot work"] };
    const changed = await contract.check(olds, news);
    expect(changed.failures).toHaveLength(2);
    expect(changed.failures[0]?.reason).toBe("Service shop/web: it cannot work");
    const first = await contract.check({}, news);
    expect([first.failures.length, "problems" in first.inputs]).toStrictEqual([1, false]);
});

test("contract: a problem of new Services is refused in the first run only, and never stored", async () => {
    const news = { service: "shop/web", requested: {}, firstProblems: ["it is another stack's"] };
    const first = await contract.check({}, news);
    expect(first.failures.map(({ reason }) => reason)).toStrictEqual(["Service shop/web: it is another stack's"]);
    expect("firstProblems" in first.inputs).toBe(false);
    expect((await contract.check(first.inputs, news)).failures).toStrictEqual([]);
});

test("contract: that something has become established is no change", async () => {
    const before = {
        service: "shop/web",
        requested: { instanceChargeType: "PayByCLCU" },
        established: { instanceChargeType: "PayBySpec" },
    };
    expect(await contract.diff("shop/web", before, { ...before, established: before.requested })).toStrictEqual({
        changes: false,
    });
    expect(
        await contract.diff("shop/web", before, {
            ...before,
            requested: { instanceChargeType: "PayByCLCU", ip: "10.0.0.1" },
        }),
    ).toStrictEqual({ changes: true });
});

test("contract: the defaults at creation stay requested, and later defaults are no change", async () => {
    const run = (
        olds: Partial<ContractInputs>,
        by: string | undefined,
        initially = "PayByCLCU",
    ): ReturnType<typeof contract.check> =>
        contract.check(olds, {
            service: "shop/web",
            requested: by === undefined ? {} : { instanceChargeType: by },
            ...(by === undefined ? { initial: { instanceChargeType: initially } } : {}),
        });
    const steps: [by: string | undefined, initially: string, then: string, refused: number][] = [
        [undefined, "PayBySpec", "PayBySpec", 0],
        [undefined, "PayByCLCU", "PayBySpec", 0],
        ["PayBySpec", "", "PayBySpec", 0],
        [undefined, "PayByCLCU", "PayBySpec", 0],
        ["PayByCLCU", "", "PayByCLCU", 0],
        [undefined, "PayBySpec", "PayByCLCU", 0],
        ["PayBySpec", "", "PayBySpec", 1],
    ];
    let olds: Partial<ContractInputs> = {};
    for (const [by, initially, then, refused] of steps) {
        const { inputs, failures } = await run(olds, by, initially);
        expect([inputs.requested["instanceChargeType"], failures.length]).toStrictEqual([then, refused]);
        if (olds.requested !== undefined)
            expect((await contract.diff("shop/web", olds as ContractInputs, inputs)).changes).toBe(
                olds.requested["instanceChargeType"] !== then,
            );
        olds = inputs;
    }
});

test("contract: interruptions are recorded from the second run on, and shown in the preview", async () => {
    const news = { service: "shop/web", requested: { addressType: "internet" }, disruptive: { proxyProtocol: "off" } };
    const first = (await contract.check({}, news)).inputs;
    expect(first.disruptiveBefore).toBeUndefined();
    const second = await contract.check(first, { ...news, disruptive: { proxyProtocol: "on" } });
    expect([second.inputs.disruptiveBefore, second.inputs.disruptive, second.failures]).toStrictEqual([
        { proxyProtocol: "off" },
        { proxyProtocol: "on" },
        [],
    ]);
    expect(await contract.diff("shop/web", first, second.inputs)).toStrictEqual({ changes: true });
    expect(await contract.diff("shop/web", first, (await contract.check(first, news)).inputs)).toStrictEqual({
        changes: false,
    });
    expect(
        (await contract.check(second.inputs, { ...news, disruptive: { proxyProtocol: "on" } })).inputs.disruptiveBefore,
    ).toStrictEqual({ proxyProtocol: "on" });
});

test("contract: after a failed run, a change is compared with the addresses that an NLB has", async () => {
    const zones = (vswitch: string) => ({ addressType: "internet", "zone a": vswitch, "zone b": "vsw-b eip-1" });
    const of = (disruptive: Record<string, string>): ContractInputs => ({
        service: "shop/web",
        requested: { loadBalancerType: "nlb" },
        mark: "a1",
        disruptive,
    });
    const asked = of({ ...zones("vsw-a2"), addressType: "intranet" });
    const recorded = (await contract.check((await contract.check({}, of(zones("vsw-a")))).inputs, asked)).inputs;
    const nlb = (addressType: string, vswitchId: string) => ({
        kind: "nlb",
        addressType,
        zoneMaps: [
            { zoneId: "a", vswitchId, privateIpv4: "10.0.0.4", allocationId: "eip-9" },
            { zoneId: "b", vswitchId: "vsw-b", privateIpv4: "10.0.1.4", allocationId: "eip-1" },
        ],
    });
    const before = async (...found: readonly object[]) =>
        (await contract.check(recorded, asked, () => Promise.resolve(found as readonly ObservedLoadBalancer[]))).inputs;
    const failed = await before(nlb("internet", "vsw-a"));
    expect(failed.disruptiveBefore).toStrictEqual(zones("vsw-a"));
    expect(await contract.diff("shop/web", recorded, failed)).toStrictEqual({ changes: true });
    const made = await before(nlb("intranet", "vsw-a2"));
    expect([made.disruptiveBefore, (await before()).disruptiveBefore]).toStrictEqual([
        asked.disruptive,
        asked.disruptive,
    ]);
    expect(await contract.diff("shop/web", recorded, made)).toStrictEqual({ changes: false });
    const unread = () => {
        throw new Error("no credentials");
    };
    expect((await contract.check(recorded, asked, unread)).inputs.disruptiveBefore).toStrictEqual(zones("vsw-a"));
    const refused = await contract.check(recorded, { ...asked, problems: ["no cluster"] }, unread);
    expect([refused.inputs.disruptiveBefore, refused.failures?.length]).toStrictEqual([asked.disruptive, 1]);
});

test("contract: naming the address that an NLB has is no change; the NLB is read", async () => {
    const of = (zone: string): ContractInputs => ({
        service: "shop/web",
        requested: { loadBalancerType: "nlb" },
        mark: "a1",
        disruptive: { addressType: "internet", "zone a": zone },
    });
    const { inputs: recorded } = await contract.check({}, of("vsw-a"));
    const zoneMaps = [{ zoneId: "a", vswitchId: "vsw-a", privateIpv4: "10.0.0.4" }];
    const find = () => Promise.resolve([{ kind: "nlb", addressType: "internet", zoneMaps }] as never);
    const before = async (zone: string, read: typeof find) =>
        (await contract.check(recorded, of(zone), read)).inputs.disruptiveBefore?.["zone a"];
    expect(await before("vsw-a 10.0.0.4", find)).toBe("vsw-a 10.0.0.4");
    expect(await before("vsw-a 10.0.0.5", find)).toBe("vsw-a");
    expect(await before("vsw-a 10.0.0.4", () => Promise.reject(new Error("no credentials")))).toBe("vsw-a");
});

test("contract: an NLB that keeps an address which is named no longer is not read", async () => {
    const of = (zone: string): ContractInputs => ({
        service: "shop/web",
        requested: { loadBalancerType: "nlb" },
        mark: "a1",
        disruptive: { addressType: "internet", "zone a": zone },
    });
    let reads = 0;
    const find = () => Promise.resolve(void reads++ as never);
    const { inputs: recorded } = await contract.check({}, of("vsw-a 10.0.0.4"), find);
    const { inputs: kept } = await contract.check(recorded, of("vsw-a"), find);
    expect([kept.disruptive?.["zone a"], reads]).toStrictEqual(["vsw-a 10.0.0.4", 0]);
});

test("contract: an NLB whose addresses a run has found changed is not read again", async () => {
    const news: ContractInputs = {
        service: "shop/web",
        requested: { loadBalancerType: "nlb" },
        mark: "a1",
        disruptive: { addressType: "intranet" },
    };
    const olds = { ...news, disruptiveBefore: { addressType: "intranet" } };
    const { inputs: found } = await contract.check(olds, news, () => Promise.reject(new Error("read again")));
    expect(found.disruptiveBefore).toStrictEqual({ addressType: "intranet" });
});

test("contract: an address of a zone that is no longer named stays, and naming it again is no change", async () => {
    const of = (zone: string): ContractInputs => ({
        service: "shop/web",
        requested: { loadBalancerType: "nlb" },
        disruptive: { addressType: "internet", "zone a": zone },
    });
    const named = (await contract.check({}, of("vsw-a 10.0.0.9 eip-1"))).inputs;
    const unnamed = (await contract.check(named, of("vsw-a"))).inputs;
    expect(unnamed.disruptive).toStrictEqual(named.disruptive);
    expect(await contract.diff("shop/web", named, unnamed)).toStrictEqual({ changes: false });
    const again = (await contract.check(unnamed, of("vsw-a eip-1"))).inputs;
    expect(await contract.diff("shop/web", unnamed, again)).toStrictEqual({ changes: false });
});

test.each<[string, string, { vswitchId: string; allocationId?: string }, object]>([
    [
        "stays in the same vSwitch",
        "Internet",
        { vswitchId: "vsw-a" },
        { privateIpv4: "10.0.0.9", allocationId: "eip-1" },
    ],
    ["gives way to another", "Internet", { vswitchId: "vsw-a", allocationId: "eip-2" }, { privateIpv4: "10.0.0.9" }],
    ["is left with the vSwitch", "Internet", { vswitchId: "vsw-b" }, {}],
    ["is left, if elastic, by an internal NLB", "Intranet", { vswitchId: "vsw-a" }, { privateIpv4: "10.0.0.9" }],
])("zones: an address of an NLB's zone that is no longer named %s", async (_, addressType, place, kept) => {
    const zones = { "zone-a": { vswitchId: "vsw-a", privateIpv4: "10.0.0.9", allocationId: "eip-1" } };
    const inputs = { loadBalancerId: "nlb-1", addressType: "Internet", zones };
    const { inputs: checked } = await nlbZones.check(inputs, { ...inputs, addressType, zones: { "zone-a": place } });
    expect(checked.zones).toStrictEqual({ "zone-a": { ...place, ...kept } });
});

test("zones: checked or still unknown vSwitches are not checked, and the VPC is recorded", async () => {
    const inputs = { service: "shop/web", vswitches: { "cn-hangzhou-a": "vsw-a", "cn-hangzhou-b": "vsw-b" } };
    const { inputs: kept, failures } = await zonecheck.check(
        { ...inputs, vpc: "vpc-1" },
        { ...inputs, region: "cn-hangzhou" },
    );
    expect([kept.vpc, failures]).toStrictEqual(["vpc-1", []]);
    const later = await zonecheck.check({}, { ...inputs, vpcId: "vpc-2", vswitches: { "cn-hangzhou-a": UNKNOWN } });
    expect([later.inputs.vpc, later.failures]).toStrictEqual(["vpc-2", []]);
});

test("contract: a dropped listener is compared with the recorded request", async () => {
    const listeners = [{ protocol: "tcp", port: 80 }];
    const recorded = { requested: {}, reuse: { request: { ...REQUEST, listeners } } } as unknown as Parameters<
        typeof contract.check
    >[0];
    const found: ObservedLoadBalancer = {
        kind: "clb",
        id: "lb-1",
        address: "47.0.0.1",
        addressType: "internet",
        ipVersion: "ipv4",
        tags: {},
        listeners: [{ protocol: "tcp", port: 80, description: "mine" }],
        serverGroups: [],
    };
    const { failures } = await contract.check(recorded, {
        service: "shop/web",
        requested: {},
        reuse: { request: { ...REQUEST, listeners: [] }, found },
    });
    expect(failures.map(({ reason }) => reason)).toStrictEqual([
        expect.stringContaining(
            "listener tcp:80 of load balancer lb-1 would be removed, but it is no longer this Service's",
        ),
    ]);
});
