/** Zones and addresses of an NLB. */

import { compatibilityOf } from "../../../schema/facts";
import { isAtLeast } from "../../../schema/versions";
import { collector, diagnostic } from "../../../diagnostics";
import { nlbDocument } from "../../../schema/documents";
import { UNKNOWN_REFERENCE } from "../../codecs";
import { keyOf, type Rule } from "../context";

const ZONES = nlbDocument("Create a Public NLB");

/** From this CCM on addresses can be chosen. */
const ADDRESSES_SINCE = "v2.12.1";

/** Most zones of one instance. Source: NLB API, CreateLoadBalancer, ZoneMappings. */
const MOST_ZONES = 10;

/** A new instance has two zones at least, each of them once. */
export const zones: Rule = ({ settings, attempted }) => {
    const { zoneMaps, id } = settings;
    if (zoneMaps === undefined) {
        if (attempted.has("zoneMaps") || id !== undefined || attempted.has("id")) return [];
        return [
            diagnostic({
                code: "annotation-companion",
                severity: "error",
                about: ["spec", "loadBalancerClass"],
                cause: `an NLB needs ${keyOf("zoneMaps")}: its zones have no default`,
                remedy: `add ${keyOf("zoneMaps")} with two zones and a vSwitch in each`,
                source: ZONES,
            }),
        ];
    }
    const report = collector("annotation-value", { source: ZONES });
    if (zoneMaps.length < 2 || zoneMaps.length > MOST_ZONES)
        report.error(
            "zoneMaps",
            `names ${zoneMaps.length} zone${zoneMaps.length === 1 ? "" : "s"}, but an NLB has 2 to ${MOST_ZONES}`,
            "name two zones at least",
        );
    for (const part of ["zoneId", "vswitchId", "privateIpv4", "allocationId"] as const) {
        const given = zoneMaps.flatMap((zone) => zone[part] ?? []).filter((value) => value !== UNKNOWN_REFERENCE);
        for (const twice of new Set(given.filter((value, index) => given.indexOf(value) !== index)))
            report.error("zoneMaps", `"${twice}" is there twice`, "each zone, vSwitch and address can be used once");
    }
    return report.diagnostics;
};

/** Elastic addresses are public ones, and both kinds of address came later than zones. */
export const addresses: Rule = ({ settings, facts }) => {
    const zoneMaps = settings.zoneMaps ?? [];
    const report = collector("annotation-exclusion");
    const chosen = zoneMaps.some((zone) => zone.privateIpv4 !== undefined || zone.allocationId !== undefined);
    const current = compatibilityOf(facts);
    if (chosen && !isAtLeast(current, ADDRESSES_SINCE)) {
        report.error(
            "zoneMaps",
            `addresses of zones need Cloud Controller Manager ${ADDRESSES_SINCE} or later, but the cluster is at ${current}`,
            "leave the addresses out, or upgrade the Cloud Controller Manager",
            { code: "annotation-version", source: ZONES },
        );
    }
    if (settings.addressType === "intranet" && zoneMaps.some((zone) => zone.allocationId !== undefined)) {
        report.error(
            "zoneMaps",
            `an internal load balancer (${keyOf("addressType")}: "intranet") has no elastic IP addresses`,
            `leave them out, or remove ${keyOf("addressType")}`,
            { source: nlbDocument("Specify the NLB EIP Instance ID") },
        );
    }
    if (settings.addressType === "intranet" && settings.bandwidthPackageId !== undefined) {
        report.error(
            "bandwidthPackageId",
            `an internal load balancer (${keyOf("addressType")}: "intranet") has no public bandwidth to share`,
            `remove it, or ${keyOf("addressType")}`,
            { source: nlbDocument("Bind an Internet Shared Bandwidth Package") },
        );
    }
    return report.diagnostics;
};

/** IPv6 needs kube-proxy in IPVS mode. */
export const ipv6: Rule = ({ settings, facts }) => {
    if (settings.ipVersion !== "DualStack" || facts.kubeProxyMode !== "iptables") return [];
    return [
        diagnostic({
            code: "annotation-exclusion",
            severity: "error",
            about: "ipVersion",
            cause: "needs kube-proxy in IPVS mode, but the cluster runs it in iptables mode",
            remedy: `remove ${keyOf("ipVersion")}, or use a cluster with IPVS`,
            source: nlbDocument("Create a Dual-Stack NLB"),
        }),
    ];
};
