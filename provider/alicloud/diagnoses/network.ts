import type { DiagnosisRow } from "./row";
import { FAQ } from "./documents";

/** Errors about VPC and vSwitch. */
export const network: readonly DiagnosisRow[] = [
    {
        code: "other-vpc",
        codes: ["NetworkConflict"],
        cause: "The internal load balancer named by alibaba-cloud-loadbalancer-id is in another VPC than the cluster.",
        remedy: "Name a load balancer of the cluster's VPC. Only an NLB can be reused across VPCs.",
        source: FAQ,
    },
    {
        code: "vswitch-full",
        codes: ["VSwitchAvailableIpNotExist"],
        messages: [/specified vswitch has no available ip/i],
        cause: "The vSwitch has no free address left for the load balancer.",
        remedy: "Set alibaba-cloud-loadbalancer-vswitch-id to another vSwitch of the same VPC. It is used when the load balancer is created.",
        source: FAQ,
    },
    {
        code: "vswitch-missing",
        codes: ["InvalidVSwitchId.NotFound", "InvalidVswitchID.NotFound"],
        messages: [/specified vswitch(?:id)? does not exist/i, /vpc subnet is not exist/i],
        cause: "There is no vSwitch with this id in this region: alibaba-cloud-loadbalancer-vswitch-id is wrong, or the cluster's own vSwitch was deleted.",
        remedy: "Set alibaba-cloud-loadbalancer-vswitch-id to a vSwitch of the cluster's VPC that exists.",
        source: FAQ,
    },
];
