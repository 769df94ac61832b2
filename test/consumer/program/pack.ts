import { PolicyPack } from "@pulumi/policy";
import { policyOf, RULES, type Rule } from "ack-loadbalancer/policies";

/** A pack of a platform team: the rules about who can reach a Service, and no others. */
export function exposurePack(): PolicyPack {
    const chosen: readonly Rule[] = RULES.filter(({ group }) => group === "exposure");
    return new PolicyPack("exposure", { policies: chosen.map(policyOf) });
}
