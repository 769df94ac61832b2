/**
 * Create-only settings that a Service states once its load balancer exists: the preview and the policy pack compare
 * them with what the cloud has.
 *
 * Requirements: A03, A09, A10, A11, A15, E20, F05, F06, G33, X05, X28.
 */
import { expect, test } from "@jest/globals";
import { askedBy, immutableFields, initialCharge } from "../provider/clb/load-balancer";
import { formatSentences } from "../provider/diagnostics";
import { nlbImmutableFields } from "../provider/nlb/load-balancer";
import { checkReuse } from "../provider/plan/reuse";
import type { ContractInputs } from "../provider/resources/contract/inputs";
import { check } from "../provider/resources/handlers/contract";
import { defined } from "../provider/schema/defined";
import type { LoadBalancerType } from "../provider/schema/load-balancer-type";
import type { ObservedLoadBalancer } from "../provider/plan/observed";
import { CONTRACT_TYPE } from "../provider/schema/resource-types";
import type { Settings } from "../provider/schema/settings";
import { documentOf } from "../provider/service/manifests";
import { buildReuse } from "../provider/service/reuse";
import { parseService } from "../provider/service/service";
import { found } from "../test/support/found";
import { resource, serviceObject } from "../test/support/policies/case";
import { RULES } from "./index";
import { configOf } from "./rule/config";
import { evaluateResource, formatViolation } from "./rule/evaluate";

const FACTS = { clusterId: "c1", vpcId: "vpc-1", vswitches: ["vsw-1"], networkPlugin: "flannel" } as const;

type Clb = Extract<ObservedLoadBalancer, { kind: "clb" }>;
type Nlb = Extract<ObservedLoadBalancer, { kind: "nlb" }>;

/** Instance of either type in the cloud. The Service that was applied first states nothing of it but its base. */
const CLB: Clb = {
    kind: "clb",
    id: "lb-1",
    address: "10.0.0.9",
    addressType: "internet",
    ipVersion: "ipv4",
    vpcId: "vpc-1",
    vswitchId: "vsw-1",
    instanceChargeType: "PayByCLCU",
    internetChargeType: "paybytraffic",
    masterZoneId: "cn-hangzhou-h",
    slaveZoneId: "cn-hangzhou-g",
    resourceGroupId: "rg-default",
    tags: {},
    listeners: [],
    serverGroups: [],
};
const INNER: Clb = { ...CLB, addressType: "intranet" };
const BY_SPEC: Clb = { ...CLB, instanceChargeType: "PayBySpec", spec: "slb.s1.small" };
const ZONES = {
    zoneMaps: [
        { zoneId: "cn-hangzhou-a", vswitchId: "vsw-1" },
        { zoneId: "cn-hangzhou-b", vswitchId: "vsw-2" },
    ],
};
const NLB: Nlb = { ...CLB, ...ZONES, kind: "nlb", id: "nlb-1", securityGroupIds: [], deleteProtection: "on" };

const INTERNAL = { addressType: "intranet", vswitchId: "vsw-1" } as const;

interface Row {
    readonly setting: string;
    /** Default `clb`. */
    readonly type?: LoadBalancerType;
    readonly cloud: ObservedLoadBalancer;
    /** Settings from the first run on. */
    readonly base?: Settings;
    readonly inUse: Settings;
    readonly other: Settings;
    /**
     * Message that refuses another value: for an own instance, and for a reused instance. Absent if it is no change.
     */
    readonly refused: readonly [managed: RegExp | undefined, reused: RegExp | undefined];
}

