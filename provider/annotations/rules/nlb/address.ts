/** Zones and addresses of an NLB. */

import { compatibilityOf } from "../../../schema/facts";
import { isAtLeast } from "../../../schema/versions";
import type { Finding } from "../../finding";
import { nlbDocument } from "../../../schema/documents";
import { UNKNOWN_REFERENCE } from "../../codecs";
import { keyOf, type Rule } from "../context";

const ZONES = nlbDocument("Create a Public NLB");

/** From this CCM on addresses can be chosen. */
const ADDRESSES_SINCE = "v2.12.1";

/** Most zones of one instance. Source: NLB API, CreateLoadBalancer, ZoneMappings. */
const MOST_ZONES = 10;

/** A new instance stands in two zones at least, each of them once. */
export const zones: Rule = ({ settings, attempted }) => {
    const { zoneMaps, id } = settings;
    const refuse = (at: Finding["at"], message: string, remedy: string): Finding => ({
        code: "annotation-value",
        severity: "error",
        at,
        message,
        remedy,
        source: ZONES,
    });
    if (zoneMaps === undefined) {
        if (attempted.has("zoneMaps") || id !== undefined || attempted.has("id")) return [];
        return [
            {
                code: "annotation-companion",
                severity: "error",
                at: ["spec", "loadBalancerClass"],
                message: `an NLB needs ${keyOf("zoneMaps")}: nothing else says where it is to stand`,
                remedy: `add ${keyOf("zoneMaps")} with two zones and a vSwitch in each`,
                source: ZONES,
            },
        ];
    }
    const findings: Finding[] = [];
    if (zoneMaps.length < 2 || zoneMaps.length > MOST_ZONES)
        findings.push(
            refuse(
                "zoneMaps",
                `names ${zoneMaps.length} zone${zoneMaps.length === 1 ? "" : "s"}, but an NLB stands in 2 to ${MOST_ZONES}`,
                "name two zones at least",
            ),
        );
    for (const part of ["zoneId", "vswitchId", "privateIpv4", "allocationId"] as const) {
        const given = zoneMaps.flatMap((zone) => zone[part] ?? []).filter((value) => value !== UNKNOWN_REFERENCE);
        for (const twice of new Set(given.filter((value, index) => given.indexOf(value) !== index)))
            findings.push(
                refuse("zoneMaps", `"${twice}" is there twice`, "each zone, vSwitch and address can be used once"),
            );
    }
    return findings;
};

/** Elastic addresses are public ones, and both kinds of address came later than zones. */
export const addresses: Rule = ({ settings, facts }) => {
    const zoneMaps = settings.zoneMaps ?? [];
    const findings: Finding[] = [];
    const chosen = zoneMaps.some((zone) => zone.privateIpv4 !== undefined || zone.allocationId !== undefined);
    const current = compatibilityOf(facts);
    if (chosen && !isAtLeast(current, ADDRESSES_SINCE)) {
        findings.push({
            code: "annotation-version",
            severity: "error",
            at: "zoneMaps",
            message: `addresses of zones need Cloud Controller Manager ${ADDRESSES_SINCE} or later, but the cluster is at ${current}`,
            remedy: "leave the addresses out, or upgrade the Cloud Controller Manager",
            source: ZONES,
        });
    }
    if (settings.addressType === "intranet" && zoneMaps.some((zone) => zone.allocationId !== undefined)) {
        findings.push({
            code: "annotation-exclusion",
            severity: "error",
            at: "zoneMaps",
            message: `an internal load balancer (${keyOf("addressType")}: "intranet") has no elastic IP addresses`,
            remedy: `leave them out, or remove ${keyOf("addressType")}`,
            source: nlbDocument("Specify the NLB EIP Instance ID"),
        });
    }
    if (settings.addressType === "intranet" && settings.bandwidthPackageId !== undefined) {
        findings.push({
            code: "annotation-exclusion",
            severity: "error",
            at: "bandwidthPackageId",
            message: `an internal load balancer (${keyOf("addressType")}: "intranet") has no public bandwidth to share`,
            remedy: `remove it, or ${keyOf("addressType")}`,
            source: nlbDocument("Bind an Internet Shared Bandwidth Package"),
        });
    }
    return findings;
};

/** IPv6 needs kube-proxy in IPVS mode. */
export const ipv6: Rule = ({ settings, facts }) => {
    if (settings.ipVersion !== "DualStack" || facts.kubeProxyMode !== "iptables") return [];
    return [
        {
            code: "annotation-exclusion",
            severity: "error",
            at: "ipVersion",
            message: "needs kube-proxy in IPVS mode, but the cluster runs it in iptables mode",
            remedy: `remove ${keyOf("ipVersion")}, or use a cluster with IPVS`,
            source: nlbDocument("Create a Dual-Stack NLB"),
        },
    ];
};
