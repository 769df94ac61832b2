/** Server groups of an NLB, and how their members are checked. */

import { backendTypeOf } from "../../defaults";
import { collector, diagnostic } from "../../../diagnostics";
import { anyRowOf } from "../../catalogue";
import { edgeDocument, nlbDocument } from "../../../schema/documents";
import { hasListener, keyOf, type Rule } from "../context";

/** What an HTTP check is like, behind groups that check otherwise; and the default check of UDP groups. */
export const checks: Rule = (context) => {
    const { settings, attempted } = context;
    if (settings.healthCheckType === undefined && attempted.has("healthCheckType")) return [];
    const report = collector("annotation-scope");
    if (settings.healthCheckType !== "http") {
        for (const field of [
            "healthCheckUri",
            "healthCheckHttpcode",
            "healthCheckDomain",
            "healthCheckMethod",
        ] as const) {
            if (settings[field] === undefined) continue;
            report.warning(
                field,
                `only checks by HTTP use it, but backends are checked by ${settings.healthCheckType ?? "tcp"}`,
                `add ${keyOf("healthCheckType")}: "http", or remove ${keyOf(field)}`,
                { part: "key", source: anyRowOf(field).source },
            );
        }
    }
    if (
        settings.healthCheckType === undefined &&
        settings.healthCheckFlag !== "off" &&
        context.protocols !== undefined &&
        hasListener(context, "udp")
    ) {
        report.warning(
            ["spec", "ports"],
            "backends of UDP listeners are checked by opening a TCP connection to their port by default, and count as unhealthy if nothing answers there",
            `set ${keyOf("healthCheckType")}: "udp", ${keyOf("healthCheckConnectPort")} to a TCP port, or ${keyOf("healthCheckFlag")}: "off"`,
            { code: "annotation-effect", source: nlbDocument("Create a UDP Listener") },
        );
    }
    return report.diagnostics;
};

export const unchecked: Rule = ({ settings }) => {
    if (settings.healthCheckFlag !== "off") return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "healthCheckFlag",
            cause: "the backends are not checked, so that unhealthy ones keep getting traffic",
            remedy: `remove ${keyOf("healthCheckFlag")}, unless something else removes unhealthy backends`,
            source: nlbDocument("Configure TCP Health Checks"),
        }),
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
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "backendType",
            cause: "pods at the edge have no network interface in the VPC; a server group of instances can only hold those in the cloud",
            remedy: `add ${keyOf("serverGroupType")}: "Ip"`,
            source: edgeDocument("Expose hybrid pods with NLB (recommended)"),
        }),
    ];
};