const TABLE: readonly Row[] = [
    {
        setting: "addressType",
        cloud: CLB,
        inUse: { addressType: "internet" },
        other: INTERNAL,
        refused: [
            /addressType cannot change from "internet" to "intranet"/,
            /lb-1 has the address type internet, but the Service asks for intranet/,
        ],
    },
    {
        setting: "instanceChargeType",
        cloud: CLB,
        inUse: { instanceChargeType: "PayByCLCU" },
        other: { instanceChargeType: "PayBySpec" },
        refused: [
            /cannot change from "PayByCLCU" to "PayBySpec"/,
            /lb-1 is paid by usage \(PayByCLCU\) and cannot go back to PayBySpec/,
        ],
    },
    {
        setting: "vswitchId",
        cloud: INNER,
        base: INTERNAL,
        inUse: { vswitchId: "vsw-1" },
        other: { vswitchId: "vsw-2" },
        // On a reused instance it has no effect.
        refused: [/vswitchId cannot change from "vsw-1" to "vsw-2"/, undefined],
    },
    {
        setting: "masterZoneid",
        cloud: CLB,
        inUse: { masterZoneid: "cn-hangzhou-h", slaveZoneid: "cn-hangzhou-g" },
        other: { masterZoneid: "cn-hangzhou-k", slaveZoneid: "cn-hangzhou-g" },
        refused: [
            /masterZoneid cannot change from "cn-hangzhou-h" to "cn-hangzhou-k"/,
            /masterZoneid of load balancer lb-1 is "cn-hangzhou-h" and cannot become "cn-hangzhou-k"/,
        ],
    },
    {
        setting: "slaveZoneid",
        cloud: CLB,
        inUse: { masterZoneid: "cn-hangzhou-h", slaveZoneid: "cn-hangzhou-g" },
        other: { masterZoneid: "cn-hangzhou-h", slaveZoneid: "cn-hangzhou-k" },
        refused: [
            /slaveZoneid cannot change from "cn-hangzhou-g" to "cn-hangzhou-k"/,
            /slaveZoneid of load balancer lb-1 is "cn-hangzhou-g" and cannot become "cn-hangzhou-k"/,
        ],
    },
    {
        setting: "ip",
        cloud: INNER,
        base: INTERNAL,
        inUse: { ip: "10.0.0.9" },
        other: { ip: "10.0.0.10" },
        refused: [
            /ip cannot change from "10\.0\.0\.9" to "10\.0\.0\.10"/,
            /ip of load balancer lb-1 is "10\.0\.0\.9" and cannot become "10\.0\.0\.10"/,
        ],
    },
    {
        setting: "ipVersion",
        cloud: CLB,
        inUse: { ipVersion: "ipv4" },
        other: { ipVersion: "ipv6" },
        refused: [/ipVersion cannot change from "ipv4" to "ipv6"/, /lb-1 has the IP version ipv4/],
    },
    {
        setting: "resourceGroupId",
        cloud: CLB,
        inUse: { resourceGroupId: "rg-default" },
        other: { resourceGroupId: "rg-other" },
        refused: [
            /resourceGroupId cannot change from "rg-default" to "rg-other"/,
            /resourceGroupId of load balancer lb-1 is "rg-default" and cannot become "rg-other"/,
        ],
    },
    {
        setting: "resourceGroupId",
        type: "nlb",
        cloud: NLB,
        base: ZONES,
        inUse: { resourceGroupId: "rg-default" },
        other: { resourceGroupId: "rg-other" },
        refused: [
            /resourceGroupId cannot change from "rg-default" to "rg-other"/,
            /resourceGroupId of load balancer nlb-1 is "rg-default" and cannot become "rg-other"/,
        ],
    },
    {
        setting: "ipVersion",
        type: "nlb",
        cloud: NLB,
        base: ZONES,
        inUse: { ipVersion: "ipv4" },
        other: { ipVersion: "DualStack" },
        refused: [/ipVersion cannot change from "ipv4" to "DualStack"/, /nlb-1 has the IP version ipv4/],
    },
];

const rowOf = (name: string): Row =>
    found(
        TABLE.find(({ setting }) => setting === name),
        name,
    );

type Origin = "managed" | "reused";

/** The contract of a Service with some settings, as a component states it. */
function contractOf({ type = "clb", cloud }: Row, origin: Origin, given: Settings): ContractInputs {
    const settings: Settings = origin === "reused" ? { ...given, id: cloud.id } : given;
    const { service } = parseService(documentOf(serviceObject()), FACTS, settings, type);
    if (service === undefined) throw new Error(`refused: ${JSON.stringify(settings)}`);
    const { settings: read } = service;
    const clb = type === "clb";
    const request = buildReuse(service, FACTS, []);
    return {
        service: "shop/web",
        requested: clb ? immutableFields(read, FACTS) : nlbImmutableFields({ settings: read }, FACTS),
        ...(clb && { initial: initialCharge(read, FACTS), askedBy: askedBy(read) }),
        mark: "a0123",
        bound: true,
        ...defined({ reuse: request && { request, found: cloud } }),
    };
}

/** Returns the verdicts of a preview and of the policy pack once the settings of the first run become others. */
async function judge(row: Row, origin: Origin, before: Settings, after: Settings) {
    const asked: string[] = [];
    const find = async (mark: string) => (asked.push(mark), [row.cloud]);
    const first = await check({}, contractOf(row, origin, before), find);
    expect([first.failures, asked]).toStrictEqual([[], []]);
    const { inputs, failures } = await check(first.inputs, contractOf(row, origin, after), find);
    const { request, found: observed } = inputs.reuse ?? {};
    const pack = ["immutability-create-only", "reuse-address-type", "reuse-unfit-instance"].flatMap((name) => {
        const rule = found(
            RULES.find((one) => one.name === name),
            name,
        );
        const contract = resource(CONTRACT_TYPE, inputs, { name: "web" });
        if (rule.stack !== undefined) throw new Error(`${name} is a rule about a stack`);
        return evaluateResource({ rule, level: rule.level, config: configOf(rule, {}) }, contract) ?? [];
    });
    return {
        preview: failures.map(({ reason }) => reason),
        pack: pack.map(formatViolation),
        announced: request === undefined ? [] : checkReuse(request, observed).map(formatSentences),
        calls: asked.length,
    };
}

