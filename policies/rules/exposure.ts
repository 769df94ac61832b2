/** Rules about the exposure of load balancers: access control, TLS versions. */

import { z } from "zod";
import { clbDocument, nlbDocument } from "../../provider/schema/documents";
import { listenersManaged } from "../../provider/service/annotations";
import { admitsEveryone, ipVersionsOf } from "../../provider/service/source-ranges";
import { type CheckDetails, resourceRule, type Rule, type StackCheckResult, stackRule, when } from "../rule";
import { isKnown, type ResourceSubject, type ServiceSubject, settledEach, settledOf, TEXT_LIST } from "../subjects";
import { CLB_LISTENER_TYPE, NLB_LISTENER_TYPE, NLB_TLS_POLICY_TYPE } from "../../provider/schema/resource-types";

/** Requires entries in the ACLs of listeners. With an empty list, even a whitelist, the cloud forwards all traffic. */
const emptyList: Rule = stackRule("exposure-empty-list", "high", "advisory", {
    title:
        "An access control list that listeners use has entries: an empty one allows all traffic, even as a " +
        "whitelist.",
    remedy:
        "Add entries to the list, and refresh the stack if the list is outside of it. Lists outside the stack are " +
        "looked at when a Service names them for the first time, and in a refresh.",
    source: clbDocument("Configure an access control list"),
    stack: ({ listeners, listOf, checkedLists }) => [
        ...settledEach(listeners, ({ resource: listener }) => {
            const list = listener.get("aclStatus") === "on" ? listOf(listener) : undefined;
            return list === undefined || list.entries > 0 ? [] : [emptyListOf(listener, list.resource.name)];
        }),
        ...settledEach(checkedLists, (checked) =>
            (checked.get("empty", TEXT_LIST) ?? []).map((id) => ({
                place: { subject: `Service ${checked.name}` },
                names: [checked.name, id],
                cause:
                    `the Service uses the list ${id}, which had no entries when the stack looked at it, ` +
                    "and therefore allows all traffic",
                urn: checked.urn,
            })),
        ),
    ],
});

function emptyListOf(listener: ResourceSubject, list: string): StackCheckResult {
    const type = settledOf(() => listener.get("aclType"));
    const name = `${list} (${(isKnown(type) ? type : undefined) ?? "of unknown type"})`;
    const cause = `the listener uses the list ${name}, which has no entries and therefore allows all traffic`;
    return { place: { subject: `listener ${listener.name}` }, names: [listener.name, list], cause, urn: listener.urn };
}

const HOW = { clb: 'acl-status "on" with acl-id and acl-type "white"', nlb: "security-group-ids" } as const;

const GUARDS = { clb: "an access control list", nlb: "a security group" } as const;

/** Requires a restriction of clients. Without a restriction all have access, and with a blacklist all others. */
const open: Rule = resourceRule("exposure-open", "medium", "advisory", {
    title:
        "An Internet-facing load balancer restricts its clients by an access control list (CLB) or a security " +
        "group (NLB).",
    remedy:
        'Set address-type to "intranet" for callers inside the VPC, or restrict the clients: ' +
        `spec.loadBalancerSourceRanges, or ${HOW.clb} (CLB), or ${HOW.nlb} (NLB). The rules of a security group ` +
        "are not checked.",
    source: `${clbDocument("Configure an access control list")}; ${nlbDocument("Configure Listener Security Groups")}`,
    options: z.object({
        blacklists: z.boolean().default(false).describe('Whether a blacklist (acl-type "black") is enough.'),
    }),
    joined: true,
    service: (service, { blacklists }) => openTo(service, blacklists),
});

/** Returns the way from the Internet to the load balancer, or undefined if there is none. */
function internetOf({ addressType, settings, loadBalancerType }: ServiceSubject): string | undefined {
    if (addressType === "internet") return "the Internet";
    const ipv6 =
        loadBalancerType === "nlb" && settings.ipVersion === "DualStack" && settings.ipv6AddressType === "internet";
    return ipv6 ? "the Internet over IPv6" : undefined;
}

function isGuardedByList(service: ServiceSubject, blacklists: boolean): boolean {
    const { aclStatus, aclId, aclType } = service.settings;
    // Settings of an ACL without managed listeners are not there. A named ACL takes precedence over the source ranges.
    if (aclStatus === "on" && aclId !== undefined) return aclType === "white" || (blacklists && aclType === "black");
    return service.controller === "package" && listenersManaged(service.settings) && isRestricted(service);
}

function isGuardedByGroup(service: ServiceSubject): boolean {
    const { securityGroupIds = [], id } = service.settings;
    // On a reused NLB the Cloud Controller Manager ignores the source ranges.
    const ranged = isRestricted(service) && (service.controller === "package" || id === undefined);
    return ranged || securityGroupIds.length > 0;
}

const isRestricted = ({ sourceRanges, loadBalancerType, settings }: ServiceSubject): boolean =>
    sourceRanges.length > 0 && !admitsEveryone(sourceRanges, ipVersionsOf(loadBalancerType, settings));

