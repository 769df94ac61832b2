import { immutableFields, nlbImmutableFields } from "../../../provider/builder";
import type { ImmutableFields } from "../../../provider/model/clb/load-balancer";
import { type Violation, violations } from "../../../provider/plan";
import type { RuleMessage, ResourceRule } from "../../rule";
import type { ServiceSubject } from "../../subjects";
import { CONTRACT_TYPE } from "../../types";

/** Changes of create-only settings: as the contract recorded them, or as a saved preview shows them. */
export function createOnlyChanges(established: ImmutableFields | undefined, requested: ImmutableFields): Violation[] {
    return established === undefined ? [] : violations(established, requested);
}

/** The same of a Service, where a host knows what it was before. */
export function changesOfService(service: ServiceSubject): Violation[] {
    return service.before?.type !== "LoadBalancer" ? [] : createOnlyChanges(factsOf(service.before), factsOf(service));
}

const factsOf = (service: ServiceSubject): ImmutableFields =>
    service.loadBalancerType === "nlb"
        ? nlbImmutableFields(service, service.facts)
        : immutableFields(service.settings, service.facts);

/**
 * No change of a setting that is fixed when the instance is made, not even one that the program allows.
 *
 * The contract refuses such changes by itself; `allowReplacement` in a program lets one through. This rule is the platform team's word on it.
 */
export const createOnly: ResourceRule = {
    name: "immutability-create-only",
    title: "A setting that is fixed when a load balancer is created does not change: the change would make a new instance with a new address. A CLB does not become an NLB, nor an NLB a CLB.",
    group: "immutability",
    severity: "critical",
    level: "mandatory",
    remedy: "Put the setting back, or delete the Service and create it again in a maintenance window. A platform team may list the Service in this rule's `except`.",
    source: 'FAQ about Services, "errors"',
    service: (service) => said(changesOfService(service)),
    resources: {
        [CONTRACT_TYPE]: (contract) =>
            said(
                createOnlyChanges(
                    contract.get<ImmutableFields>("established"),
                    contract.get<ImmutableFields>("requested") ?? {},
                ),
            ),
    },
};

/** The instance's id is a matter of reuse. */
const said = (changes: readonly Violation[]): RuleMessage[] =>
    changes.filter(({ field }) => field !== "id").map(({ cause, remedy }) => ({ message: cause, remedy }));
