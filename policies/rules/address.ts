/** Rules about public addresses that a change releases, as a Service's contract knows them. */

import { z } from "zod";
import { addressReleases } from "../../provider/plan/interruptions";
import { faqDocument } from "../../provider/schema/documents";
import { type CheckResult, type RemovedService, type Rule, resourceRule } from "../rule";
import { type ResourceSubject, TEXTS } from "../subjects";
import { CONTRACT_TYPE } from "../../provider/schema/resource-types";
import { selection, selects } from "../rule/config";

const LIVE = z.looseObject({ addresses: z.array(z.string()).default([]) });

/** Returns what a Service in the stack releases. @throws if it depends on a value that is not known yet. */
const releasedByChange = (contract: ResourceSubject): CheckResult[] =>
    addressReleases({
        established: contract.get("established", TEXTS) ?? {},
        requested: contract.get("requested", TEXTS) ?? {},
        before: contract.get("disruptiveBefore", TEXTS) ?? {},
        after: contract.get("disruptive", TEXTS) ?? {},
        addresses: contract.get("live", LIVE)?.addresses ?? [],
    });

const releasedByRemoval = ({ address, cause, remedy }: RemovedService): CheckResult[] => [
    { cause: `${address} is released: ${cause}`, remedy },
];

const KEEP = {
    remedy:
        "Keep the load balancer: put the setting or the name back, or preserve it with preserve-lb-on-delete in an " +
        "update before.",
    source: faqDocument("errors"),
};

export const ADDRESS: readonly Rule[] = [
    // An address that is released goes to another customer of the cloud, and clients that know it reach strangers.
    resourceRule("address-released", "critical", "advisory", {
        ...KEEP,
        title:
            "No public address is released: by a new load balancer, by a zone or a kind of address that an NLB " +
            "gives up and, where a saved preview is checked, by a Service that is deleted or renamed.",
        resources: { [CONTRACT_TYPE]: releasedByChange },
        removed: releasedByRemoval,
    }),
    // The same for Services whose address the team wants to keep: a violation ends the run.
    resourceRule("address-protected", "critical", "mandatory", {
        ...KEEP,
        title:
            "Services that are protected in Pulumi or named by the team keep their public addresses; so do " +
            "critical ones, which a label names, when a saved preview shows that they are deleted.",
        options: selection("ack-loadbalancer.io/critical=true"),
        resources: {
            [CONTRACT_TYPE]: (contract, config) => {
                // A contract does not record the labels that users give a Service.
                const named = () => ({ name: contract.get("service") ?? contract.name, labels: {} });
                return contract.protect === true || selects(config, named()) ? releasedByChange(contract) : [];
            },
        },
        removed: (gone, config) => (gone.protect || selects(config, gone) ? releasedByRemoval(gone) : []),
    }),
];
