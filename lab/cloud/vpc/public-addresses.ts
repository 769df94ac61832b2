import { reads, writes, type Action } from "../actions";
import { hasTags, numberedPage, refusal, rule, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import { releaseAddresses, takePublic } from "./addresses";
import type { BandwidthPackage, Eip } from "./state";

const EIP_EXISTS = rule({
    id: "vpc.eip.exists",
    code: "InvalidAllocationId.NotFound",
    status: 404,
    message: "Specified allocation ID is not found",
    when: "the EIP is unknown or was released",
    source: "testdata/alicloud-plugin (eip-min)",
    enforcement: "always",
});

const EIP_FREE = rule({
    id: "vpc.eip.free",
    code: "IncorrectEipStatus",
    message: "Current elastic IP status does not support this operation.",
    when: "an EIP is released or bound while it is bound to an instance",
    source: "VPC API ReleaseEipAddress and AssociateEipAddress, error codes",
});

const PACKAGE_EXISTS = rule({
    id: "vpc.bandwidth-package.exists",
    code: "InvalidBandwidthPackageId.NotFound",
    status: 404,
    message: "The specified bandwidth package does not exist.",
    when: "the bandwidth package is unknown or was deleted",
    source: "VPC API DeleteCommonBandwidthPackage, error codes",
    enforcement: "always",
});

function findEip(world: World, id: string): Eip {
    const eip = world.vpc.eips.get(id);
    if (eip === undefined) throw refusal(EIP_EXISTS);
    return eip;
}

function findPackage(world: World, id: string): BandwidthPackage {
    const found = world.vpc.bandwidthPackages.get(id);
    if (found === undefined) throw refusal(PACKAGE_EXISTS);
    return found;
}

function tagRows(tags: ReadonlyMap<string, string>): JsonObject {
    return { Tag: [...tags].map(([Key, Value]) => ({ Key, Value })) };
}

function eipView(world: World, eip: Eip): JsonObject {
    return {
        AllocationId: eip.id,
        IpAddress: eip.address,
        Status: eip.instanceId === "" ? "Available" : "InUse",
        Bandwidth: eip.bandwidth,
        InternetChargeType: eip.internetChargeType,
        InstanceChargeType: "PostPaid",
        ChargeType: "PostPaid",
        ISP: "BGP",
        Netmode: "public",
        Name: eip.name,
        Description: eip.description,
        // The API answers the misspelled key as well.
        Descritpion: eip.description,
        ResourceGroupId: eip.resourceGroupId,
        RegionId: world.region,
        AllocationTime: "2026-01-01T00:00:00Z",
        DeletionProtection: false,
        HDMonitorStatus: "OFF",
        SecurityProtectionTypes: { SecurityProtectionType: [] },
        PublicIpAddressPoolId: "",
        Mode: "",
        InstanceId: eip.instanceId,
        InstanceType: eip.instanceType,
        BandwidthPackageId: eip.bandwidthPackageId,
        Zone: "",
        Tags: tagRows(eip.tags),
    };
}

function packageView(world: World, b: BandwidthPackage): JsonObject {
    const members = [...world.vpc.eips.values()].filter((e) => e.bandwidthPackageId === b.id);
    return {
        BandwidthPackageId: b.id,
        Name: b.name,
        Description: b.description,
        Bandwidth: b.bandwidth,
        InternetChargeType: b.internetChargeType,
        InstanceChargeType: "PostPaid",
        BusinessStatus: "Normal",
        Status: "Available",
        ISP: "BGP",
        Ratio: 100,
        Zone: "",
        DeletionProtection: false,
        ResourceGroupId: b.resourceGroupId,
        RegionId: world.region,
        CreationTime: "2026-01-01T00:00:00Z",
        PublicIpAddresses: { PublicIpAddresse: members.map((e) => ({ AllocationId: e.id, IpAddress: e.address })) },
        SecurityProtectionTypes: { SecurityProtectionType: [] },
        Tags: tagRows(b.tags),
    };
}

function tagsOf(world: World, type: string, id: string): Map<string, string> {
    switch (type.toUpperCase()) {
        case "EIP":
            return findEip(world, id).tags;
        case "COMMONBANDWIDTHPACKAGE":
            return findPackage(world, id).tags;
        case "VSWITCH":
            return world.vpc.vSwitches.get(id)?.tags ?? new Map();
        default:
            return world.vpc.vpcs.get(id)?.tags ?? new Map();
    }
}

const EIP: ParamSpecs = { AllocationId: { required: true } };
const PACKAGE: ParamSpecs = { BandwidthPackageId: { required: true } };

export const publicAddressActions: readonly Action[] = [
    writes("AllocateEipAddress", {}, (p, world) => {
        const id = world.ids.next("eip");
        const eip: Eip = {
            id,
            address: takePublic(world, id),
            name: p.text("Name") ?? "",
            description: p.text("Description") ?? "",
            bandwidth: p.text("Bandwidth") ?? "5",
            internetChargeType: p.text("InternetChargeType") ?? "PayByTraffic",
            instanceId: "",
            instanceType: "",
            resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
            bandwidthPackageId: "",
            tags: new Map(),
        };
        world.vpc.eips.set(id, eip);
        return { AllocationId: id, EipAddress: eip.address, ResourceGroupId: eip.resourceGroupId, OrderId: 1 };
    }),
    reads("DescribeEipAddresses", {}, (p, world) => {
        const ids = p.text("AllocationId")?.split(",");
        const type = p.text("AssociatedInstanceType");
        const found = [...world.vpc.eips.values()].filter(
            (e) =>
                (ids?.includes(e.id) ?? true) &&
                (p.text("EipAddress") ?? e.address) === e.address &&
                (type ?? e.instanceType) === e.instanceType &&
                (p.text("AssociatedInstanceId") ?? e.instanceId) === e.instanceId &&
                hasTags(p, e.tags),
        );
        const { rows, counters } = numberedPage(p, found);
        return { ...counters, EipAddresses: { EipAddress: rows.map((e) => eipView(world, e)) } };
    }),
    writes("ModifyEipAddressAttribute", EIP, (p, world) => {
        const eip = findEip(world, p.need("AllocationId"));
        eip.name = p.text("Name") ?? eip.name;
        eip.description = p.text("Description") ?? eip.description;
        eip.bandwidth = p.text("Bandwidth") ?? eip.bandwidth;
    }),
    writes("AssociateEipAddress", { ...EIP, InstanceId: { required: true } }, (p, world) => {
        const eip = findEip(world, p.need("AllocationId"));
        world.rules.check(EIP_FREE, eip.instanceId === "");
        eip.instanceId = p.need("InstanceId");
        eip.instanceType = p.text("InstanceType") ?? (eip.instanceId.startsWith("lb-") ? "SlbInstance" : "EcsInstance");
    }),
    writes("UnassociateEipAddress", EIP, (p, world) => {
        const eip = findEip(world, p.need("AllocationId"));
        eip.instanceId = "";
        eip.instanceType = "";
    }),
    writes("ReleaseEipAddress", EIP, (p, world) => {
        const eip = findEip(world, p.need("AllocationId"));
        world.rules.check(EIP_FREE, eip.instanceId === "");
        releaseAddresses(world, eip.id);
        world.vpc.eips.delete(eip.id);
    }),
    writes("CreateCommonBandwidthPackage", { Bandwidth: { required: true } }, (p, world) => {
        const id = world.ids.next("cbwp");
        world.vpc.bandwidthPackages.set(id, {
            id,
            name: p.text("Name") ?? "",
            description: p.text("Description") ?? "",
            bandwidth: p.need("Bandwidth"),
            internetChargeType: p.text("InternetChargeType") ?? "PayByBandwidth",
            resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
            tags: new Map(),
        });
        return { BandwidthPackageId: id, ResourceGroupId: p.text("ResourceGroupId") ?? "rg-default" };
    }),
    reads("DescribeCommonBandwidthPackages", {}, (p, world) => {
        const found = [...world.vpc.bandwidthPackages.values()].filter(
            (b) => (p.text("BandwidthPackageId") ?? b.id) === b.id && (p.text("Name") ?? b.name) === b.name,
        );
        const { rows, counters } = numberedPage(p, found);
        return {
            ...counters,
            CommonBandwidthPackages: { CommonBandwidthPackage: rows.map((b) => packageView(world, b)) },
        };
    }),
    writes("ModifyCommonBandwidthPackageAttribute", PACKAGE, (p, world) => {
        const b = findPackage(world, p.need("BandwidthPackageId"));
        b.name = p.text("Name") ?? b.name;
        b.description = p.text("Description") ?? b.description;
    }),
    writes("ModifyCommonBandwidthPackageSpec", { ...PACKAGE, Bandwidth: { required: true } }, (p, world) => {
        findPackage(world, p.need("BandwidthPackageId")).bandwidth = p.need("Bandwidth");
    }),
    writes("DeleteCommonBandwidthPackage", PACKAGE, (p, world) => {
        world.vpc.bandwidthPackages.delete(findPackage(world, p.need("BandwidthPackageId")).id);
    }),
    writes("TagResources", { ResourceType: { required: true }, ResourceId: { required: true } }, (p, world) => {
        for (const id of p.list("ResourceId")) {
            const tags = tagsOf(world, p.need("ResourceType"), id);
            for (const tag of p.structs("Tag")) tags.set(tag.text("Key") ?? "", tag.text("Value") ?? "");
        }
    }),
    // This product spells the action with a capital T.
    writes("UnTagResources", { ResourceType: { required: true }, ResourceId: { required: true } }, (p, world) => {
        for (const id of p.list("ResourceId"))
            for (const key of p.list("TagKey")) tagsOf(world, p.need("ResourceType"), id).delete(key);
    }),
    reads("ListTagResources", { ResourceType: { required: true } }, (p, world) => {
        const rows = p.list("ResourceId").flatMap((ResourceId) =>
            [...tagsOf(world, p.need("ResourceType"), ResourceId)].map(([TagKey, TagValue]) => ({
                ResourceId,
                ResourceType: p.need("ResourceType"),
                TagKey,
                TagValue,
            })),
        );
        return { NextToken: "", TagResources: { TagResource: rows } };
    }),
];
