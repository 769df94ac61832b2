import { ipVersionOf, keyOfSetting, listenersManaged } from "./annotations";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import type { Settings } from "../schema/settings";
import { clbDocument, nlbDocument } from "../schema/documents";
import { type Collector, collector, type FieldPath } from "../diagnostics";
import { LIMITS } from "../quotas/limits";
import { familyOf, isCidr } from "../schema/cidr";

/** Most ranges of a security group, next to the rule for all others. */
const MAX_RULES = LIMITS.securityGroupRules.most - 1;

const PATH: FieldPath = ["spec", "loadBalancerSourceRanges"];
const NAMES = { ipv4: "IPv4", ipv6: "IPv6" } as const;

type IpVersion = keyof typeof NAMES;

/** Range with every address of an IP version. */
export const EVERYONE: Readonly<Record<IpVersion, string>> = { ipv4: "0.0.0.0/0", ipv6: "::/0" };

/** Returns the IP versions in which a load balancer takes connections. */
export function ipVersionsOf(type: LoadBalancerType, settings: Settings): readonly IpVersion[] {
    if (type === "clb") return [ipVersionOf(settings)];
    return settings.ipVersion === "DualStack" ? ["ipv4", "ipv6"] : ["ipv4"];
}

/** True if a range contains every address of an IP version. */
export const admitsAll = (ranges: readonly string[], version: IpVersion): boolean =>
    ranges.some((range) => familyOf(range) === version && /\/0+$/.test(range));

/** True if ranges restrict no client in any of these IP versions. */
export const admitsEveryone = (ranges: readonly string[], versions: readonly IpVersion[]): boolean =>
    versions.every((version) => admitsAll(ranges, version));

export function checkSourceRanges(type: LoadBalancerType, ranges: readonly string[], settings: Settings) {
    const groups = type === "nlb" ? checkSecurityGroups(ranges, settings) : [];
    if (ranges.length === 0) return groups;
    const section = type === "clb" ? "Configure an access control list" : "Configure Listener Security Groups";
    const source = type === "clb" ? clbDocument(section) : nlbDocument(section);
    const report = collector("service-field", { source });
    const remedy = 'write an address and a prefix length, such as "10.0.0.0/8" or "2001:db8::/32"';
    for (const [index, range] of ranges.entries())
        if (!isCidr(range)) report.error([...PATH, index], `"${range}" is not an address range`, remedy);
    if (type === "nlb") checkNlbRanges(ranges, settings, report);
    else if (report.diagnostics.length === 0) checkClbRanges(ranges, settings, report);
    return [...groups, ...report.diagnostics];
}

/** Refuses more security groups than an NLB joins. The ranges are rules of one more. */
function checkSecurityGroups(ranges: readonly string[], { securityGroupIds = [] }: Settings) {
    const { most, source } = LIMITS.securityGroups;
    const report = collector("annotation-value", { source });
    const own = ranges.length > 0 ? 1 : 0;
    const named = new Set(securityGroupIds).size;
    if (named + own > most) {
        const besides = own > 0 ? ", one of them for loadBalancerSourceRanges" : "";
        const cause = `names ${named} security groups, but an NLB joins ${most} at most${besides}`;
        report.error("securityGroupIds", cause, `leave ${most - own} of them`);
    }
    return report.diagnostics;
}

/** The ranges of a CLB become an access control list of the listeners. */
function checkClbRanges(ranges: readonly string[], settings: Settings, report: Collector): void {
    if (settings.aclStatus === "on" && settings.aclId !== undefined) {
        const key = keyOfSetting("aclId");
        const cause = `${key} names a list that takes the place of the source ranges; they would have no effect`;
        return report.error(PATH, cause, "remove one of the two; ranges can be entries of the list");
    }
    if (!listenersManaged(settings)) {
        const cause = "has no effect on an existing instance whose listeners are not managed: everyone could connect";
        const remedy =
            "restrict its listeners yourself and remove loadBalancerSourceRanges, " +
            `or set ${keyOfSetting("forceOverrideListeners")}: "true"`;
        return report.error(PATH, cause, remedy);
    }
    const version = ipVersionOf(settings);
    const name = NAMES[version];
    const own = ranges.filter((range) => familyOf(range) === version);
    if (own.length === 0)
        report.error(
            PATH,
            `no range is of ${name}, the IP version of the load balancer; a list without entries would let everyone in`,
            `add an ${name} range, or remove loadBalancerSourceRanges`,
        );
    else if (own.length < ranges.length) {
        const cause = `only the ranges of ${name} count, the IP version of the load balancer`;
        report.warning(PATH, cause, "remove the others");
    }
    const { most, source } = LIMITS.listEntries;
    if (new Set(own).size > most) {
        const cause = `${own.length} ranges are more than the ${most} that an access control list holds`;
        report.error(PATH, cause, "join ranges", { source });
    }
}

/** The ranges of an NLB become rules of a security group. */
function checkNlbRanges(ranges: readonly string[], settings: Settings, report: Collector): void {
    if (settings.id !== undefined)
        report.error(
            PATH,
            "has no effect on an NLB that is shared: security groups apply to the whole instance, " +
                "and everyone could connect",
            `add the instance to a security group (${keyOfSetting("securityGroupIds")}), ` +
                "or remove loadBalancerSourceRanges",
        );
    if (report.diagnostics.length === 0) checkNlbVersions(ranges, ipVersionsOf("nlb", settings), report);
    if (new Set(ranges).size > MAX_RULES) {
        const cause =
            `${ranges.length} ranges are more than the ${MAX_RULES} that a security group holds ` +
            "besides the rule that keeps others out";
        report.error(PATH, cause, "join ranges", { source: LIMITS.securityGroupRules.source });
    }
}

function checkNlbVersions(ranges: readonly string[], versions: readonly IpVersion[], report: Collector): void {
    if (ranges.some((range) => !versions.includes(familyOf(range)))) {
        const cause = "the load balancer has IPv4 addresses only: its IPv6 ranges admit no client";
        report.warning(PATH, cause, "remove them");
    }
    for (const version of versions.filter((one) => ranges.every((range) => familyOf(range) !== one))) {
        const cause = `no range is of ${NAMES[version]}: no client can connect over ${NAMES[version]}`;
        report.warning(PATH, cause, `add an ${NAMES[version]} range; "${EVERYONE[version]}" admits all clients`);
    }
}
