/**
 * Requirements: A03, A09, A10, A11, A12, B12, B14, E19, F01, F02, F03, F04, F05, F06, F22, G33, G36, I11, I15, X28.
 */
import { expect, test } from "@jest/globals";
import { formatSentences } from "../diagnostics";
import { establish, IMMUTABLE_FIELD_RULES, violations } from "./immutability";

const ESTABLISHED = {
    addressType: "internet",
    instanceChargeType: "PayBySpec",
    ipVersion: "ipv4",
    loadBalancerType: "clb",
    clusterId: "c1",
};

const NETWORK = { loadBalancerType: "nlb", clusterId: "c1" };

const CASES: readonly [string, Record<string, string>, Record<string, string>, readonly string[]][] = [
    ["nothing changes", ESTABLISHED, ESTABLISHED, []],
    ["the address type changes", ESTABLISHED, { ...ESTABLISHED, addressType: "intranet" }, ["addressType"]],
    [
        "what only follows from another change is not reported again",
        ESTABLISHED,
        { ...ESTABLISHED, addressType: "intranet", vswitchId: "vsw-1", ip: "10.0.0.1" },
        ["addressType"],
    ],
    [
        "a vSwitch changes by itself",
        { ...ESTABLISHED, vswitchId: "vsw-1" },
        { ...ESTABLISHED, vswitchId: "vsw-2" },
        ["vswitchId"],
    ],
    [
        "a static address changes by itself",
        { ...ESTABLISHED, addressType: "intranet", vswitchId: "vsw-1", ip: "10.0.0.1" },
        { ...ESTABLISHED, addressType: "intranet", vswitchId: "vsw-1", ip: "10.0.0.2" },
        ["ip"],
    ],
    ["PayBySpec to PayByCLCU is allowed", ESTABLISHED, { ...ESTABLISHED, instanceChargeType: "PayByCLCU" }, []],
    [
        "PayByCLCU to PayBySpec is not",
        { ...ESTABLISHED, instanceChargeType: "PayByCLCU" },
        ESTABLISHED,
        ["instanceChargeType"],
    ],
    ["a setting that is no longer stated is no change", { ...ESTABLISHED, resourceGroupId: "rg-1" }, ESTABLISHED, []],
    ["except the id of a reused instance", { ...ESTABLISHED, id: "lb-1" }, ESTABLISHED, ["id"]],
    [
        "or the vServer group that was joined",
        { ...ESTABLISHED, id: "lb-1", vgroupPort: "rsp-1:80" },
        { ...ESTABLISHED, id: "lb-1" },
        ["vgroupPort"],
    ],
    [
        "the same groups in another order are no change",
        { ...ESTABLISHED, id: "lb-1", vgroupPort: "rsp-1:80,rsp-2:443" },
        { ...ESTABLISHED, id: "lb-1", vgroupPort: "rsp-2:443,rsp-1:80" },
        [],
    ],
    ["one instance cannot become another", { ...ESTABLISHED, id: "lb-1" }, { ...ESTABLISHED, id: "lb-2" }, ["id"]],
    ["a created instance cannot become a reused one", ESTABLISHED, { ...ESTABLISHED, id: "lb-1" }, ["id"]],
    [
        "what a reused instance leaves open follows from it",
        { ...NETWORK, id: "nlb-1" },
        { ...NETWORK, vpcId: "vpc-1", ipVersion: "ipv4" },
        ["id"],
    ],
    [
        "a CLB cannot become an NLB, and of what else differs nothing is reported",
        ESTABLISHED,
        { loadBalancerType: "nlb", ipVersion: "DualStack", vpcId: "vpc-1", clusterId: "c1" },
        ["loadBalancerType"],
    ],
    [
        "an NLB cannot become a CLB",
        { loadBalancerType: "nlb", ipVersion: "ipv4", vpcId: "vpc-1", clusterId: "c1" },
        ESTABLISHED,
        ["loadBalancerType"],
    ],
    [
        "a static address",
        { ...ESTABLISHED, addressType: "intranet", ip: "10.0.0.1" },
        { ...ESTABLISHED, addressType: "intranet", ip: "10.0.0.2" },
        ["ip"],
    ],
    [
        "the resource group",
        { ...ESTABLISHED, resourceGroupId: "rg-1" },
        { ...ESTABLISHED, resourceGroupId: "rg-2" },
        ["resourceGroupId"],
    ],
    [
        "zones that are stated for the first time are compared with the instance",
        ESTABLISHED,
        { ...ESTABLISHED, masterZoneid: "z1", slaveZoneid: "z2" },
        [],
    ],
    [
        "zones, IP version and cluster",
        { ...ESTABLISHED, masterZoneid: "z2", slaveZoneid: "z1" },
        { ...ESTABLISHED, masterZoneid: "z1", slaveZoneid: "z2", ipVersion: "ipv6", clusterId: "c2" },
        ["clusterId", "ipVersion", "masterZoneid", "slaveZoneid"],
    ],
];

