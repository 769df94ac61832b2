import { reads, type Action } from "../actions";
import { hasTags, numberedPage, refusal, rule, type JsonObject } from "../core";
import { availableCount } from "./addresses";
import type { VSwitch } from "./state";

const VSWITCH_EXISTS = rule({
    id: "vpc.vswitch.exists",
    code: "InvalidVSwitchId.NotFound",
    status: 404,
    message: 'Specified value of "VSwitchId" is not exist.',
    when: "the vSwitch is unknown",
    source: "testdata/alicloud-plugin (alb-vswitch-missing)",
    enforcement: "always",
});

function tagRows(tags: ReadonlyMap<string, string>): JsonObject {
    return { Tag: [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([Key, Value]) => ({ Key, Value })) };
}

function vSwitchView(v: VSwitch): JsonObject {
    return {
        VSwitchId: v.id,
        VSwitchName: v.name,
        VpcId: v.vpcId,
        ZoneId: v.zoneId,
        CidrBlock: v.cidr,
        Ipv6CidrBlock: v.ipv6Cidr,
        AvailableIpAddressCount: availableCount(v),
        Status: "Available",
        Description: "",
        IsDefault: false,
        ResourceGroupId: "rg-default",
        CreationTime: "2026-01-01T00:00:00Z",
        // The alicloud plugin ends if this object is missing.
        RouteTable: { RouteTableId: `vtb-${v.vpcId}`, RouteTableType: "System" },
        Tags: tagRows(v.tags),
    };
}

export const networkActions: readonly Action[] = [
    reads("DescribeVSwitchAttributes", { VSwitchId: { required: true } }, (p, world) => {
        const vSwitch = world.vpc.vSwitches.get(p.need("VSwitchId"));
        if (vSwitch === undefined) throw refusal(VSWITCH_EXISTS);
        return { ...vSwitchView(vSwitch), RegionId: world.region };
    }),
    reads("DescribeVSwitches", {}, (p, world) => {
        const ids = p.text("VSwitchId")?.split(",");
        const found = [...world.vpc.vSwitches.values()].filter(
            (v) =>
                (ids?.includes(v.id) ?? true) &&
                (p.text("VpcId") ?? v.vpcId) === v.vpcId &&
                (p.text("ZoneId") ?? v.zoneId) === v.zoneId &&
                (p.text("VSwitchName") ?? v.name) === v.name &&
                hasTags(p, v.tags),
        );
        const { rows, counters } = numberedPage(p, found);
        return { ...counters, VSwitches: { VSwitch: rows.map(vSwitchView) } };
    }),
];
