/** What can be changed of a CLB instance, one function for each call that the cloud takes. */
import type { Cloud } from "../http/client";

/** Switches the protection against deletion (SetLoadBalancerDeleteProtection). */
export async function setDeleteProtection(cloud: Cloud, id: string, protection: "on" | "off"): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerDeleteProtection", { LoadBalancerId: id, DeleteProtection: protection });
}

/** Switches the protection against changes in the console (SetLoadBalancerModificationProtection). The reason is kept only with `ConsoleProtection`. */
export async function setModificationProtection(
    cloud: Cloud,
    id: string,
    status: "ConsoleProtection" | "NonProtection",
    reason?: string,
): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerModificationProtection", {
        LoadBalancerId: id,
        ModificationProtectionStatus: status,
        ModificationProtectionReason: status === "ConsoleProtection" ? reason : undefined,
    });
}

/** Lets an instance that was switched off pass traffic again (SetLoadBalancerStatus). */
export async function activateLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerStatus", { LoadBalancerId: id, LoadBalancerStatus: "active" });
}

/** Renames a load balancer (SetLoadBalancerName). */
export async function setLoadBalancerName(cloud: Cloud, id: string, name: string): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerName", { LoadBalancerId: id, LoadBalancerName: name });
}

/** Changes the specification of an instance that is paid by specification (ModifyLoadBalancerInstanceSpec). */
export async function setSpec(cloud: Cloud, id: string, spec: string): Promise<void> {
    await cloud.call("slb", "ModifyLoadBalancerInstanceSpec", { LoadBalancerId: id, LoadBalancerSpec: spec });
}

/** Changes how an instance is paid for (ModifyLoadBalancerInstanceChargeType). `spec` goes with `PayBySpec` alone; the cloud does not go back from `PayByCLCU`. */
export async function setInstanceChargeType(
    cloud: Cloud,
    id: string,
    chargeType: "PayBySpec" | "PayByCLCU",
    spec?: string,
): Promise<void> {
    await cloud.call("slb", "ModifyLoadBalancerInstanceChargeType", {
        LoadBalancerId: id,
        InstanceChargeType: chargeType,
        LoadBalancerSpec: spec,
    });
}

/** Changes how the bandwidth of a public instance is paid for, and how much there is, in Mbit/s (ModifyLoadBalancerInternetSpec). */
export async function setInternetCharge(
    cloud: Cloud,
    id: string,
    chargeType: string | undefined,
    bandwidth: number | undefined,
): Promise<void> {
    await cloud.call("slb", "ModifyLoadBalancerInternetSpec", {
        LoadBalancerId: id,
        InternetChargeType: chargeType?.toLowerCase(),
        Bandwidth: bandwidth,
    });
}