for (const [what, established, requested, expected] of CASES) {
    test(`${what}: ${expected.join(", ") || "allowed"}`, () => {
        expect(
            violations(established, requested)
                .map(({ field }) => field)
                .sort(),
        ).toStrictEqual([...expected]);
    });
}

test("what is no longer stated stays established, except which instance is used", () => {
    expect(
        establish({ vswitchId: "vsw-1", id: "lb-1", vgroupPort: "rsp-1:80" }, { addressType: "internet" }),
    ).toStrictEqual({ vswitchId: "vsw-1", addressType: "internet" });
});

test("a refused change names the settings that need it, and the next run without them succeeds", () => {
    const established = { ...ESTABLISHED, instanceChargeType: "PayByCLCU" };
    const [violation] = violations(established, ESTABLISHED, { instanceChargeType: ["chargeType", "bandwidth"] });
    expect([violation?.cause, violation?.remedy]).toStrictEqual([
        'chargeType and bandwidth ask for it, but instanceChargeType cannot change from "PayByCLCU" ' +
            'to "PayBySpec": an instance that is paid by usage (PayByCLCU) cannot go back to ' +
            "pay-by-specification",
        "remove chargeType and bandwidth, or delete the Service and create it again (its address changes)",
    ]);
});

test("each refusal says what, why, what to do and where it is written", () => {
    for (const setting of Object.keys(IMMUTABLE_FIELD_RULES).filter((name) => name !== "loadBalancerType")) {
        const [violation] = violations({ ...ESTABLISHED, [setting]: "before" }, { ...ESTABLISHED, [setting]: "after" });
        expect(violation === undefined ? "" : formatSentences(violation)).toMatch(
            new RegExp(
                `^${setting} cannot change from "before" to "after": .+\\. ` +
                    `Remedy: put ${setting} back to "before", or delete the Service.+Source: .+\\.$`,
            ),
        );
    }
});

test("a setting that the Service never had is removed, and not put back", () => {
    const established = { ...ESTABLISHED, resourceGroupId: "rg-default" };
    const requested = { ...ESTABLISHED, resourceGroupId: "rg-2" };
    const remedyOf = (former: object) =>
        violations(established, requested, {}, former as typeof ESTABLISHED)[0]?.remedy;
    const { resourceGroupId: _, ...without } = ESTABLISHED as Record<string, string>;
    expect(remedyOf(without)).toBe(
        "remove resourceGroupId, or delete the Service and create it again (its address changes)",
    );
    expect(remedyOf(established)).toBe(
        'put resourceGroupId back to "rg-default", or delete the Service and create it again (its address changes)',
    );
});

test("the refusal of another kind names the field of the manifest and the way to move", () => {
    const [violation] = violations({ loadBalancerType: "clb" }, { loadBalancerType: "nlb" });
    expect(violation?.cause).toMatch(/^spec\.loadBalancerClass cannot change from a CLB to an NLB: /);
    expect(violation).toMatchObject({
        field: "loadBalancerType",
        remedy:
            "put spec.loadBalancerClass back to a CLB, or add a second Service and move its clients " +
            "(docs/migrate-clb-to-nlb.md), or delete the Service and create it again (its address changes)",
    });
});

test("a recorded field that is no setting is no violation, whatever its name", () => {
    for (const field of ["valueOf", "constructor", "ownSetting"])
        expect(violations({ addressType: "intranet" }, { [field]: "" })).toStrictEqual([]);
});
