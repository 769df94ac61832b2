import { reads, type Action } from "../actions";
import { hasTags, numberedPage, refusal, rule, type JsonObject } from "../core";
import type { World } from "../world";
import { availableCount } from "./addresses";
import type { Vpc, VSwitch } from "./state";

const VSWITCH_EXISTS = rule({
    id: "vpc.vswitch.exists",
    code: "InvalidVSwitchId.NotFound",
    status: 404,
    message: 'Specified value of "VSwitchId" is not exist.',
    when: "the vSwitch is unknown",
    source: "testdata/alicloud-plugin (alb-vswitch-missing)",
    enforcement: "always",
});

const VPC_EXISTS = rule({
    id: "vpc.vpc.exists",
    code: "InvalidVpcID.NotFound",
    status: 404,
    message: 'Specified value of "VpcId" is not found in our record.',
    when: "the VPC is unknown",
    source: "VPC API DescribeVpcAttribute, error codes",
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

function vpcView(world: World, vpc: Vpc): JsonObject {
    const switches = [...world.vpc.vSwitches.values()].filter((v) => v.vpcId === vpc.id).map((v) => v.id);
    return {
        VpcId: vpc.id,
        VpcName: vpc.name,
        RegionId: world.region,
        CidrBlock: vpc.cidr,
        SecondaryCidrBlocks: { SecondaryCidrBlock: vpc.secondaryCidrs },
        Ipv6CidrBlock: vpc.ipv6Cidr,
        Ipv6CidrBlocks: { Ipv6CidrBlock: [] },
        Status: "Available",
        IsDefault: false,
        Description: "",
        ResourceGroupId: "rg-default",
        CreationTime: "2026-01-01T00:00:00Z",
        VRouterId: `vrt-${vpc.id}`,
        VSwitchIds: { VSwitchId: switches },
        RouterTableIds: { RouterTableIds: [`vtb-${vpc.id}`] },
        Tags: tagRows(vpc.tags),
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
    reads("DescribeVpcs", {}, (p, world) => {
        const ids = p.text("VpcId")?.split(",");
        const found = [...world.vpc.vpcs.values()].filter(
            (v) => (ids?.includes(v.id) ?? true) && (p.text("VpcName") ?? v.name) === v.name && hasTags(p, v.tags),
        );
        const { rows, counters } = numberedPage(p, found);
        return { ...counters, Vpcs: { Vpc: rows.map((v) => vpcView(world, v)) } };
    }),
    reads("DescribeVpcAttribute", { VpcId: { required: true } }, (p, world) => {
        const vpc = world.vpc.vpcs.get(p.need("VpcId"));
        if (vpc === undefined) throw refusal(VPC_EXISTS);
        return vpcView(world, vpc);
    }),
];
