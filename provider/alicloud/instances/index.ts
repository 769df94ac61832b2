import type { Cloud } from "..";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { InstanceApi } from "./api";
import { clbInstances } from "./clb";
import { nlbInstances } from "./nlb";

export type { InstanceApi } from "./api";

/** The instances of a kind. */
export function instancesOf(cloud: Cloud, type: LoadBalancerType = "clb"): InstanceApi {
    return type === "nlb" ? nlbInstances(cloud) : clbInstances(cloud);
}
