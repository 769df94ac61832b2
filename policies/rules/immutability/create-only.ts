import { immutableFields, nlbImmutableFields } from "../../../provider/builder";
import type { ImmutableFields } from "../../../provider/model/clb/load-balancer";
import { type Violation, violations } from "../../../provider/plan";
import type { CheckResult, ResourceRule } from "../../rule";
import { type ResourceSubject, type ServiceSubject, TEXTS } from "../../subjects";
import { CONTRACT_TYPE } from "../../subjects/types";

/** Changes of immutable fields. */
function createOnlyChanges(established: ImmutableFields | undefined, requested: ImmutableFields): Violation[] {
    return established === undefined ? [] : violations(established, requested);
}

/** The same of a Service's contract. */
export const changesOfContract = (contract: ResourceSubject): Violation[] =>
    createOnlyChanges(contract.get("established", TEXTS), contract.get("requested", TEXTS) ?? {});

/** The same of a Service, where a host knows what it was before. */
export function changesOfService(service: ServiceSubject): Violation[] {
    return service.before?.type !== "LoadBalancer" ? [] : createOnlyChanges(factsOf(service.before), factsOf(service));
}

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
