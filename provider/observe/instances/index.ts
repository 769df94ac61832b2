import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { Cloud } from "../../cloud/http/cloud";
import type { InstanceApi } from "./api";
import { clbInstances } from "./clb";
import { nlbInstances } from "./nlb";

export type { InstanceApi } from "./api";

/** Returns the access to the instances of a load balancer type. */
export const instancesOf = (cloud: Cloud, type: LoadBalancerType = "clb"): InstanceApi =>
    type === "nlb" ? nlbInstances(cloud) : clbInstances(cloud);
