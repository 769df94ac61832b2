import { notesDocument } from "../../../provider/schema/documents";
import type { Violation } from "../../../provider/plan";
import type { CheckResult, ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../subjects/types";
import { changesOfContract, changesOfService } from "../immutability/create-only";

/** A Service that moves to another instance does not release the former one. */
export const changed: ResourceRule = {
    name: "reuse-changed",
    title: "A Service keeps its instance: alibaba-cloud-loadbalancer-id is not added, changed or removed once the Service has a load balancer.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Restore alibaba-cloud-loadbalancer-id; to move, delete the Service and create it again.",
    source: notesDocument("Which load balancers can be reused?"),
    service: (service) => resultsOf(changesOfService(service)),
    resources: {
        [CONTRACT_TYPE]: (contract) => resultsOf(changesOfContract(contract)),
    },
};

const resultsOf = (changes: readonly Violation[]): CheckResult[] =>
    changes.filter(({ field }) => field === "id").map(({ cause, remedy }) => ({ cause, remedy }));
