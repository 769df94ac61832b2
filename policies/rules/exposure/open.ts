import { clbDocument } from "../../../provider/annotations/sources";
import { EVERYONE } from "../../../provider/model/sources";
import type { ResourceRule } from "../../rule";

/** An Internet-facing load balancer without an access control list answers to everybody; a list of those who may not pass lets everybody else in. */
export const open: ResourceRule = {
    name: "exposure-open",
    title: "A load balancer that faces the Internet lets in only those on an access control list.",
    group: "exposure",
    severity: "medium",
    level: "advisory",
    remedy: 'Set address-type to "intranet" for callers inside the VPC, or name who may connect: spec.loadBalancerSourceRanges, or acl-status "on" with acl-id and acl-type "white".',
    source: clbDocument("Configure an access control list"),
    options: { blacklists: { type: "boolean", default: false, description: 'Whether a list of those who may not connect (acl-type "black") is enough.' } },
    service: (service, config) => {
        const { settings, ports, sourceRanges } = service;
        if (service.addressType !== "internet") return [];
        const listed = settings.aclStatus === "on" && (settings.aclType === "white" || config["blacklists"] === true);
        const ranged = sourceRanges.length > 0 && !sourceRanges.some((range) => EVERYONE.includes(range));
        if (listed || ranged) return [];
        return [`open to the Internet on ${ports.map(({ protocol, port }) => `${protocol}:${port}`).join(", ")}, without an access control list`];
    },
};
