import type { Action, Caller } from "../actions";
import { hasTags, tokenPage, Transition, type JsonObject, type Params, type ParamSpecs } from "../core";
import type { World } from "../world";
import { applyTags, changeableLoadBalancer, findLoadBalancer, oneOf, QUOTA, time } from "./common";
import { nlbReads, nlbWrites, startJob, stopDryRun } from "./jobs";
import * as rules from "./load-balancer-rules";
import { loadBalancerView } from "./load-balancer-view";
import type { NlbLoadBalancer, ZoneMapping } from "./state";
import { makePrivate, makePublic, readZones, releaseZone, takeZone } from "./zones";

const ID: ParamSpecs = { LoadBalancerId: { required: true } };
const ADDRESS_TYPE = { allowed: ["Internet", "Intranet", "internet", "intranet"], code: "IllegalParam.AddressType" };

/** Returns the reported form of an address type, which is accepted in any case. */
function capital(addressType: string): string {
    return addressType.toLowerCase() === "intranet" ? "Intranet" : "Internet";
}

function checkName(world: World, name: string | undefined): void {
    world.rules.check(rules.NAME_FORM, name === undefined || /^\p{L}[\p{L}\p{N}._-]{1,127}$/u.test(name));
}

function checkReason(world: World, kind: string, reason: string | undefined): void {
    world.rules.check(
        rules.REASON_FORM,
        reason === undefined || /^\p{L}[\p{L}\p{N}._ -]{1,127}$/u.test(reason),
        kind,
        kind,
    );
}

function checkPackage(world: World, id: string | undefined): void {
    world.rules.check(rules.PACKAGE_EXISTS, id === undefined || world.vpc.bandwidthPackages.has(id));
}

function create(p: Params, world: World, caller: Caller): JsonObject {
    world.rules.check(rules.NO_ARREARS, !world.config.account.inArrears);
    const { nlbLoadBalancers } = world.config.quotas;
    const count = world.nlb.loadBalancers.size;
    world.rules.check(QUOTA, count < nlbLoadBalancers, "loadbalancers", count, nlbLoadBalancers);
    const vpcId = p.need("VpcId");
    world.rules.check(rules.VPC_EXISTS, world.vpc.vpcs.has(vpcId));
    checkName(world, p.text("LoadBalancerName"));
    checkReason(world, "DeletionProtectionConfig", p.text("DeletionProtectionConfig.Reason"));
    checkReason(world, "ModificationProtectionConfig", p.text("ModificationProtectionConfig.Reason"));
    checkPackage(world, p.text("BandwidthPackageId"));
    const given = readZones(world, p, vpcId, "");
    const tags = new Map<string, string>();
    applyTags(world, tags, p);
    stopDryRun(p);

    const id = world.ids.next("nlb");
    const now = world.now();
    const addressType = capital(p.need("AddressType"));
    const addressIpVersion = p.text("AddressIpVersion") ?? "ipv4";
    const status = new Transition<string>("Active");
    status.go("Provisioning", caller.jobFails ? "CreateFailed" : "Active", world.config.delays.nlbLoadBalancer, now);
    const lb: NlbLoadBalancer = {
        id,
        name: p.text("LoadBalancerName") ?? "",
        type: p.text("LoadBalancerType") ?? "Network",
        addressType,
        addressIpVersion,
        ipv6AddressType: addressIpVersion.toLowerCase() === "dualstack" ? "Intranet" : "",
        vpcId,
        zones: given.map((zone) =>
            takeZone(world, zone, id, addressType, addressIpVersion.toLowerCase() === "dualstack"),
        ),
        bandwidthPackageId: p.text("BandwidthPackageId") ?? "",
        crossZoneEnabled: true,
        cps: undefined,
        resourceGroupId: p.text("ResourceGroupId") ?? "rg-default",
        payType: p.text("LoadBalancerBillingConfig.PayType") ?? "PostPay",
        deletionProtection: { enabled: false, enabledTime: "", reason: "" },
        modificationProtection: { status: "NonProtection", enabledTime: "", reason: "" },
        securityGroupIds: p.list("SecurityGroupIds"),
        dnsName: `${id}.${world.region}.nlb.aliyuncs.com`,
        status,
        tags,
        createdAt: now,
    };
    protectDeletion(world, lb, p.bool("DeletionProtectionConfig.Enabled"), p.text("DeletionProtectionConfig.Reason"));
    protectModification(
        world,
        lb,
        p.text("ModificationProtectionConfig.Status"),
        p.text("ModificationProtectionConfig.Reason"),
    );
    world.nlb.loadBalancers.set(id, lb);
    return { LoadbalancerId: id, OrderId: 1 };
}

/**
 * A reason has an effect only with the request to protect (recorded: nlb-modprot-reason in testdata/alicloud-plugin).
 */
