import { z } from "zod";
import { clbDocument, nlbDocument } from "../../../provider/schema/documents";
import { admitsEveryone, ipVersionsOf } from "../../../provider/kubernetes/service/source-ranges";
import type { CheckResult, Rule } from "../../rule";
import { resourceRule } from "../../rule/make";
import type { ServiceSubject } from "../../subjects";

/** The settings that name a guard. */
const HOW = { clb: 'acl-status "on" with acl-id and acl-type "white"', nlb: "security-group-ids" } as const;

/** The guards that restrict access to each kind of load balancer. */
const GUARDS = { clb: "an access control list", nlb: "a security group" } as const;

const OPTIONS = z.object({
    blacklists: z.boolean().default(false).describe('Whether a blacklist (acl-type "black") is enough.'),
});

/** Requires a restriction of clients: without one all have access, and with a blacklist all others. */
export const open: Rule = resourceRule("exposure-open", "medium", "advisory", {
    title:
        "An Internet-facing load balancer restricts its clients by an access control list (CLB) or a security " +
        "group (NLB).",
    remedy:
        'Set address-type to "intranet" for callers inside the VPC, or restrict the clients: ' +
        `spec.loadBalancerSourceRanges, or ${HOW.clb} (CLB), or ${HOW.nlb} (NLB). The rules of a security group ` +
        "are not checked.",
    source: `${clbDocument("Configure an access control list")}; ${nlbDocument("Configure Listener Security Groups")}`,
    options: OPTIONS,
    service: (service, { blacklists }) => {
        const faced = internetOf(service);
        const guarded =
            service.loadBalancerType === "nlb" ? isGuardedByGroup(service) : isGuardedByList(service, blacklists);
        return faced === undefined || guarded ? [] : [openTo(service, faced)];
    },
});

/** Returns how the Internet reaches the load balancer; undefined if it does not. */
function internetOf({ addressType, settings, loadBalancerType }: ServiceSubject): string | undefined {
    if (addressType === "internet") return "the Internet";
    const ipv6 =
        loadBalancerType === "nlb" && settings.ipVersion === "DualStack" && settings.ipv6AddressType === "internet";
    return ipv6 ? "the Internet over IPv6" : undefined;
}

function isGuardedByList(service: ServiceSubject, blacklists: boolean): boolean {
    const { aclStatus, aclId, aclType } = service.settings;
    // An ACL that is named takes precedence over the source ranges.
    if (aclStatus === "on" && aclId !== undefined) return aclType === "white" || (blacklists && aclType === "black");
    return service.controller === "package" && isRestricted(service);
}

function isGuardedByGroup(service: ServiceSubject): boolean {
    const { securityGroupIds = [], id } = service.settings;
    // On a reused NLB the Cloud Controller Manager ignores the source ranges.
    const ranged = isRestricted(service) && (service.controller === "package" || id === undefined);
    return ranged || securityGroupIds.length > 0;
}

const isRestricted = ({ sourceRanges, loadBalancerType, settings }: ServiceSubject): boolean =>
    sourceRanges.length > 0 && !admitsEveryone(sourceRanges, ipVersionsOf(loadBalancerType, settings));

function openTo(service: ServiceSubject, faced: string): CheckResult {
    const { loadBalancerType: type, controller } = service;
    const message = `open to ${faced} on ${portsOf(service)}, without ${GUARDS[type]}`;
    const idle = type === "clb" && controller === "ccm" && isRestricted(service);
    const ranges = type === "clb" && controller === "ccm" ? "" : "spec.loadBalancerSourceRanges, or ";
    return {
        cause: idle ? `${message}: the Cloud Controller Manager ignores loadBalancerSourceRanges` : message,
        remedy:
            'set address-type to "intranet" for callers inside the VPC, or restrict the clients: ' +
            `${ranges}${HOW[type]}`,
    };
}

function portsOf({ ports, settings }: ServiceSubject): string {
    return ports
        .map(({ protocol, port }) => {
            const range = settings.listenerPortRange?.find((one) => one.port === port);
            return `${protocol}:${range === undefined ? port : `${range.from}-${range.to}`}`;
        })
        .join(", ");
}
