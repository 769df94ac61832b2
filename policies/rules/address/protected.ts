import { faqDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import type { ResourceSubject } from "../../subjects";
import { CONTRACT_TYPE } from "../../subjects/types";
import { selection, selects } from "../selection";
import { releasedByChange, releasedByRemoval } from "./releases";

const OPTIONS = selection("ack-loadbalancer.io/critical=true");

/** A contract does not record the labels that users give a Service. */
const nameOf = (contract: ResourceSubject): string => contract.get("service") ?? contract.name;

/** The same as address-released, for Services whose address the team wants to keep: a violation ends the run. */
export const protectedAddress: ResourceRule<typeof OPTIONS> = {
    name: "address-protected",
    title: "Services that are protected in Pulumi or named by the team keep their public addresses; so do critical ones, which a label names, when a saved preview shows that they are deleted.",
    group: "address",
    severity: "critical",
    level: "mandatory",
    remedy: "Keep the load balancer: put the setting or the name back, or preserve it with preserve-lb-on-delete in an update before.",
    source: faqDocument("errors"),
    options: OPTIONS,
    resources: {
        [CONTRACT_TYPE]: (contract, config) =>
            contract.protect === true || selects(config, { name: nameOf(contract), labels: {} })
                ? releasedByChange(contract)
                : [],
    },
    removed: (service, config) => (service.protect || selects(config, service) ? [releasedByRemoval(service)] : []),
};
