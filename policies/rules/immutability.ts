import type { ResourceValidationPolicy } from "@pulumi/policy";
import { violations } from "../../provider/plan";
import type { EstablishedFacts } from "../../provider/model/loadbalancer";
import { CONTRACT_TYPE } from "../types";

/**
 * No change of a setting that is fixed when the instance is made, not even one that the program allows.
 *
 * The contract refuses such changes by itself; `allowReplacement` in a program lets one through. This rule is the platform team's word on it.
 */
export const immutability: ResourceValidationPolicy = {
    name: "immutability",
    description: "A setting that is fixed when a load balancer is created does not change: the change would make a new instance with a new address.",
    enforcementLevel: "mandatory",
    severity: "critical",
    tags: ["lifecycle"],
    remediationSteps: "Put the setting back, or delete the Service and create it again in a maintenance window. A platform team may list the Service in this rule's `allow`.",
    configSchema: {
        properties: {
            allow: { type: "array", items: { type: "string" }, default: [], description: "Services, as namespace/name, that may be replaced this time." },
        },
    },
    validateResource: (args, report) => {
        if (args.type !== CONTRACT_TYPE) {
            return;
        }
        const { service, requested, established } = args.props as { service: string; requested: EstablishedFacts; established?: EstablishedFacts };
        const allowed = args.getConfig<{ allow?: string[] }>().allow ?? [];
        if (established === undefined || allowed.includes(service)) {
            return;
        }
        for (const violation of violations(established, requested)) {
            report(`Service ${service}: ${violation.message}`);
        }
    },
};
