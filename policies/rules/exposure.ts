import type { ResourceValidationPolicy } from "@pulumi/policy";
import { SERVICE_TYPE } from "../types";

/** What the component says of itself, as far as this rule looks at it. */
interface ServiceFacts {
    readonly service: string;
    readonly addressType: string;
    readonly ports: readonly string[];
    readonly settings?: { readonly aclStatus?: string };
}

/** An Internet-facing load balancer without an access control list answers to everybody. */
export const exposure: ResourceValidationPolicy = {
    name: "exposure",
    description: "A load balancer that faces the Internet is protected by an access control list.",
    enforcementLevel: "advisory",
    severity: "medium",
    tags: ["exposure"],
    remediationSteps: 'Set address-type to "intranet" for callers inside the VPC, or bind an access control list: acl-status "on", acl-id and acl-type "white".',
    validateResource: (args, report) => {
        if (args.type !== SERVICE_TYPE) {
            return;
        }
        const facts = args.props as ServiceFacts;
        if (facts.addressType === "internet" && facts.settings?.aclStatus !== "on") {
            report(`Service ${facts.service} is open to the Internet on ${facts.ports.join(", ")}, without an access control list.`);
        }
    },
};