function openTo(service: ServiceSubject, blacklists: boolean): CheckDetails[] {
    const { loadBalancerType: type, controller } = service;
    const faced = internetOf(service);
    const guarded = type === "nlb" ? isGuardedByGroup(service) : isGuardedByList(service, blacklists);
    if (faced === undefined || guarded) return [];
    const ports = portsOf(service);
    const message = `open to ${faced}${ports === "" ? "" : ` on ${ports}`}, without ${GUARDS[type]}`;
    const ignoresRanges = type === "clb" && controller === "ccm";
    const idle = ignoresRanges && isRestricted(service);
    const cause = idle ? `${message}: the Cloud Controller Manager ignores loadBalancerSourceRanges` : message;
    return [{ cause, remedy: remedyOf(service, ignoresRanges) }];
}

/** An existing instance keeps its address type, and has no list or group of one Service's source ranges. */
function remedyOf({ settings, loadBalancerType: type }: ServiceSubject, ignoresRanges: boolean): string {
    if (type === "clb" && !listenersManaged(settings))
        return (
            "restrict the clients of the instance's listeners, which are not managed; " +
            `or set force-override-listeners to "true", and ${HOW.clb}`
        );
    const isReused = settings.id !== undefined;
    const takesRanges = !ignoresRanges && !(isReused && type === "nlb");
    const restrict = `restrict the clients: ${takesRanges ? "spec.loadBalancerSourceRanges, or " : ""}${HOW[type]}`;
    return isReused ? restrict : `set address-type to "intranet" for callers inside the VPC, or ${restrict}`;
}

const portsOf = ({ ports, settings }: ServiceSubject): string =>
    ports
        .map(({ protocol, port }) => {
            const range = settings.listenerPortRange?.find((one) => one.port === port);
            return `${protocol}:${range === undefined ? port : `${range.from}-${range.to}`}`;
        })
        .join(", ");

/** The oldest TLS version that a policy accepts. Policies of both kinds of load balancer have the same names. */
const OLDEST: ReadonlyMap<string, string> = new Map([
    ["tls_cipher_policy_1_0", "1.0"],
    ["tls_cipher_policy_1_1", "1.1"],
    ["tls_cipher_policy_1_2", "1.2"],
    ["tls_cipher_policy_1_2_strict", "1.2"],
    ["tls_cipher_policy_1_2_strict_with_1_3", "1.2"],
]);

/** Protocols of listeners that terminate TLS, for a CLB and for an NLB. */
const TLS_PROTOCOLS = ["https", "tcpssl"] as const;

/** Requires TLS 1.2: older versions are insecure, and a listener accepts 1.0 by default. */
const tls: Rule = resourceRule("exposure-tls", "high", "advisory", {
    title: "HTTPS and TCPSSL listeners accept TLS 1.2 or newer only, and so do custom TLS policies.",
    remedy:
        'Set tls-cipher-policy to "tls_cipher_policy_1_2" or stricter. A custom policy (tls-…) is checked where ' +
        "the program defines it.",
    source: `${clbDocument("Configure a TLS security policy")}; ${nlbDocument("Configure TLS Security Policy")}`,
    options: z.object({
        minimum: z.enum(["1.0", "1.1", "1.2"]).default("1.2").describe("The oldest version that is accepted."),
    }),
    service: ({ protocols, settings, attempted }, { minimum }) => {
        const protocol = TLS_PROTOCOLS.find((one) => protocols.includes(one));
        const { tlsCipherPolicy } = settings;
        // A refused value is no default.
        const isRefused = tlsCipherPolicy === undefined && attempted.has("tlsCipherPolicy");
        if (protocol === undefined || isRefused || !listenersManaged(settings)) return [];
        return checkPolicy(protocol, tlsCipherPolicy, minimum);
    },
    resources: {
        [CLB_LISTENER_TYPE]: (listener, { minimum }) =>
            listener.get("protocol") === "https" ? checkPolicy("https", listener.get("tlsCipherPolicy"), minimum) : [],
        [NLB_LISTENER_TYPE]: (listener, { minimum }) =>
            listener.get("listenerProtocol")?.toLowerCase() === "tcpssl"
                ? checkPolicy("tcpssl", listener.get("securityPolicyId"), minimum)
                : [],
        [NLB_TLS_POLICY_TYPE]: (policy, { minimum }) => {
            // As the cloud writes them: `TLSv1.2`.
            const versions = policy.get("tlsVersions", TEXT_LIST) ?? [];
            const old = versions.filter((version) => version.replace(/^TLSv/, "") < minimum).join(", ");
            return when(old !== "", `listeners with this policy speak ${old}; at least TLS ${minimum} is required`);
        },
    },
});

function checkPolicy(protocol: string, specified: string | undefined, minimum: string): string[] {
    const policy = specified || "tls_cipher_policy_1_0";
    // The name of a custom policy does not say what it accepts.
    const oldest = OLDEST.get(policy);
    if (oldest === undefined || oldest >= minimum) return [];
    return [
        `the ${protocol.toUpperCase()} listeners speak TLS ${oldest} ` +
            `(${policy}${specified === undefined ? ", the default" : ""}); at least ${minimum} is required`,
    ];
}

export const EXPOSURE: readonly Rule[] = [emptyList, open, tls];
