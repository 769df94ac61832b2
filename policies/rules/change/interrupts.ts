import { disruptiveFields } from "../../../provider/builder";
import { INTERRUPTION_REMEDY, interruptions } from "../../../provider/plan";
import { clbDocument, nlbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { TEXTS } from "../../subjects";
import { CONTRACT_TYPE } from "../../types";

/** Changes that a living load balancer can follow, at the price of an outage. */
export const interrupts: ResourceRule = {
    name: "change-interrupts",
    title: "A change that interrupts traffic is made knowingly: Proxy Protocol, the protocol, redirect or range of a listener, the kind of backends; the zones and the address type of an NLB.",
    group: "change",
    severity: "high",
    level: "advisory",
    remedy: `${INTERRUPTION_REMEDY}.`,
    source: `${clbDocument("Configure Proxy Protocol")}; ${nlbDocument("Configure Proxy Protocol")}`,
    service: (service) =>
        service.before?.type !== "LoadBalancer" || service.before.loadBalancerType !== service.loadBalancerType
            ? []
            : interruptions(
                  disruptiveFields(service.before, service.before.facts),
                  disruptiveFields(service, service.facts),
              ),
    resources: {
        [CONTRACT_TYPE]: (contract) =>
            interruptions(contract.get("disruptiveBefore", TEXTS), contract.get("disruptive", TEXTS)),
    },
};
