import { faqDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../subjects/types";
import { selection, selects } from "../selection";
import { releasedByChange, releasedByRemoval, serviceOf } from "./releases";

const OPTIONS = selection("ack-loadbalancer.io/critical=true");

/** The same as address-released, for Services whose address the team wants to keep: a violation ends the run. */
export const protectedAddress: ResourceRule<typeof OPTIONS> = {
    name: "address-protected",
    title: "Services that are protected in Pulumi, are critical, or are named by the team, keep their public addresses.",
    group: "address",
    severity: "critical",
    level: "mandatory",
    remedy: "Keep the load balancer: put the setting or the name back, or preserve it with preserve-lb-on-delete in an update before.",
    source: faqDocument("errors"),
    options: OPTIONS,
    resources: {
        [CONTRACT_TYPE]: (contract, config) =>
            contract.protect === true || selects(config, serviceOf(contract)) ? releasedByChange(contract) : [],
    },
    removed: (service, config) => (service.protect || selects(config, service) ? [releasedByRemoval(service)] : []),
};
