import { reads, writes, type Action, type Caller } from "../actions";
import { Transition, type JsonObject, type Params, type ParamSpecs } from "../core";
import { releaseAddresses, takeIpv6, takePrivate, takePublic } from "../vpc/addresses";
import type { VSwitch } from "../vpc/state";
import type { World } from "../world";
import * as rules from "./load-balancer-rules";
import { loadBalancerDetail, loadBalancerView } from "./load-balancer-view";
import { findLoadBalancer } from "./lookup";
import type { LoadBalancer } from "./state";
import { applyTags } from "./tags";

export const SPECS = ["slb.s1.small", "slb.s2.small", "slb.s2.medium", "slb.s3.small", "slb.s3.medium", "slb.s3.large", "slb.s4.large", "slb.lcu.elastic"];

/** What the API shows as the specification of a PayByCLCU instance. */
const CLCU_SPEC = "slb.lcu.elastic";

/** Highest bandwidth, which is also what an instance charged by traffic reports. */
const MAX_BANDWIDTH = 5120;

const ID: ParamSpecs = { LoadBalancerId: { required: true } };
const ON_OFF = { allowed: ["on", "off"] };

function isByBandwidth(chargeType: string): boolean {
    return chargeType.toLowerCase() === "paybybandwidth";
}

function checkName(world: World, name: string): void {
    world.rules.check(rules.NAME_FORM, [...name].length <= 128 && /^\p{L}[\p{L}\p{N}._/-]*$/u.test(name));
}

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

/** The zones of a new instance: the given ones, else that of the vSwitch with another one, else the region's default. */
function zonesOf(world: World, p: Params, vSwitch: VSwitch | undefined): [string, string] {
    const [first, second] = world.defaultZones();
    const master = p.text("MasterZoneId") ?? vSwitch?.zoneId ?? first;
    const slave = p.text("SlaveZoneId") ?? (master === second ? first : second);
    const known = [master, slave].every((zone) => world.config.zones.some((letter) => world.zone(letter) === zone));
    world.rules.check(rules.ZONE_KNOWN, known && master !== slave);
    return [master, slave];
}

function specOf(world: World, p: Params, instanceChargeType: string): string {
    if (instanceChargeType === "PayByCLCU") return CLCU_SPEC;
    const spec = p.text("LoadBalancerSpec");
    world.rules.check(rules.SHARED_NOT_SOLD, spec !== undefined);
    return spec ?? "slb.s1.small";
}

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

function create(p: Params, world: World): JsonObject {
    const known = repeated(world, p);
    if (known !== undefined) return created(known);

    const { account, quotas } = world.config;
    world.rules.check(rules.NO_ARREARS, !account.inArrears);
    world.rules.check(rules.BALANCE_ENOUGH, account.balance >= 100);
    world.rules.check(rules.INSTANCE_QUOTA, world.slb.loadBalancers.size < quotas.loadBalancers);
    const name = p.text("LoadBalancerName");
    if (name !== undefined) checkName(world, name);
    const addressIpVersion = p.text("AddressIPVersion") ?? "ipv4";
    // The API takes a vSwitch without an address type as a wish for an intranet instance.
    const addressType = p.text("AddressType") ?? (p.text("VSwitchId") === undefined ? "internet" : "intranet");
    world.rules.check(rules.IPV6_ONLY_PUBLIC, !(addressIpVersion === "ipv6" && addressType === "intranet"));
    const instanceChargeType = p.text("InstanceChargeType") ?? "PayBySpec";
    const internetChargeType = (p.text("InternetChargeType") ?? "paybytraffic").toLowerCase();
    world.rules.check(rules.CLCU_BY_TRAFFIC, !(instanceChargeType === "PayByCLCU" && isByBandwidth(internetChargeType)));
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
        backends: [],
        createdAt: world.now(),
    };
    world.slb.loadBalancers.set(id, loadBalancer);
    const token = p.text("ClientToken");
    if (token !== undefined) world.slb.clientTokens.set(token, { loadBalancerId: id, request: requestKey(p) });
    return created(loadBalancer);
}

