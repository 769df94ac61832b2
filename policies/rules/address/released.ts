import { faqDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { CONTRACT_TYPE } from "../../subjects/types";
import { releasedByChange, releasedByRemoval } from "./releases";

/** A public address that is released goes to another customer of the cloud, and clients that know it reach strangers. */
export const released: ResourceRule = {
    name: "address-released",
    title: "No public address is released: by a new load balancer, by a zone or a kind of address that an NLB gives up and, where a saved preview is checked, by a Service that is deleted or renamed.",
    group: "address",
    severity: "critical",
    level: "advisory",
    remedy: "Keep the load balancer: put the setting or the name back, or preserve it with preserve-lb-on-delete in an update before.",
    source: faqDocument("errors"),
    resources: { [CONTRACT_TYPE]: releasedByChange },
    removed: (service) => [releasedByRemoval(service)],
};
