import { notesDocument } from "../../../provider/schema/documents";
import type { ImmutableFields } from "../../../provider/model/clb/load-balancer";
import type { Violation } from "../../../provider/plan";
import type { RuleMessage, ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../types";
import { changesOfService, createOnlyChanges } from "../immutability/create-only";

/** A Service that moves to another instance leaves its old one behind, unreleased. */
export const changed: ResourceRule = {
    name: "reuse-changed",
    title: "A Service keeps its instance: the id of a reused one is neither added, changed nor removed once the Service has a load balancer.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Put alibaba-cloud-loadbalancer-id back as it was; to move, delete the Service and create it again.",
    source: notesDocument("Which load balancers can be reused?"),
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

const said = (changes: readonly Violation[]): RuleMessage[] =>
    changes.filter(({ field }) => field === "id").map(({ cause, remedy }) => ({ message: cause, remedy }));
