import { reads, writes, type Action } from "../actions";
import { numberedPage, refusal, rule, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import { releaseAddresses, takePublic } from "./addresses";
import type { Eip } from "./state";

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

function findEip(world: World, id: string): Eip {
    const eip = world.vpc.eips.get(id);
    if (eip === undefined) throw refusal(EIP_EXISTS);
    return eip;
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
        BandwidthPackageId: "",
        Zone: "",
        Tags: { Tag: [] },
    };
}

const EIP: ParamSpecs = { AllocationId: { required: true } };

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
                (p.text("AssociatedInstanceId") ?? e.instanceId) === e.instanceId,
        );
        const { rows, counters } = numberedPage(p, found);
        return { ...counters, EipAddresses: { EipAddress: rows.map((e) => eipView(world, e)) } };
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
];
