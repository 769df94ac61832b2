/** Rules about fields that are fixed when a load balancer is created. */

import { z } from "zod";
import { askedBy, immutableFields, initialCharge } from "../../provider/clb/load-balancer";
import { nlbImmutableFields } from "../../provider/nlb/load-balancer";
import type { ImmutableFields } from "../../provider/schema/settings";
import { type ImmutabilityViolation, violations } from "../../provider/plan/immutability";
import { faqDocument } from "../../provider/schema/documents";
import { type CheckResult, type ResourceRule, type Rule, resourceRule } from "../rule";
import { type ResourceSubject, type ServiceSubject, TEXT_LIST, TEXTS } from "../subjects";
import { CONTRACT_TYPE } from "../../provider/schema/resource-types";

const LISTS = z.record(z.string(), TEXT_LIST);

/** Returns the changes of immutable fields that a Service's contract records. */
function changesOfContract(contract: ResourceSubject): ImmutabilityViolation[] {
    const established = contract.get("established", TEXTS);
    if (established === undefined) return [];
    return violations(established, contract.get("requested", TEXTS) ?? {}, contract.get("askedBy", LISTS));
}

/** Returns the same for a Service, where a host knows what it was before. */
function changesOfService(service: ServiceSubject): ImmutabilityViolation[] {
    const { before, loadBalancerType, settings } = service;
    if (before?.type !== "LoadBalancer") return [];
    if (loadBalancerType === "nlb" || before.loadBalancerType === "nlb")
        return violations(factsOf(before), factsOf(service));
    const established = { ...initialCharge(before.settings, before.facts), ...factsOf(before) };
    return violations(established, factsOf(service), askedBy(settings));
}

const factsOf = (service: ServiceSubject): ImmutableFields =>
    service.loadBalancerType === "nlb"
        ? nlbImmutableFields(service, service.facts)
        : immutableFields(service.settings, service.facts);

/** Checks for changes of the immutable fields that a rule is about. */
export function changesOf(isConcerned: (field: string) => boolean): Pick<ResourceRule, "service" | "resources"> {
    const results = (changes: readonly ImmutabilityViolation[]): CheckResult[] =>
        changes.filter(({ field }) => isConcerned(field)).map(({ cause, remedy }) => ({ cause, remedy }));
    return {
        service: (service) => results(changesOfService(service)),
        resources: { [CONTRACT_TYPE]: (contract) => results(changesOfContract(contract)) },
    };
}

export const IMMUTABILITY: readonly Rule[] = [
    // The contract refuses such changes by itself, and `allowReplacement` in a program permits a change. With this rule
    // the platform team decides. The id of the instance belongs to the rule reuse-changed.
    resourceRule("immutability-create-only", "critical", "mandatory", {
        title:
            "Immutable fields of a load balancer do not change: a change would create a new instance with a new " +
            "address. A CLB does not become an NLB, nor an NLB a CLB.",
        remedy:
            "Put the setting back, or delete the Service and create it again in a maintenance window. A platform " +
            "team may list the Service in this rule's `except`.",
        source: faqDocument("errors"),
        ...changesOf((field) => field !== "id"),
    }),
];