function protectDeletion(
    world: World,
    lb: NlbLoadBalancer,
    enabled: boolean | undefined,
    reason: string | undefined,
): void {
    if (enabled === undefined) return;
    lb.deletionProtection = enabled
        ? { enabled, enabledTime: time(world.now()), reason: reason ?? "" }
        : { enabled, enabledTime: "", reason: "" };
}

function protectModification(
    world: World,
    lb: NlbLoadBalancer,
    status: string | undefined,
    reason: string | undefined,
): void {
    if (status === undefined) return;
    const on = status === "ConsoleProtection";
    lb.modificationProtection = on
        ? { status, enabledTime: time(world.now()), reason: reason ?? "" }
        : { status, enabledTime: "", reason: "" };
}

/** Starts a job that changes an instance, which is Configuring until then. */
function change(world: World, caller: Caller, lb: NlbLoadBalancer, action: string, effect: () => void): JsonObject {
    lb.status.go("Configuring", "Active", world.config.delays.nlbJob, world.now());
    return { JobId: startJob(world, caller, { action, resourceType: "loadbalancer", resourceId: lb.id, effect }) };
}

function remove(p: Params, world: World, caller: Caller): JsonObject {
    // An instance whose creation failed can only be deleted ("Overview of NLB instances", instance status).
    const found = findLoadBalancer(world, p.need("LoadBalancerId"));
    const failed = found.status.now(world.now()) === "CreateFailed";
    const lb = failed ? found : changeableLoadBalancer(world, found.id, caller);
    world.rules.check(rules.NOT_DELETE_PROTECTED, failed || !lb.deletionProtection.enabled);
    stopDryRun(p);
    lb.status.go("Deleting", failed ? "CreateFailed" : "Active", world.config.delays.nlbJob, world.now());
    const effect = (): void => {
        for (const listener of world.nlb.listeners.values())
            if (listener.loadBalancerId === lb.id) world.nlb.listeners.delete(listener.id);
        for (const zone of lb.zones) releaseZone(world, zone, lb.id);
        world.nlb.loadBalancers.delete(lb.id);
    };
    return {
        JobId: startJob(world, caller, {
            action: "DeleteLoadBalancer",
            resourceType: "loadbalancer",
            resourceId: lb.id,
            effect,
        }),
    };
}

/**
 * Reports whether a zone stays as it is. It changes for another vSwitch or address, and an omitted address fits any.
 */
function keeps(zone: ZoneMapping, given: Params): boolean {
    const same = (name: string, value: string): boolean => (given.text(name) ?? value) === value;
    return (
        given.need("ZoneId") === zone.zoneId &&
        given.need("VSwitchId") === zone.vSwitchId &&
        same("PrivateIPv4Address", zone.privateAddress) &&
        same("AllocationId", zone.allocationId)
    );
}

function updateZones(p: Params, world: World, caller: Caller): JsonObject {
    const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
    const given = readZones(world, p, lb.vpcId, lb.id);
    stopDryRun(p);
    return change(world, caller, lb, "UpdateLoadBalancerZones", () => {
        const kept = lb.zones.filter((zone) => given.some((g) => keeps(zone, g)));
        for (const zone of lb.zones) if (!kept.includes(zone)) releaseZone(world, zone, lb.id);
        lb.zones = given.map((g) => {
            const zone = kept.find((k) => k.zoneId === g.need("ZoneId"));
            return zone ?? takeZone(world, g, lb.id, lb.addressType, lb.addressIpVersion.toLowerCase() === "dualstack");
        });
    });
}

function joinSecurityGroups(p: Params, world: World, caller: Caller): JsonObject {
    const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
    const ids = p.list("SecurityGroupIds");
    for (const id of ids) world.rules.check(rules.SECURITY_GROUP_EXISTS, world.ecs.securityGroups.has(id));
    stopDryRun(p);
    return change(world, caller, lb, "LoadBalancerJoinSecurityGroup", () => {
        lb.securityGroupIds = [...new Set([...lb.securityGroupIds, ...ids])];
    });
}

function list(p: Params, world: World): JsonObject {
    const found = [...world.nlb.loadBalancers.values()].filter(
        (lb) =>
            oneOf(p, "LoadBalancerIds", lb.id) &&
            oneOf(p, "LoadBalancerNames", lb.name) &&
            oneOf(p, "VpcIds", lb.vpcId) &&
            (p.text("AddressType") ?? lb.addressType).toLowerCase() === lb.addressType.toLowerCase() &&
            (p.text("AddressIpVersion") ?? lb.addressIpVersion) === lb.addressIpVersion &&
            (p.text("LoadBalancerStatus") ?? lb.status.now(world.now())) === lb.status.now(world.now()) &&
            (p.text("DNSName") ?? lb.dnsName) === lb.dnsName &&
            (p.text("ZoneId") === undefined || lb.zones.some((z) => z.zoneId === p.text("ZoneId"))) &&
            hasTags(p, lb.tags),
    );
    const { rows, counters } = tokenPage(p, found, 20);
    return { ...counters, LoadBalancers: rows.map((lb) => loadBalancerView(world, lb)) };
}

