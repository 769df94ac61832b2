import type { ResourceValidationPolicy } from "@pulumi/policy";
import { SERVICE_TYPE } from "../types";

/** What the component says of itself, as far as this rule looks at it. */
interface ServiceFacts {
    readonly service: string;
    readonly addressType: string;
    readonly ports: readonly string[];
    /** Ranges that may connect; absent or empty = everyone. */
    readonly sourceRanges?: readonly string[];
    readonly settings?: { readonly aclStatus?: string; readonly securityGroupIds?: readonly string[] };
}

/** An Internet-facing load balancer without an access control list (CLB), a security group (NLB) or source ranges answers to everybody. */
export const exposure: ResourceValidationPolicy = {
    name: "exposure",
    description: "A load balancer that faces the Internet lets in only whom it should.",
    enforcementLevel: "advisory",
    severity: "medium",
    tags: ["exposure"],
    remediationSteps:
        'Set address-type to "intranet" for callers inside the VPC, or say who may connect: loadBalancerSourceRanges; on a CLB acl-status "on", acl-id and acl-type "white"; on an NLB security-group-ids.',
    validateResource: (args, report) => {
        if (args.type !== SERVICE_TYPE) {
            return;
        }
        const facts = args.props as ServiceFacts;
        const guarded = facts.settings?.aclStatus === "on" || (facts.settings?.securityGroupIds ?? []).length > 0 || (facts.sourceRanges ?? []).length > 0;
        if (facts.addressType === "internet" && !guarded) {
            report(`Service ${facts.service} is open to the Internet on ${facts.ports.join(", ")}, without an access control list, security group or source ranges.`);
        }
    },
};
