import { Transition, type JsonObject, type Params } from "../core";
import { takeIpv6, takePrivate, takePublic } from "../vpc/addresses";
import type { VSwitch } from "../vpc/state";
import type { World } from "../world";
import { isByBandwidth, MAX_BANDWIDTH, specOf } from "./load-balancer-charges";
import { checkName, checkReason } from "./load-balancer-checks";
import * as rules from "./load-balancer-rules";
import type { LoadBalancer } from "./state";
import { applyTags } from "./tags";

function vSwitchOf(world: World, p: Params, addressType: string): VSwitch | undefined {
    const id = p.text("VSwitchId");
    if (addressType !== "intranet") return undefined;
    world.rules.check(rules.VSWITCH_GIVEN, id !== undefined);
    if (id === undefined) return undefined;
    const vSwitch = world.vpc.vSwitches.get(id);
    world.rules.check(rules.VSWITCH_EXISTS, vSwitch !== undefined);
    const vpcId = p.text("VpcId");
    world.rules.check(rules.VSWITCH_IN_VPC, vpcId === undefined || vpcId === vSwitch?.vpcId);
    return vSwitch;
}

/**
 * Returns the zones of a new instance: the given zones, else the vSwitch's zone with another, else the region's
 * default.
 */
function zonesOf(world: World, p: Params, vSwitch: VSwitch | undefined): [string, string] {
    const [first, second] = world.defaultZones();
    const master = p.text("MasterZoneId") ?? vSwitch?.zoneId ?? first;
    const slave = p.text("SlaveZoneId") ?? (master === second ? first : second);
    const known = [master, slave].every((zone) => world.config.zones.some((letter) => world.zone(letter) === zone));
    world.rules.check(rules.ZONE_KNOWN, known && master !== slave);
    return [master, slave];
}

/** The instance that the same request, by its client token, has made before. */
function repeated(world: World, p: Params): LoadBalancer | undefined {
    const token = p.text("ClientToken");
    const before = token === undefined ? undefined : world.slb.clientTokens.get(token);
    const loadBalancer = before === undefined ? undefined : world.slb.loadBalancers.get(before.loadBalancerId);
    if (before === undefined || loadBalancer === undefined) return undefined;
    world.rules.check(rules.TOKEN_SAME_REQUEST, before.request === requestKey(p));
    return loadBalancer;
}

function requestKey(p: Params): string {
    return JSON.stringify(Object.entries(p.all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** CreateLoadBalancer. */
export function create(p: Params, world: World): JsonObject {
    const known = repeated(world, p);
    if (known !== undefined) return created(known);

    const { account, quotas } = world.config;
    world.rules.check(rules.NO_ARREARS, !account.inArrears);
    world.rules.check(rules.BALANCE_ENOUGH, account.balance >= 100);
    world.rules.check(rules.INSTANCE_QUOTA, world.slb.loadBalancers.size < quotas.loadBalancers);
    const name = p.text("LoadBalancerName");
    if (name !== undefined) checkName(world, name);
    const addressIpVersion = p.text("AddressIPVersion") ?? "ipv4";
    // The API takes a vSwitch without an address type as a request for an intranet instance.
    const addressType = p.text("AddressType") ?? (p.text("VSwitchId") === undefined ? "internet" : "intranet");
    world.rules.check(rules.IPV6_ONLY_PUBLIC, !(addressIpVersion === "ipv6" && addressType === "intranet"));
    const instanceChargeType = p.text("InstanceChargeType") ?? "PayBySpec";
    const internetChargeType = (p.text("InternetChargeType") ?? "paybytraffic").toLowerCase();
    world.rules.check(
        rules.CLCU_BY_TRAFFIC,
        !(instanceChargeType === "PayByCLCU" && isByBandwidth(internetChargeType)),
    );
    checkReason(world, p.text("ModificationProtectionReason"));
    const spec = specOf(world, p, instanceChargeType);
    const vSwitch = vSwitchOf(world, p, addressType);
    const [masterZoneId, slaveZoneId] = zonesOf(world, p, vSwitch);
    const tags = new Map<string, string>();
    applyTags(world, tags, p.structs("Tag"));

    const id = world.ids.next("lb");
    const status = new Transition<string>("active");
    status.go("inactive", "active", world.config.delays.loadBalancer, world.now());
    const loadBalancer: LoadBalancer = {
        id,
        name: name ?? `auto_named_slb_${id}`,
        address: takeAddress(world, p, id, addressType, addressIpVersion, vSwitch),
        addressType,
        addressIpVersion,
        networkType: vSwitch === undefined ? "classic" : "vpc",
        vpcId: vSwitch?.vpcId ?? "",
        vSwitchId: vSwitch?.id ?? "",
        bandwidth: isByBandwidth(internetChargeType) ? (p.int("Bandwidth") ?? 1) : MAX_BANDWIDTH,
        internetChargeType,
        instanceChargeType,
        spec,
        payType: p.text("PayType") ?? "PayOnDemand",
        masterZoneId,
        slaveZoneId,
        resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
        deleteProtection: p.text("DeleteProtection") ?? "off",
        modificationProtectionStatus: p.text("ModificationProtectionStatus") ?? "NonProtection",
        modificationProtectionReason: p.text("ModificationProtectionReason") ?? "",
        status,
        tags,
        createdAt: world.now(),
    };
    world.slb.loadBalancers.set(id, loadBalancer);
    const token = p.text("ClientToken");
    if (token !== undefined) world.slb.clientTokens.set(token, { loadBalancerId: id, request: requestKey(p) });
    return created(loadBalancer);
}

function takeAddress(
    world: World,
    p: Params,
    id: string,
    addressType: string,
    ipVersion: string,
    vSwitch: VSwitch | undefined,
): string {
    if (ipVersion === "ipv6") return takeIpv6(world, id);
    if (addressType === "internet") return takePublic(world, id);
    return vSwitch === undefined
        ? (p.text("Address") ?? "192.168.0.10")
        : takePrivate(world, vSwitch, id, p.text("Address"));
}

function created(lb: LoadBalancer): JsonObject {
    return {
        LoadBalancerId: lb.id,
        LoadBalancerName: lb.name,
        Address: lb.address,
        AddressIPVersion: lb.addressIpVersion,
        NetworkType: lb.networkType,
        VpcId: lb.vpcId,
        VSwitchId: lb.vSwitchId,
        ResourceGroupId: lb.resourceGroupId,
    };
}