const CPS = { min: 0, max: 1_000_000, code: "IllegalParam.Cps" };

export const loadBalancerActions: readonly Action[] = [
    nlbWrites(
        "CreateLoadBalancer",
        {
            AddressType: { required: true, ...ADDRESS_TYPE },
            AddressIpVersion: {
                allowed: ["ipv4", "Ipv4", "DualStack", "dualstack"],
                code: "IllegalParam.AddressIpVersion",
            },
            VpcId: { required: true },
            ZoneMappings: { required: true },
            "ModificationProtectionConfig.Status": {
                allowed: ["NonProtection", "ConsoleProtection"],
                code: "IllegalParam.ModificationProtectionConfig",
            },
            Tag: { maxItems: 20 },
        },
        create,
    ),
    nlbReads("GetLoadBalancerAttribute", ID, (p, world) =>
        loadBalancerView(world, findLoadBalancer(world, p.need("LoadBalancerId"))),
    ),
    nlbReads("ListLoadBalancers", { MaxResults: { min: 1, max: 100 } }, list),
    nlbWrites("DeleteLoadBalancer", ID, remove),
    nlbWrites("UpdateLoadBalancerAttribute", { ...ID, Cps: CPS }, (p, world, caller) => {
        const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
        checkName(world, p.text("LoadBalancerName"));
        stopDryRun(p);
        return change(world, caller, lb, "UpdateLoadBalancerAttribute", () => {
            lb.name = p.text("LoadBalancerName") ?? lb.name;
            lb.crossZoneEnabled = p.bool("CrossZoneEnabled") ?? lb.crossZoneEnabled;
            lb.cps = p.int("Cps") ?? lb.cps;
        });
    }),
    nlbWrites(
        "UpdateLoadBalancerAddressTypeConfig",
        { ...ID, AddressType: { required: true, ...ADDRESS_TYPE } },
        (p, world, caller) => {
            const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
            stopDryRun(p);
            return change(world, caller, lb, "UpdateLoadBalancerAddressTypeConfig", () => {
                lb.addressType = capital(p.need("AddressType"));
                for (const zone of lb.zones)
                    (lb.addressType === "Internet" ? makePublic : makePrivate)(world, zone, lb.id);
            });
        },
    ),
    nlbWrites("UpdateLoadBalancerZones", { ...ID, ZoneMappings: { required: true } }, updateZones),
    nlbWrites("UpdateLoadBalancerProtection", ID, (p, world) => {
        const lb = findLoadBalancer(world, p.need("LoadBalancerId"));
        stopDryRun(p);
        protectDeletion(world, lb, p.bool("DeletionProtectionEnabled"), p.text("DeletionProtectionReason"));
        protectModification(world, lb, p.text("ModificationProtectionStatus"), p.text("ModificationProtectionReason"));
    }),
    nlbWrites("LoadBalancerJoinSecurityGroup", { ...ID, SecurityGroupIds: { required: true } }, joinSecurityGroups),
    nlbWrites("LoadBalancerLeaveSecurityGroup", { ...ID, SecurityGroupIds: { required: true } }, (p, world, caller) => {
        const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
        stopDryRun(p);
        const ids = p.list("SecurityGroupIds");
        return change(world, caller, lb, "LoadBalancerLeaveSecurityGroup", () => {
            lb.securityGroupIds = lb.securityGroupIds.filter((id) => !ids.includes(id));
        });
    }),
    ...(["Enable", "Disable"] as const).map((verb) =>
        nlbWrites(`${verb}LoadBalancerIpv6Internet`, ID, (p, world, caller) => {
            const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
            stopDryRun(p);
            lb.ipv6AddressType = verb === "Enable" ? "Internet" : "Intranet";
        }),
    ),
    nlbWrites(
        "AttachCommonBandwidthPackageToLoadBalancer",
        { ...ID, BandwidthPackageId: { required: true } },
        (p, world, caller) => {
            const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
            checkPackage(world, p.text("BandwidthPackageId"));
            stopDryRun(p);
            return change(world, caller, lb, "AttachCommonBandwidthPackageToLoadBalancer", () => {
                lb.bandwidthPackageId = p.need("BandwidthPackageId");
            });
        },
    ),
    nlbWrites(
        "DetachCommonBandwidthPackageFromLoadBalancer",
        { ...ID, BandwidthPackageId: { required: true } },
        (p, world, caller) => {
            const lb = changeableLoadBalancer(world, p.need("LoadBalancerId"), caller);
            stopDryRun(p);
            return change(world, caller, lb, "DetachCommonBandwidthPackageFromLoadBalancer", () => {
                lb.bandwidthPackageId = "";
            });
        },
    ),
];
