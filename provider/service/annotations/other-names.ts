/** Names that other clouds and old tutorials give to what an annotation of this cloud does. */

import { LOAD_BALANCER_NAMES, type LoadBalancerType, otherType } from "../../schema/load-balancer-type";
import type { SettingName } from "../../schema/settings";
import { rowOf } from "./catalogue";
import { restOf } from "./closest";

interface OtherName {
    /** Whole name in lower case, with hyphens, without the prefix of its cloud. */
    readonly names: RegExp;
    /** Settings with the same purpose, of either type of load balancer. */
    readonly settings: readonly SettingName[];
    /** Field of a Service with the same purpose. */
    readonly field?: string;
}

const means = (names: RegExp, settings: readonly SettingName[], field?: string): OtherName =>
    field === undefined ? { names, settings } : { names, settings, field };

const RANGES = "spec.loadBalancerSourceRanges";

/** Returns an expression for whole names, given as regular expressions. */
const any = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join("|")})$`);

/**
 * The first row that matches counts.
 *
 * Sources: the pages about annotations of a Service of the AWS Load Balancer Controller, of GKE ("LoadBalancer Service
 * parameters"), of Tencent Cloud's TKE and of Huawei Cloud's CCE.
 */
const OTHER_NAMES: readonly OtherName[] = [
    means(
        any(
            "access-control(?:-(?:enabled?|flag|switch|status|on|type|mode|list|id|ids|policy|cidrs?|ips?))?",
            "(?:load-?balancer-?)?source-(?:ranges?|cidrs?|ips?)",
            "(?:allow|deny|white|black|ip)-?lists?(?:-(?:enabled?|ids?|cidrs?|ips?))?",
            "(?:allowed|inbound)-(?:cidrs?|ips?)",
            "acl-(?:enabled?|flag|switch|on|list|entry|entries|cidrs?|ips?)",
        ),
        ["aclStatus", "aclId", "aclType"],
        RANGES,
    ),
    means(
        any("(?:.*-)?security-?groups?(?:-(?:id|ids|name|names|enabled?|rules|mode))*", "sg(?:-ids?)?"),
        ["securityGroupIds", "aclStatus", "aclId", "aclType"],
        RANGES,
    ),
    means(
        any("instance-type", "(?:instance|load-?balancer)-(?:class|spec|size|flavou?r)", "flavou?r"),
        ["spec"],
        "spec.loadBalancerClass",
    ),
    means(any("(?:class|kind|product|product-type|load-?balancer-type)"), [], "spec.loadBalancerClass"),
    means(
        any(
            "(?:is-)?(?:internal|internet-facing|intranet|internet|public|private|scheme|exposure|" +
                "visibility)(?:-load-?balancer|-enabled?|-facing)?",
        ),
        ["addressType"],
    ),
    means(
        any(
            "(?:internal-|private-|public-)?(?:subnets?|v-?switch(?:es)?)(?:-?ids?|-mappings?|-names?)?",
            "internal-?subnet-?ids?",
            "v-?switch(?:es)?-ids",
        ),
        ["vswitchId", "zoneMaps"],
    ),
    means(any("(?:availability-zones?|azs?|zones|zone-mappings?)"), ["masterZoneid", "slaveZoneid", "zoneMaps"]),
    means(
        any(
            "(?:eip|public|internet|max|egress|common|shared)(?:-max)?-bandwidth(?:-(?:out|limit|size|" + "package))?",
            "bandwidth-(?:out|limit|size|max)",
        ),
        ["bandwidth", "bandwidthPackageId"],
    ),
    means(any("(?:eip|elastic-?ip|public-?ip|allocation)(?:-(?:allocations?|ids?|address(?:es)?|type|auto))*"), [
        "externalIpType",
        "zoneMaps",
    ]),
    means(
        any(
            "(?:load-?balancer-)?ips?(?:v[46])?(?:-address(?:es)?)?",
            "(?:private-|static-|fixed-|vip-)(?:ips?|ip-?v[46]|ip-?v4-address(?:es)?|ip-address(?:es)?|" +
                "address(?:es)?)",
            "vip",
        ),
        ["ip", "zoneMaps"],
    ),
    means(any("ip-address-type", "ip-?(?:family|families|stack)", "dual-?stack"), ["ipVersion"]),
    means(
        any(
            "(?:ssl|tls|server|https)-(?:cert|certs|certificate|certificates|secret)(?:-(?:arns?|ids?|" + "names?))?",
            "certs?",
            "certificates?(?:-arns?|-names?)?",
        ),
        ["certId", "additionalCertIds"],
    ),
    means(
        any(
            "(?:ssl|tls|security)-(?:negotiation-|ciphers?-)?policy(?:-id|-name)?",
            "(?:ssl|tls)-(?:ciphers?|versions?|protocols?)",
        ),
        ["tlsCipherPolicy"],
    ),
    means(
        any(
            "(?:ssl|tls|https?|app|backend|listener|frontend|specify|port)-(?:ports?|protocols?)",
            "protocols?",
            "listeners?(?:-ports?)?",
        ),
        ["protocolPort"],
    ),
    means(any("(?:ssl|https?|http-to-https)-redirect(?:-port)?", "redirect(?:-port|-to-https)?"), ["forwardPort"]),
    means(any("(?:nlb-|backend-)?target-type", "(?:direct-access|direct|neg|pod-direct|container-native)"), [
        "backendType",
        "serverGroupType",
    ]),
    means(any("(?:target-)?node-(?:labels?|selector)"), ["backendLabel"]),
    means(any("health-?checks?(?:-(?:enabled?|on|status))?"), ["healthCheckSwitch", "healthCheckFlag"]),
    means(any("health-?checks?-(?:path|url-path|request-path)"), ["healthCheckUri"]),
    means(any("health-?checks?-port"), ["healthCheckConnectPort"]),
    means(any("health-?checks?-protocol"), ["healthCheckType"]),
    means(any("health-?checks?-host"), ["healthCheckDomain"]),
    means(any("health-?checks?-(?:success-codes?|status-codes?|codes?|matcher)"), ["healthCheckHttpcode"]),
    means(any("health-?checks?-(?:interval-seconds|period|period-seconds)"), ["healthCheckInterval"]),
    means(any("health-?checks?-timeout(?:-seconds)?"), ["healthCheckTimeout", "healthCheckConnectTimeout"]),
    means(any("cross-zone(?:-load-balancing)?(?:-enabled?)?"), ["crossZoneEnabled"]),
    means(any("(?:connection-draining|deregistration-delay|drain)(?:-(?:enabled?|timeout|timeout-seconds))?"), [
        "connectionDrain",
        "connectionDrainTimeout",
    ]),
    means(any("(?:connection-|tcp-)?(?:idle|keep-?alive)-timeout(?:-(?:seconds|ms))?"), [
        "idleTimeout",
        "establishedTimeout",
    ]),
    means(
        any(
            "(?:lb-)?(?:algorithm|algo|method|balance|balancing|scheduling)(?:-(?:algorithm|mode|type|" + "policy))?",
            "lb-algorithm",
        ),
        ["scheduler"],
    ),
    means(
        any(
            "(?:session-(?:affinity|persistence|sticky)|stickiness|affinity)(?:-(?:mode|option|flag|" +
                "enabled?|type|timeout))*",
        ),
        ["stickySession", "persistenceTimeout"],
    ),
    means(any("(?:existed|existing|reused?)?-?(?:lb|slb|clb|nlb|elb|load-?balancer?|instance)-?ids?"), ["id"]),
    means(any("(?:payment|billing|pay)-(?:type|mode|method)"), ["instanceChargeType", "chargeType"]),
    means(
        any(
            "pass-(?:to-target|through)",
            "(?:enable-)?(?:transparent-)?(?:client|source|real)-ip(?:-(?:preservation|enabled?))*",
            "preserve-(?:source|real)-ip",
        ),
        ["preserveClientIp", "proxyProtocol"],
    ),
    means(any("(?:resource-|additional-|custom-)?tags"), ["additionalResourceTags"]),
    means(any("deletion-protection(?:-enabled?)?"), ["deleteProtection"]),
    means(any("x-?forwarded-proto(?:col)?"), ["xforwardedforProto"]),
    means(any("x-?forwarded-port"), ["xforwardedforSlbport"]),
];

/** A name in the spelling of the table: `elb.session_affinity-mode` is `session-affinity-mode`. */
const plainName = (name: string): string =>
    restOf(name)
        .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .replace(/^(?:(?:alibaba-?cloud|alicloud|aliyun|aws|azure|gcp|qcloud|tke|elb|slb|cce)[-.])+/, "")
        .replace(/[._]/g, "-");

/**
 * Returns what does the job of a name that another cloud or an old tutorial uses, or undefined if the name is none of
 * these.
 *
 * @param nameOf spells a setting: its annotation, or its name in code.
 */
export function remedyForOtherName(
    name: string,
    type: LoadBalancerType,
    nameOf: (setting: SettingName) => string,
): string | undefined {
    const plain = plainName(name);
    const found = OTHER_NAMES.find(({ names }) => names.test(plain));
    if (found === undefined) return undefined;
    const { settings, field } = found;
    const list = (some: readonly SettingName[]) => some.map((one) => `"${nameOf(one)}"`).join(", ");
    const own = settings.filter((one) => rowOf(one, type) !== undefined);
    const others = settings.filter((one) => rowOf(one, type) === undefined);
    const here = [...(own.length === 0 ? [] : [list(own)]), ...(field === undefined ? [] : [field])].join(" or ");
    const there = `${LOAD_BALANCER_NAMES[otherType(type)]} has ${list(others)}`;
    if (here === "") return `remove it; ${there}`;
    return `remove it; what you want may be ${here}${others.length === 0 ? "" : ` (${there})`}`;
}
