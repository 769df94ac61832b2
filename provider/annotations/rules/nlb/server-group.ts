/** Server groups of an NLB, and how their members are checked. */

import { backendTypeOf } from "../../defaults";
import type { Finding } from "../../finding";
import { anyRowOf } from "../../catalogue";
import { CCM_SOURCE, edgeDocument, nlbDocument } from "../../../schema/documents";
import { hasListener, keyOf, type Rule } from "../context";

/** What an HTTP check is like, behind groups that check otherwise; and how UDP groups are checked if nobody says so. */
export const checks: Rule = (context) => {
    const { settings, attempted } = context;
    if (settings.healthCheckType === undefined && attempted.has("healthCheckType")) return [];
    const findings: Finding[] = [];
    if (settings.healthCheckType !== "http") {
        for (const field of [
            "healthCheckUri",
            "healthCheckHttpcode",
            "healthCheckDomain",
            "healthCheckMethod",
        ] as const) {
            if (settings[field] === undefined) continue;
            findings.push({
                code: "annotation-scope",
                severity: "warning",
                at: field,
                part: "key",
                message: `only checks by HTTP use it, but backends are checked by ${settings.healthCheckType ?? "tcp"}`,
                remedy: `add ${keyOf("healthCheckType")}: "http", or remove ${keyOf(field)}`,
                source: anyRowOf(field).source,
            });
        }
    }
    if (
        settings.healthCheckType === undefined &&
        settings.healthCheckFlag !== "off" &&
        context.protocols !== undefined &&
        hasListener(context, "udp")
    ) {
        findings.push({
            code: "annotation-effect",
            severity: "warning",
            at: ["spec", "ports"],
            message:
                "backends of UDP listeners are checked by opening a TCP connection to their port if nothing is said, and count as dead if nothing answers there",
            remedy: `set ${keyOf("healthCheckType")}: "udp", ${keyOf("healthCheckConnectPort")} to a TCP port, or ${keyOf("healthCheckFlag")}: "off"`,
            source: nlbDocument("Create a UDP Listener"),
        });
    }
    return findings;
};

export const unchecked: Rule = ({ settings }) => {
    if (settings.healthCheckFlag !== "off") return [];
    return [
        {
            code: "annotation-effect",
            severity: "warning",
            at: "healthCheckFlag",
            message: "the backends are not checked, so that dead ones keep getting traffic",
            remedy: `remove ${keyOf("healthCheckFlag")}, unless something else takes dead backends out`,
            source: nlbDocument("Configure TCP Health Checks"),
        },
    ];
};

/** Pods at the edge have no network interface in the VPC. */
export const addressGroups: Rule = ({ settings, attempted, facts }) => {
    if (
        facts.networkPlugin !== "terway-edge" ||
        attempted.has("serverGroupType") ||
        backendTypeOf(settings, facts) !== "eni"
    )
        return [];
    return [
        {
            code: "annotation-effect",
            severity: "warning",
            at: "backendType",
            message:
                "pods at the edge have no network interface in the VPC; a server group of instances can only hold those in the cloud",
            remedy: `add ${keyOf("serverGroupType")}: "Ip"`,
            source: edgeDocument("Expose hybrid pods with NLB (recommended)"),
        },
    ];
};

/** Nodes that run the pods are weighted by them. */
export const weights: Rule = ({ settings, facts, externalTrafficPolicy }) => {
    if (
        settings.defaultWeight === undefined ||
        externalTrafficPolicy !== "Local" ||
        backendTypeOf(settings, facts) === "eni"
    )
        return [];
    return [
        {
            code: "annotation-scope",
            severity: "warning",
            at: "defaultWeight",
            part: "key",
            message: "with externalTrafficPolicy Local, nodes are weighted by their number of pods; it has no effect",
            remedy: `remove ${keyOf("defaultWeight")}`,
            source: `${CCM_SOURCE}, "default-weight"`,
        },
    ];
};
