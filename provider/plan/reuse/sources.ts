import type { Collector, ReuseCode } from "../../diagnostics";
import { ownerKey } from "../../schema/names";
import type { ObservedLoadBalancer } from "../../schema/observed";
import type { ReuseRequest } from "../../service/reuse";
import { nlbDocument } from "../../schema/documents";
import type { LoadBalancerType } from "../../schema/load-balancer-type";

/** Reports errors and warnings of one aspect of a reuse. */
export type Judge = (report: Collector<ReuseCode>, request: ReuseRequest, found: ObservedLoadBalancer) => void;

/** Documents for both load balancer types. */
export const SOURCES = {
    WHICH: 'Notes on service load balancing configuration, "Which load balancers can be reused?"',
    POLICY: 'Notes on service load balancing configuration, "Load balancing update policies"',
    FAQ: 'FAQ about Services, "Why does reusing a CLB instance fail?"',
} as const;

/** Terms and documents of a load balancer type. */
interface Terms {
    /** Noun for a server group. */
    readonly group: string;
    /** Document about the instance. */
    readonly EXISTING: string;
    /** Document about replaced listeners. */
    readonly OVERRIDE: string;
    /** Document about joined groups. */
    readonly GROUP: string;
}

const TERMS: Readonly<Record<LoadBalancerType, Terms>> = {
    clb: {
        group: "vServer group",
        EXISTING: 'Configure CLB using annotations, "Use an existing CLB instance"',
        OVERRIDE: 'Configure CLB using annotations, "Use an existing CLB instance and force override listeners"',
        GROUP: 'Configure CLB using annotations, "Reuse an existing vServer group"',
    },
    nlb: {
        group: "server group",
        EXISTING: nlbDocument("Use an Existing Load Balancer"),
        OVERRIDE: nlbDocument("Use an Existing Load Balancer"),
        GROUP: nlbDocument("Reuse an Existing Server Group"),
    },
};

/** Returns the terms of a request's load balancer type. */
export function termsFor({ loadBalancerType = "clb" }: Pick<ReuseRequest, "loadBalancerType">): Terms {
    return TERMS[loadBalancerType];
}

/** Returns the ownership mark of a Service on the instance. */
export function ownershipMark(
    request: Pick<ReuseRequest, "loadBalancerType" | "namespace" | "name" | "clusterId">,
): string {
    return ownerKey(request.loadBalancerType ?? "clb", request);
}
