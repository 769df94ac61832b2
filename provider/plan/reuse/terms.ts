import { nlbDocument } from "../../schema/documents";
import type { ReuseRequest } from "../../model/observed";
import { ownerKey } from "../../model/names";
import type { LoadBalancerType } from "../../schema/load-balancer-type";

/** The documents that the rules of reuse follow, whatever the kind of load balancer. */
export const SOURCES = {
    WHICH: 'Notes on service load balancing configuration, "Which load balancers can be reused?"',
    POLICY: 'Notes on service load balancing configuration, "Load balancing update policies"',
    FAQ: 'FAQ about Services, "Why does reusing a CLB instance fail?"',
} as const;

/** How a kind of load balancer is spoken of. */
export interface Words {
    /** What stands behind a listener. */
    readonly group: string;
    /** Document about the instance. */
    readonly EXISTING: string;
    /** Document about listeners that are replaced. */
    readonly OVERRIDE: string;
    /** Document about groups that are joined. */
    readonly GROUP: string;
}

const WORDS: Readonly<Record<LoadBalancerType, Words>> = {
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

/** The words for the kind of load balancer that a Service uses. */
export function termsFor({ loadBalancerType = "clb" }: Pick<ReuseRequest, "loadBalancerType">): Words {
    return WORDS[loadBalancerType];
}

/** What everything of the Service on the instance bears. */
export function ownershipMark(
    request: Pick<ReuseRequest, "loadBalancerType" | "namespace" | "name" | "clusterId">,
): string {
    return ownerKey(request.loadBalancerType ?? "clb", request);
}