function takeAddress(world: World, p: Params, id: string, addressType: string, ipVersion: string, vSwitch: VSwitch | undefined): string {
    if (ipVersion === "ipv6") return takeIpv6(world, id);
    if (addressType === "internet") return takePublic(world, id);
    return vSwitch === undefined ? (p.text("Address") ?? "192.168.0.10") : takePrivate(world, vSwitch, id, p.text("Address"));
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

function checkReason(world: World, reason: string | undefined): void {
    world.rules.check(rules.PROTECTION_REASON, reason === undefined || (reason.length <= 80 && /^\p{L}/u.test(reason)));
}

/** The instance to change; a person in the console is held back by modification protection. */
export function changeable(world: World, id: string, caller: Caller): LoadBalancer {
    const loadBalancer = findLoadBalancer(world, id);
    const isProtected = caller.origin === "console" && loadBalancer.modificationProtectionStatus === "ConsoleProtection";
    world.rules.check(rules.NOT_MODIFICATION_PROTECTED, !isProtected);
    return loadBalancer;
}

function remove(p: Params, world: World, caller: Caller): void {
    const loadBalancer = changeable(world, p.need("LoadBalancerId"), caller);
    world.rules.check(rules.NOT_DELETE_PROTECTED, loadBalancer.deleteProtection !== "on");
    const { id } = loadBalancer;
    const slb = world.slb;
    for (const owned of [slb.listeners, slb.vServerGroups, slb.masterSlaveGroups, slb.rules, slb.domainExtensions]) {
        for (const [key, object] of owned as Map<string, { loadBalancerId: string }>) if (object.loadBalancerId === id) owned.delete(key);
    }
    releaseAddresses(world, id);
    slb.loadBalancers.delete(id);
}

function setInternetSpec(p: Params, world: World, caller: Caller): void {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const chargeType = p.text("InternetChargeType")?.toLowerCase();
    const bandwidth = p.int("Bandwidth");
    world.rules.check(rules.BANDWIDTH_RANGE, bandwidth === undefined || (bandwidth >= 1 && bandwidth <= MAX_BANDWIDTH));
    world.rules.check(rules.INTRANET_BY_TRAFFIC, lb.addressType === "internet");
    world.rules.check(rules.CLCU_BY_TRAFFIC, !(lb.instanceChargeType === "PayByCLCU" && isByBandwidth(chargeType ?? lb.internetChargeType)));
    if (chargeType !== undefined) lb.internetChargeType = chargeType;
    if (bandwidth !== undefined) lb.bandwidth = bandwidth;
}

function setInstanceChargeType(p: Params, world: World, caller: Caller): void {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const wanted = p.need("InstanceChargeType");
    world.rules.check(rules.CLCU_IS_ONE_WAY, !(lb.instanceChargeType === "PayByCLCU" && wanted === "PayBySpec"));
    lb.instanceChargeType = wanted;
    lb.spec = wanted === "PayByCLCU" ? CLCU_SPEC : (p.text("LoadBalancerSpec") ?? "slb.s1.small");
    if (wanted === "PayByCLCU") {
        lb.internetChargeType = "paybytraffic";
        lb.bandwidth = MAX_BANDWIDTH;
    }
}

/** Does the instance match the filters of DescribeLoadBalancers? Comma lists match any of their values. */
function matches(p: Params, lb: LoadBalancer): boolean {
    const filters: readonly [string, string][] = [
        ["LoadBalancerId", lb.id],
        ["LoadBalancerName", lb.name],
        ["Address", lb.address],
        ["AddressType", lb.addressType],
        ["AddressIPVersion", lb.addressIpVersion],
        ["NetworkType", lb.networkType],
        ["InternetChargeType", lb.internetChargeType],
        ["PayType", lb.payType],
        ["VpcId", lb.vpcId],
        ["VSwitchId", lb.vSwitchId],
        ["MasterZoneId", lb.masterZoneId],
        ["SlaveZoneId", lb.slaveZoneId],
        ["ResourceGroupId", lb.resourceGroupId],
        ["LoadBalancerStatus", lb.status.now()],
    ];
    return (
        filters.every(([name, value]) => p.text(name)?.split(",").includes(value) ?? true) &&
        wantedTags(p).every(([k, v]) => lb.tags.has(k) && (v === undefined || lb.tags.get(k) === v))
    );
}

/** Tag filters: `Tag.N.Key`, or the older `Tags` that holds a JSON list. */
function wantedTags(p: Params): [string, string | undefined][] {
    const classic = p.json("Tags");
    const parsed = Array.isArray(classic) ? (classic as { TagKey: string; TagValue?: string }[]) : [];
    return [
        ...p.structs("Tag").map((tag): [string, string | undefined] => [tag.text("Key") ?? "", tag.text("Value")]),
        ...parsed.map((tag): [string, string | undefined] => [String(tag?.TagKey), tag?.TagValue]),
    ];
}

function describeAll(p: Params, world: World): JsonObject {
    const number = p.int("PageNumber") ?? 1;
    const size = p.int("PageSize") ?? 50;
    const serverId = p.text("ServerId");
    const found = [...world.slb.loadBalancers.values()].filter((lb) => matches(p, lb) && (serverId === undefined || usesServer(world, lb, serverId)));
    const page = found.slice((number - 1) * size, number * size);
    return {
        TotalCount: found.length,
        PageNumber: number,
        PageSize: size,
        LoadBalancers: { LoadBalancer: page.map((lb) => loadBalancerView(world, lb)) },
    };
}

function usesServer(world: World, lb: LoadBalancer, serverId: string): boolean {
    const groups = [...world.slb.vServerGroups.values(), ...world.slb.masterSlaveGroups.values()].filter((g) => g.loadBalancerId === lb.id);
    return [lb, ...groups].some((holder) => holder.backends.some((b) => b.serverId === serverId));
}

export const loadBalancerActions: readonly Action[] = [
    writes(
        "CreateLoadBalancer",
        {
            AddressType: { allowed: ["internet", "intranet"] },
            AddressIPVersion: { allowed: ["ipv4", "ipv6"] },
            InternetChargeType: { allowed: ["paybytraffic", "paybybandwidth", "PayByTraffic", "PayByBandwidth"], code: "Instance.InternetChargeTypeNotAllowed" },
            InstanceChargeType: { allowed: ["PayBySpec", "PayByCLCU"], code: "IllegalParam.InstanceChargeType" },
            LoadBalancerSpec: { allowed: SPECS },
            Bandwidth: { min: 1, max: MAX_BANDWIDTH, code: "InvalidParameter.Bandwidth" },
            DeleteProtection: ON_OFF,
            ModificationProtectionStatus: { allowed: ["NonProtection", "ConsoleProtection"], code: "InvalidParam.ModificationProtectionStatus" },
            PayType: { allowed: ["PayOnDemand", "PrePay"] },
            Tag: { maxItems: 20 },
        },
        create,
    ),
    writes("DeleteLoadBalancer", ID, remove),
    reads("DescribeLoadBalancerAttribute", ID, (p, world) => loadBalancerDetail(world, findLoadBalancer(world, p.need("LoadBalancerId")))),
    reads("DescribeLoadBalancers", { PageSize: { min: 1, max: 100 }, PageNumber: { min: 1, max: 1e9 } }, describeAll),
    writes("SetLoadBalancerStatus", { ...ID, LoadBalancerStatus: { required: true, allowed: ["active", "inactive"] } }, (p, world, caller) => {
        const status = p.need("LoadBalancerStatus");
        changeable(world, p.need("LoadBalancerId"), caller).status.go(status, status, 0, world.now());
    }),
    writes("SetLoadBalancerDeleteProtection", { ...ID, DeleteProtection: { required: true, ...ON_OFF } }, (p, world) => {
        findLoadBalancer(world, p.need("LoadBalancerId")).deleteProtection = p.need("DeleteProtection");
    }),
    writes("SetLoadBalancerModificationProtection", { ...ID, ModificationProtectionStatus: { required: true, allowed: ["NonProtection", "ConsoleProtection"] } }, (p, world) => {
        const lb = findLoadBalancer(world, p.need("LoadBalancerId"));
        checkReason(world, p.text("ModificationProtectionReason"));
        lb.modificationProtectionStatus = p.need("ModificationProtectionStatus");
        lb.modificationProtectionReason = lb.modificationProtectionStatus === "NonProtection" ? "" : (p.text("ModificationProtectionReason") ?? "");
    }),
    writes("SetLoadBalancerName", { ...ID, LoadBalancerName: { required: true } }, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        checkName(world, p.need("LoadBalancerName"));
        lb.name = p.need("LoadBalancerName");
    }),
    writes("ModifyLoadBalancerInstanceSpec", { ...ID, LoadBalancerSpec: { required: true, allowed: SPECS } }, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        world.rules.check(rules.SPEC_CHANGE_ALLOWED, lb.instanceChargeType !== "PayByCLCU");
        lb.spec = p.need("LoadBalancerSpec");
    }),
    writes("ModifyLoadBalancerInternetSpec", { ...ID, InternetChargeType: { allowed: ["paybytraffic", "paybybandwidth", "PayByTraffic", "PayByBandwidth"] } }, setInternetSpec),
    writes(
        "ModifyLoadBalancerInstanceChargeType",
        { ...ID, InstanceChargeType: { required: true, allowed: ["PayBySpec", "PayByCLCU"] }, LoadBalancerSpec: { allowed: SPECS } },
        setInstanceChargeType,
    ),
    writes("ModifyLoadBalancerPayType", { ...ID, PayType: { required: true, allowed: ["PrePay", "PayOnDemand"] } }, (p, world, caller) => {
        changeable(world, p.need("LoadBalancerId"), caller).payType = p.need("PayType");
    }),
    writes("MoveResourceGroup", { ResourceId: { required: true }, NewResourceGroupId: { required: true } }, (p, world) => {
        findLoadBalancer(world, p.need("ResourceId")).resourceGroupId = p.need("NewResourceGroupId");
    }),
];
