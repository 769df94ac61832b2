/** Rules about updates in place. */

import { disruptiveFields, INTERRUPTION_REMEDY, interruptions } from "../../provider/plan/interruptions";
import { clbDocument, nlbDocument } from "../../provider/schema/documents";
import { type Rule, resourceRule } from "../rule";
import { TEXTS } from "../subjects";
import { CONTRACT_TYPE } from "../../provider/schema/resource-types";

export const CHANGE: readonly Rule[] = [
    resourceRule("change-interrupts", "high", "advisory", {
        title:
            "No change interrupts traffic: of Proxy Protocol; of the protocol, redirect or port range of a " +
            "listener; of the backend type; of the zones or the address type of an NLB.",
        remedy: `${INTERRUPTION_REMEDY}.`,
        source: `${clbDocument("Configure Proxy Protocol")}; ${nlbDocument("Configure Proxy Protocol")}`,
        service: (service) => {
            const { before } = service;
            if (before?.type !== "LoadBalancer" || before.loadBalancerType !== service.loadBalancerType) return [];
            return interruptions(disruptiveFields(before, before.facts), disruptiveFields(service, service.facts));
        },
        resources: {
            [CONTRACT_TYPE]: (contract) =>
                interruptions(contract.get("disruptiveBefore", TEXTS), contract.get("disruptive", TEXTS)),
        },
    }),
];