for (const origin of ["managed", "reused"] as const)
    for (const row of TABLE) {
        const { type = "clb", setting, base = {}, inUse, other } = row;
        const refusal = row.refused[origin === "managed" ? 0 : 1];

        test(`${origin} ${type}, ${setting}: the value in use is no change`, async () => {
            const { preview, pack, announced } = await judge(row, origin, base, { ...base, ...inUse });
            expect([preview, pack]).toStrictEqual([[], []]);
            expect(announced.join("\n")).not.toMatch(/will be changed/);
        });

        test(`${origin} ${type}, ${setting}: another value is refused, unless it has no effect`, async () => {
            const { preview, pack, announced } = await judge(row, origin, base, { ...base, ...other });
            const expected = refusal === undefined ? [] : [expect.stringMatching(refusal)];
            expect([preview, pack]).toStrictEqual([expected, expected]);
            expect(announced.join("\n")).not.toMatch(/will be changed/);
        });

        test(`${origin} ${type}, ${setting}: a removed setting is no change, and costs no call`, async () => {
            const { preview, pack, calls } = await judge(row, origin, { ...base, ...inUse }, base);
            expect([preview, pack, calls]).toStrictEqual([[], [], 0]);
        });
    }

test("reused PayBySpec instance: the value in use is no change, PayByCLCU is announced in full", async () => {
    const cloud = { ...BY_SPEC, internetChargeType: "paybybandwidth", bandwidth: 5 };
    const row = { ...rowOf("instanceChargeType"), cloud };
    const stated = await judge(row, "reused", {}, { instanceChargeType: "PayBySpec" });
    expect([stated.preview, stated.pack]).toStrictEqual([[], []]);
    expect(stated.announced.join("\n")).not.toMatch(/will be changed/);
    const changed = await judge(row, "reused", {}, { instanceChargeType: "PayByCLCU" });
    expect([changed.preview, changed.pack]).toStrictEqual([[], []]);
    expect(changed.announced.join("\n")).toMatch(
        new RegExp(
            'will be changed: instanceChargeType "PayBySpec" => "PayByCLCU", spec "slb.s1.small" => "slb.lcu.elastic", ' +
                'internetChargeType "paybybandwidth" => "PayByTraffic", bandwidth "5" => "5120"',
        ),
    );
});

test("managed PayBySpec instance: PayByCLCU is allowed, and not back", async () => {
    const row = rowOf("instanceChargeType");
    const bySpec = { instanceChargeType: "PayBySpec" } as const;
    const byUsage = { instanceChargeType: "PayByCLCU" } as const;
    expect(await judge(row, "managed", bySpec, byUsage)).toMatchObject({ preview: [], pack: [] });
    expect((await judge(row, "managed", byUsage, bySpec)).preview).toStrictEqual([
        expect.stringMatching(/cannot change from "PayByCLCU" to "PayBySpec"/),
    ]);
});

test("a change that explains a setting which is stated with it is refused alone", async () => {
    const { vswitchId: _, ...publicClb } = CLB;
    const row = { ...rowOf("addressType"), cloud: publicClb };
    expect((await judge(row, "managed", { addressType: "internet" }, INTERNAL)).preview).toStrictEqual([
        expect.stringMatching(/addressType cannot change from "internet" to "intranet"/),
    ]);
    const nlb = found(
        TABLE.find(({ type }) => type === "nlb"),
        "nlb",
    );
    const first = await check({}, contractOf(row, "managed", {}));
    const { failures } = await check(
        first.inputs,
        contractOf(nlb, "managed", { ...ZONES, ...nlb.inUse }),
        async () => [],
    );
    expect(failures.map(({ reason }) => reason)).toStrictEqual([
        expect.stringMatching(/spec\.loadBalancerClass cannot change from a CLB to an NLB/i),
    ]);
});

test("a change that explains nothing does not hide a setting that cannot be compared", async () => {
    const row = { ...rowOf("vswitchId"), cloud: { kind: "clb", id: "lb-1", addressType: "intranet" } as Clb };
    const before = { ...INTERNAL, instanceChargeType: "PayBySpec" } as const;
    const after = { ...INTERNAL, instanceChargeType: "PayByCLCU", resourceGroupId: "rg-1" } as const;
    expect((await judge(row, "managed", before, after)).preview).toStrictEqual([
        expect.stringMatching(/resourceGroupId cannot be compared with the load balancer: the cloud does not tell/),
    ]);
});

test("an own load balancer that cannot be found is not guessed: the preview says so", async () => {
    const row = rowOf("resourceGroupId");
    const first = await check({}, contractOf(row, "managed", {}));
    const second = contractOf(row, "managed", { resourceGroupId: "rg-default" });
    const reasonOf = async (find: Parameters<typeof check>[2]) =>
        (await check(first.inputs, second, find)).failures.map(({ reason }) => reason).join();
    expect(await reasonOf(async () => [])).toMatch(
        /cannot be compared with the load balancer: none bears the mark a0123/,
    );
    expect(await reasonOf(async () => [row.cloud, row.cloud])).toMatch(/several bear the mark/);
    expect(await reasonOf(() => Promise.reject(new Error("no permission")))).toMatch(/no permission\. Remedy: remove/);
    expect(await reasonOf(async () => [{ kind: "clb", id: "lb-1" }])).toMatch(/does not tell all values of lb-1/);
});
