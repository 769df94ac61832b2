import { rule, type Params } from "../core";
import { releaseAddresses, takeIpv6, takePrivate, takePublic } from "../vpc/addresses";
import type { World } from "../world";
import type { ZoneMapping } from "./state";

const CREATE = "NLB API CreateLoadBalancer, error codes";

const AT_LEAST_TWO = rule({
    id: "nlb.zones.at-least-two",
    code: "InvalidZones",
    message: "The current zone list is illegal.",
    when: "fewer than two or more than ten zones are given",
    source: "NLB API CreateLoadBalancer, parameter ZoneMappings",
});

const DISTINCT = rule({
    id: "nlb.zones.distinct",
    code: "OperationFailed.DuplicateZones",
    message: "The operation failed because of Can not Specify duplicate zones.",
    when: "a zone is given twice",
    source: CREATE,
});

const VSWITCH_EXISTS = rule({
    id: "nlb.zones.vswitch-exists",
    code: "ResourceNotFound.VSwitch",
    status: 404,
    message: "The specified resource of vSwitch is not found.",
    when: "a vSwitch is unknown",
    source: CREATE,
});

const VSWITCH_IN_ZONE = rule({
    id: "nlb.zones.vswitch-in-zone",
    code: "Mismatch.ZoneIdAndVswitchId",
    message: "The ZoneIdAndVswitchId is mismatched for %s and %s.",
    when: "a vSwitch is in another zone",
    source: CREATE,
});

const VSWITCH_IN_VPC = rule({
    id: "nlb.zones.vswitch-in-vpc",
    code: "Mismatch.VpcId",
    message: "The VpcId is mismatched for %s and %s.",
    when: "a vSwitch is in another VPC than the instance",
    source: "NLB API, error codes",
});

const ADDRESS_LEFT = rule({
    id: "nlb.zones.address-available",
    code: "ResourceNotEnough.VSwitchIp",
    message: "The specified resource of VSwitchIp is not enough.",
    when: "a vSwitch has no address left",
    source: CREATE,
});

const EIP_EXISTS = rule({
    id: "nlb.zones.eip-exists",
    code: "ResourceNotFound.Eip",
    status: 404,
    message: "The specified resource of Eip is not found.",
    when: "AllocationId names no EIP of the account",
    source: "NLB API CreateLoadBalancer, parameter AllocationId (the code is this lab's)",
});

const EIP_FREE = rule({
    id: "nlb.zones.eip-free",
    code: "ResourceAlreadyAssociated.AllocationId",
    message: "The specified resource of %s is already associated.",
    when: "the EIP is bound to something else, or given for two zones",
    source: CREATE,
});

/** Reads `ZoneMappings.N` and checks them without taking any address. */
export function readZones(world: World, p: Params, vpcId: string, owner: string): Params[] {
    const given = p.structs("ZoneMappings");
    world.rules.check(AT_LEAST_TWO, given.length >= 2 && given.length <= 10);
    const zones = given.map((z) => z.need("ZoneId"));
    world.rules.check(DISTINCT, new Set(zones).size === zones.length);
    const eips = given.map((z) => z.text("AllocationId")).filter((id) => id !== undefined);
    world.rules.check(EIP_FREE, new Set(eips).size === eips.length, "AllocationId");
    for (const zone of given) {
        const vSwitch = world.vpc.vSwitches.get(zone.need("VSwitchId"));
        world.rules.check(VSWITCH_EXISTS, vSwitch !== undefined);
        if (vSwitch !== undefined) {
            world.rules.check(VSWITCH_IN_ZONE, vSwitch.zoneId === zone.need("ZoneId"), zone.need("ZoneId"), vSwitch.id);
            world.rules.check(VSWITCH_IN_VPC, vSwitch.vpcId === vpcId, vSwitch.id, vpcId);
        }
        const allocation = zone.text("AllocationId");
        if (allocation === undefined || allocation.startsWith("eip-auto-")) continue;
        const eip = world.vpc.eips.get(allocation);
        world.rules.check(EIP_EXISTS, eip !== undefined);
        world.rules.check(EIP_FREE, eip === undefined || eip.instanceId === "" || eip.instanceId === owner, allocation);
    }
    return given;
}

/** Binds a zone's public address: the given EIP, or an address that the cloud allocates. */
export function makePublic(world: World, zone: ZoneMapping, owner: string): void {
    if (zone.allocationId === "") zone.allocationId = `eip-auto-${zone.zoneId.slice(-1)}`;
    const eip = world.vpc.eips.get(zone.allocationId);
    if (eip !== undefined) {
        eip.instanceId = owner;
        eip.instanceType = "Nlb";
    }
    if (zone.publicAddress === "") zone.publicAddress = eip?.address ?? takePublic(world, `${owner} ${zone.zoneId}`);
}

/** Gives a zone's public address back. */
export function makePrivate(world: World, zone: ZoneMapping, owner: string): void {
    const eip = world.vpc.eips.get(zone.allocationId);
    if (eip?.instanceId === owner) {
        eip.instanceId = "";
        eip.instanceType = "";
    }
    releaseAddresses(world, `${owner} ${zone.zoneId}`);
    zone.allocationId = "";
    zone.publicAddress = "";
}

/** A zone of an instance with its addresses taken. */
export function takeZone(
    world: World,
    given: Params,
    owner: string,
    addressType: string,
    dualStack: boolean,
): ZoneMapping {
    const zoneId = given.need("ZoneId");
    const vSwitchId = given.need("VSwitchId");
    const vSwitch = world.vpc.vSwitches.get(vSwitchId);
    const desired = given.text("PrivateIPv4Address");
    const zone: ZoneMapping = {
        zoneId,
        vSwitchId,
        allocationId: given.text("AllocationId") ?? "",
        publicAddress: "",
        privateAddress:
            vSwitch === undefined
                ? (desired ?? "")
                : takePrivate(world, vSwitch, `${owner} ${zoneId} private`, desired, ADDRESS_LEFT),
        ipv6Address: dualStack
            ? (given.text("Ipv6Address") ?? takeIpv6(world, `${owner} ${zoneId} private`))
            : (given.text("Ipv6Address") ?? ""),
        eniId: `eni-${zoneId.slice(-1)}`,
        ipv4LocalAddresses: given.list("Ipv4LocalAddresses"),
        ipv6LocalAddresses: given.list("Ipv6LocalAddresses"),
    };
    if (addressType.toLowerCase() === "internet") makePublic(world, zone, owner);
    return zone;
}

/** Gives all addresses of a zone back. */
export function releaseZone(world: World, zone: ZoneMapping, owner: string): void {
    makePrivate(world, zone, owner);
    releaseAddresses(world, `${owner} ${zone.zoneId} private`);
}
