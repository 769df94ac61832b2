import type { Collector, ReuseCode } from "../../diagnostics";
import { type Owner, ownerKey } from "../../schema/names";
import type { ObservedLoadBalancer } from "../../schema/observed";
import type { ReuseRequest } from "../../service/reuse";
import { nlbDocument } from "../../schema/documents";

/** Reports errors and warnings of one aspect of a reuse. */
export type Judge = (report: Collector<ReuseCode>, request: ReuseRequest, found: ObservedLoadBalancer) => void;

/** Documents for both load balancer types. */
export const SOURCES = {
    WHICH: 'Notes on service load balancing configuration, "Which load balancers can be reused?"',
    POLICY: 'Notes on service load balancing configuration, "Load balancing update policies"',
    FAQ: 'FAQ about Services, "Why does reusing a CLB instance fail?"',
} as const;

/** Noun for a server group, and documents about the instance, replaced listeners and joined groups, by type. */
const TERMS = {
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
} as const;

/** Returns the terms of a request's load balancer type. */
export const termsFor = ({ loadBalancerType = "clb" }: Pick<ReuseRequest, "loadBalancerType">) =>
    TERMS[loadBalancerType];

/** Returns the ownership mark of a Service on the instance. */
export const ownershipMark = (request: Pick<ReuseRequest, "loadBalancerType"> & Owner): string =>
    ownerKey(request.loadBalancerType ?? "clb", request);
