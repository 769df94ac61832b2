import type { Caller } from "../actions";
import type { Params } from "../core";
import type { World } from "../world";
import * as rules from "./load-balancer-rules";
import { changeable } from "./lookup";

export const SPECS = [
    "slb.s1.small",
    "slb.s2.small",
    "slb.s2.medium",
    "slb.s3.small",
    "slb.s3.medium",
    "slb.s3.large",
    "slb.s4.large",
    "slb.lcu.elastic",
];

/** Specification that the API shows for a PayByCLCU instance. */
const CLCU_SPEC = "slb.lcu.elastic";

/** Highest bandwidth, which is also what an instance charged by traffic reports. */
export const MAX_BANDWIDTH = 5120;

/** Is the instance charged by bandwidth, not by traffic? */
export function isByBandwidth(chargeType: string): boolean {
    return chargeType.toLowerCase() === "paybybandwidth";
}

/** The specification of a new instance. */
export function specOf(world: World, p: Params, instanceChargeType: string): string {
    if (instanceChargeType === "PayByCLCU") return CLCU_SPEC;
    const spec = p.text("LoadBalancerSpec");
    world.rules.check(rules.SHARED_NOT_SOLD, spec !== undefined);
    return spec ?? "slb.s1.small";
}

/** ModifyLoadBalancerInternetSpec. */
export function setInternetSpec(p: Params, world: World, caller: Caller): void {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const chargeType = p.text("InternetChargeType")?.toLowerCase();
    const bandwidth = p.int("Bandwidth");
    world.rules.check(rules.BANDWIDTH_RANGE, bandwidth === undefined || (bandwidth >= 1 && bandwidth <= MAX_BANDWIDTH));
    world.rules.check(rules.INTRANET_BY_TRAFFIC, lb.addressType === "internet");
    world.rules.check(
        rules.CLCU_BY_TRAFFIC,
        !(lb.instanceChargeType === "PayByCLCU" && isByBandwidth(chargeType ?? lb.internetChargeType)),
    );
    if (chargeType !== undefined) lb.internetChargeType = chargeType;
    if (bandwidth !== undefined) lb.bandwidth = bandwidth;
}

/** ModifyLoadBalancerInstanceChargeType. */
export function setInstanceChargeType(p: Params, world: World, caller: Caller): void {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const desired = p.need("InstanceChargeType");
    world.rules.check(rules.CLCU_IS_ONE_WAY, !(lb.instanceChargeType === "PayByCLCU" && desired === "PayBySpec"));
    lb.instanceChargeType = desired;
    lb.spec = desired === "PayByCLCU" ? CLCU_SPEC : (p.text("LoadBalancerSpec") ?? "slb.s1.small");
    if (desired === "PayByCLCU") {
        lb.internetChargeType = "paybytraffic";
        lb.bandwidth = MAX_BANDWIDTH;
    }
}
