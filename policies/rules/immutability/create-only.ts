import { z } from "zod";
import { askedBy, immutableFields, initialCharge, nlbImmutableFields } from "../../../provider/builder";
import type { ImmutableFields } from "../../../provider/model/clb/load-balancer";
import { type Violation, violations } from "../../../provider/plan";
import type { CheckResult, ResourceRule } from "../../rule";
import { type ResourceSubject, type ServiceSubject, TEXTS } from "../../subjects";
import { CONTRACT_TYPE } from "../../subjects/types";

/** Changes of immutable fields that a Service's contract records. */
export function changesOfContract(contract: ResourceSubject): Violation[] {
    const established = contract.get("established", TEXTS);
    return established === undefined
        ? []
        : violations(established, contract.get("requested", TEXTS) ?? {}, contract.get("askedBy", LISTS));
}

/** The same of a Service, where a host knows what it was before. */
export function changesOfService(service: ServiceSubject): Violation[] {
    const { before, loadBalancerType, settings } = service;
    if (before?.type !== "LoadBalancer") return [];
    if (loadBalancerType === "nlb" || before.loadBalancerType === "nlb")
        return violations(factsOf(before), factsOf(service));
    const established = { ...initialCharge(before.settings, before.facts), ...factsOf(before) };
    return violations(established, factsOf(service), askedBy(settings));
}

const LISTS = z.record(z.string(), z.array(z.string()));

const factsOf = (service: ServiceSubject): ImmutableFields =>
    service.loadBalancerType === "nlb"
        ? nlbImmutableFields(service, service.facts)
        : immutableFields(service.settings, service.facts);

/**
 * No immutable field changes, not even with the program's permission.
 *
 * The contract refuses such changes by itself; `allowReplacement` in a program permits one. With this rule the platform team decides.
 */
export const createOnly: ResourceRule = {
    name: "immutability-create-only",
    title: "Immutable fields of a load balancer do not change: a change would create a new instance with a new address. A CLB does not become an NLB, nor an NLB a CLB.",
    group: "immutability",
    severity: "critical",
    level: "mandatory",
    remedy: "Put the setting back, or delete the Service and create it again in a maintenance window. A platform team may list the Service in this rule's `except`.",
    source: 'FAQ about Services, "errors"',
    service: (service) => resultsOf(changesOfService(service)),
    resources: {
        [CONTRACT_TYPE]: (contract) => resultsOf(changesOfContract(contract)),
    },
};

/** The id of the instance belongs to the rule reuse-changed. */
const resultsOf = (changes: readonly Violation[]): CheckResult[] =>
    changes.filter(({ field }) => field !== "id").map(({ cause, remedy }) => ({ cause, remedy }));
