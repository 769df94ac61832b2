/**
 * Annotations that the Cloud Controller Manager reads but that the annotation documents do not describe.
 * They are known by name, so that they are not mistaken for misspelt ones, and refused because this version cannot make them so.
 */

import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { CCM_SOURCE } from "../../schema/documents";

/** A known annotation without a typed setting. */
export interface ExternalRow {
    /** The key after `service.beta.kubernetes.io/`. */
    readonly suffix: string;
    /** The kinds of load balancer that have it. */
    readonly types: readonly LoadBalancerType[];
    readonly doc: string;
    readonly source: string;
}

const LOADBALANCER = "alibaba-cloud-loadbalancer-";

const clb = (suffix: string, doc: string): ExternalRow => ({ suffix, types: ["clb"], doc, source: CCM_SOURCE });

export const external: readonly ExternalRow[] = [
    clb("class", "Leaves the Service to another controller."),
    {
        suffix: `${LOADBALANCER}type`,
        types: ["clb", "nlb"],
        doc: "Selects CLB or NLB where a feature gate allows it; spec.loadBalancerClass does so here.",
        source: CCM_SOURCE,
    },
    clb(`${LOADBALANCER}tunnel-type`, "Leaves the Service to another controller."),
    clb(`${LOADBALANCER}network-type`, "Classic network or VPC; the classic network is retired."),
    clb(
        `${LOADBALANCER}external-ip-type`,
        "Shows the address of an elastic IP as the external address of the Service.",
    ),
    clb(`${LOADBALANCER}backend-ip-version`, "The IP version of the backends."),
    clb(`${LOADBALANCER}default-weight`, "The weight of every backend in place of 100."),
];
