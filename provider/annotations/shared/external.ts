/**
 * Annotations by which a Service is left to another controller. The Cloud Controller Manager passes over such a Service, and so does this package: they are
 * known by name and have no typed setting.
 */

import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { CCM_SOURCE } from "../../schema/documents";

/** A known annotation without a typed setting. */
export interface ExternalRow {
    /** The key after `service.beta.kubernetes.io/`. */
    readonly suffix: string;
    /** The kinds of load balancer that have it. */
    readonly types: readonly LoadBalancerType[];
    /** Whether the empty value counts too. */
    readonly evenEmpty: boolean;
    readonly doc: string;
    readonly source: string;
}

export const external: readonly ExternalRow[] = [
    {
        suffix: "class",
        types: ["clb"],
        evenEmpty: false,
        doc: "Any value but the empty one leaves the Service to another controller: nothing is made for it. The names of this package's own classes are the exception.",
        source: `${CCM_SOURCE}, "class"`,
    },
    {
        suffix: "alibaba-cloud-loadbalancer-tunnel-type",
        types: ["clb"],
        evenEmpty: true,
        doc: "Any value, even the empty one, leaves the Service to another controller: nothing is made for it.",
        source: `${CCM_SOURCE}, "tunnel-type"`,
    },
];
