/**
 * Messages about a vSwitch before an internal instance is made in it.
 *
 * Requirements: A11, B06, B13, G26.
 */
import { expect, test } from "@jest/globals";
import type { VSwitch } from "../../../cloud";
import { check, type VSwitchInputs } from "./vswitch";

const VSWITCHES: Readonly<Record<string, VSwitch>> = {
    "vsw-1": { id: "vsw-1", vpcId: "vpc-1", cidrBlock: "10.1.0.0/24", availableIpAddressCount: 9 },
    "vsw-full": { id: "vsw-full", vpcId: "vpc-1", cidrBlock: "10.2.0.0/24", availableIpAddressCount: 0 },
    "vsw-other": { id: "vsw-other", vpcId: "vpc-2", cidrBlock: "10.3.0.0/24", availableIpAddressCount: 9 },
};

const look = async (id: string): Promise<VSwitch | undefined> => VSWITCHES[id];

const inputs = (more: Partial<VSwitchInputs>): VSwitchInputs => ({
    service: "shop/web",
    candidates: [],
    rule: "available",
    vpcId: "vpc-1",
    region: "cn-hangzhou",
    ...more,
});

const CASES: readonly [what: string, Partial<VSwitchInputs>, chosen: string | undefined, problem?: RegExp][] = [
    ["an address of the range of a named vSwitch", { named: "vsw-1", address: "10.1.0.7" }, "vsw-1"],
    [
        "an address outside the range of a named vSwitch",
        { named: "vsw-1", address: "10.2.0.7" },
        "vsw-1",
        /^Service shop\/web: the address 10\.2\.0\.7 is not in 10\.1\.0\.0\/24, the range of vSwitch "vsw-1"\. Remedy: /,
    ],
    ["the first vSwitch of the cluster with a free address", { candidates: ["vsw-full", "vsw-1"] }, "vsw-1"],
    [
        "a vSwitch of the cluster in another VPC",
        { candidates: ["vsw-full", "vsw-other"] },
        undefined,
        /vSwitch "vsw-other" of the cluster's vSwitches is in VPC vpc-2, the cluster in vpc-1.*Remedy: /,
    ],
    [
        "the first vSwitch of the cluster, in another VPC",
        { candidates: ["vsw-other"], rule: "first" },
        undefined,
        /is in VPC vpc-2, the cluster in vpc-1/,
    ],
    [
        "no vSwitch with a free address",
        { candidates: ["vsw-full"] },
        undefined,
        /none of the vSwitches vsw-full has a free address.*Remedy: /,
    ],
];

for (const [what, more, chosen, problem] of CASES) {
    test(`vSwitch: ${what}`, async () => {
        const { inputs: checked, failures } = await check({}, inputs(more), look);
        expect(checked.chosen).toBe(chosen);
        expect(failures.map(({ reason }) => reason)).toStrictEqual(
            problem === undefined ? [] : [expect.stringMatching(problem)],
        );
    });
}

test("vSwitch: what was chosen is not looked at again", async () => {
    const news = inputs({ named: "vsw-other", address: "192.0.2.1" });
    expect((await check({ ...news, chosen: "vsw-other" }, news, look)).failures).toStrictEqual([]);
});
