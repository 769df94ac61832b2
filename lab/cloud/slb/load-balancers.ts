import { reads, writes, type Action, type Caller } from "../actions";
import type { ParamSpecs, Params } from "../core";
import { releaseAddresses } from "../vpc/addresses";
import type { World } from "../world";
import { MAX_BANDWIDTH, setInstanceChargeType, setInternetSpec, SPECS } from "./load-balancer-charges";
import { checkName, checkReason } from "./load-balancer-checks";
import { create } from "./load-balancer-create";
import { describeAll } from "./load-balancer-list";
import * as rules from "./load-balancer-rules";
import { loadBalancerDetail } from "./load-balancer-view";
import { changeable, findLoadBalancer } from "./lookup";

const ID: ParamSpecs = { LoadBalancerId: { required: true } };
const ON_OFF = { allowed: ["on", "off"] };

function remove(p: Params, world: World, caller: Caller): void {
    const loadBalancer = changeable(world, p.need("LoadBalancerId"), caller);
    world.rules.check(rules.NOT_DELETE_PROTECTED, loadBalancer.deleteProtection !== "on");
    const { id } = loadBalancer;
    const slb = world.slb;
    for (const owned of [slb.listeners, slb.vServerGroups, slb.domainExtensions]) {
        for (const [key, object] of owned as Map<string, { loadBalancerId: string }>)
            if (object.loadBalancerId === id) owned.delete(key);
    }
    releaseAddresses(world, id);
    slb.loadBalancers.delete(id);
}

export const loadBalancerActions: readonly Action[] = [
    writes(
        "CreateLoadBalancer",
        {
            AddressType: { allowed: ["internet", "intranet"] },
            AddressIPVersion: { allowed: ["ipv4", "ipv6"] },
            InternetChargeType: {
                allowed: ["paybytraffic", "paybybandwidth", "PayByTraffic", "PayByBandwidth"],
                code: "Instance.InternetChargeTypeNotAllowed",
            },
            InstanceChargeType: { allowed: ["PayBySpec", "PayByCLCU"], code: "IllegalParam.InstanceChargeType" },
            LoadBalancerSpec: { allowed: SPECS },
            Bandwidth: { min: 1, max: MAX_BANDWIDTH, code: "InvalidParameter.Bandwidth" },
            DeleteProtection: ON_OFF,
            ModificationProtectionStatus: {
                allowed: ["NonProtection", "ConsoleProtection"],
                code: "InvalidParam.ModificationProtectionStatus",
            },
            PayType: { allowed: ["PayOnDemand", "PrePay"] },
            Tag: { maxItems: 20 },
        },
        create,
    ),
    writes("DeleteLoadBalancer", ID, remove),
    reads("DescribeLoadBalancerAttribute", ID, (p, world) =>
        loadBalancerDetail(world, findLoadBalancer(world, p.need("LoadBalancerId"))),
    ),
    reads("DescribeLoadBalancers", { PageSize: { min: 1, max: 100 }, PageNumber: { min: 1, max: 1e9 } }, describeAll),
    writes(
        "SetLoadBalancerStatus",
        { ...ID, LoadBalancerStatus: { required: true, allowed: ["active", "inactive"] } },
        (p, world, caller) => {
            const status = p.need("LoadBalancerStatus");
            changeable(world, p.need("LoadBalancerId"), caller).status.go(status, status, 0, world.now());
        },
    ),
    writes(
        "SetLoadBalancerDeleteProtection",
        { ...ID, DeleteProtection: { required: true, ...ON_OFF } },
        (p, world) => {
            findLoadBalancer(world, p.need("LoadBalancerId")).deleteProtection = p.need("DeleteProtection");
        },
    ),
    writes(
        "SetLoadBalancerModificationProtection",
        { ...ID, ModificationProtectionStatus: { required: true, allowed: ["NonProtection", "ConsoleProtection"] } },
        (p, world) => {
            const lb = findLoadBalancer(world, p.need("LoadBalancerId"));
            checkReason(world, p.text("ModificationProtectionReason"));
            lb.modificationProtectionStatus = p.need("ModificationProtectionStatus");
            lb.modificationProtectionReason =
                lb.modificationProtectionStatus === "NonProtection"
                    ? ""
                    : (p.text("ModificationProtectionReason") ?? "");
        },
    ),
    writes("SetLoadBalancerName", { ...ID, LoadBalancerName: { required: true } }, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        checkName(world, p.need("LoadBalancerName"));
        lb.name = p.need("LoadBalancerName");
    }),
    writes(
        "ModifyLoadBalancerInstanceSpec",
        { ...ID, LoadBalancerSpec: { required: true, allowed: SPECS } },
        (p, world, caller) => {
            const lb = changeable(world, p.need("LoadBalancerId"), caller);
            world.rules.check(rules.SPEC_CHANGE_ALLOWED, lb.instanceChargeType !== "PayByCLCU");
            lb.spec = p.need("LoadBalancerSpec");
        },
    ),
    writes(
        "ModifyLoadBalancerInternetSpec",
        {
            ...ID,
            InternetChargeType: { allowed: ["paybytraffic", "paybybandwidth", "PayByTraffic", "PayByBandwidth"] },
        },
        setInternetSpec,
    ),
    writes(
        "ModifyLoadBalancerInstanceChargeType",
        {
            ...ID,
            InstanceChargeType: { required: true, allowed: ["PayBySpec", "PayByCLCU"] },
            LoadBalancerSpec: { allowed: SPECS },
        },
        setInstanceChargeType,
    ),
    writes(
        "ModifyLoadBalancerPayType",
        { ...ID, PayType: { required: true, allowed: ["PrePay", "PayOnDemand"] } },
        (p, world, caller) => {
            changeable(world, p.need("LoadBalancerId"), caller).payType = p.need("PayType");
        },
    ),
    writes(
        "MoveResourceGroup",
        { ResourceId: { required: true }, NewResourceGroupId: { required: true } },
        (p, world) => {
            findLoadBalancer(world, p.need("ResourceId")).resourceGroupId = p.need("NewResourceGroupId");
        },
    ),
];
