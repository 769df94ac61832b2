/** Health checks that do something else than they seem to. */

import { anyRowOf } from "../../catalogue";
import { defaultOf } from "../../defaults";
import { collector, type Diagnostic, diagnostic } from "../../../diagnostics";
import { clbDocument } from "../../../schema/documents";
import { hasListener, keyOf, type Rule, type RuleContext } from "../context";

const HTTP_SECTION = clbDocument("Configure HTTP health checks");

/** A timeout below the interval counts as the interval. */
export const timeouts: Rule = ({ settings, attempted, facts }) => {
    if (settings.healthCheckInterval === undefined && attempted.has("healthCheckInterval")) return [];
    const interval = settings.healthCheckInterval ?? defaultOf("healthCheckInterval", facts);
    if (interval === undefined) return [];
    return (["healthCheckConnectTimeout", "healthCheckTimeout"] as const).flatMap((field): Diagnostic[] => {
        const timeout = settings[field];
        if (timeout === undefined || timeout >= interval) return [];
        return [
            diagnostic({
                code: "annotation-effect",
                severity: "warning",
                about: field,
                cause: `a timeout of ${timeout} s is less than the interval of ${interval} s, so that ${interval} s is used`,
                remedy: `write ${interval} or more, or shorten ${keyOf("healthCheckInterval")}`,
                source: anyRowOf(field).source,
            }),
        ];
    });
};

/** Listeners whose backends are not checked, which HTTP and HTTPS listeners are by default. */
export const unchecked: Rule = (context) => {
    const { settings, attempted } = context;
    const report = collector("annotation-effect");
    if (
        context.protocols !== undefined &&
        hasListener(context, "http", "https") &&
        settings.healthCheckFlag !== "on" &&
        (settings.healthCheckFlag === "off" || !attempted.has("healthCheckFlag"))
    ) {
        report.warning(
            settings.healthCheckFlag === undefined ? "protocolPort" : "healthCheckFlag",
            `the backends of HTTP and HTTPS listeners are not checked unless ${keyOf("healthCheckFlag")} is "on"`,
            `add ${keyOf("healthCheckFlag")}: "on"`,
            { source: clbDocument("Create an HTTP listener") },
        );
    }
    if (settings.healthCheckSwitch === "off" && hasListener(context, "tcp", "udp")) {
        report.warning(
            "healthCheckSwitch",
            "the backends of TCP and UDP listeners are not checked, so that unhealthy ones keep getting traffic",
            `remove ${keyOf("healthCheckSwitch")}, unless something else removes unhealthy backends`,
            { source: clbDocument("Disable health checks for TCP and UDP listeners") },
        );
    }
    return report.diagnostics;
};

/** Settings of checks by HTTP, behind TCP listeners that check by opening a connection. */
export const checkedByTcp: Rule = (context) => {
    const { settings } = context;
    if (
        typeUnreadable(context) ||
        settings.healthCheckType === "http" ||
        hasListener(context, "http", "https") ||
        !hasListener(context, "tcp")
    )
        return [];
    return (
        [
            "healthCheckUri",
            "healthCheckHttpcode",
            "healthCheckDomain",
            "healthCheckMethod",
            "healthCheckTimeout",
        ] as const
    )
        .filter((field) => settings[field] !== undefined)
        .map((field) =>
            diagnostic({
                code: "annotation-scope",
                severity: "warning",
                about: field,
                part: "key",
                cause: `only checks by HTTP use it, but TCP listeners check by opening a connection unless ${keyOf("healthCheckType")} is "http"`,
                remedy: `add ${keyOf("healthCheckType")}: "http", or remove ${keyOf(field)}`,
                source: HTTP_SECTION,
            }),
        );
};

/** HTTP and HTTPS listeners have no other way to check than HTTP. */
export const checkType: Rule = (context) => {
    const { settings, protocols } = context;
    if (settings.healthCheckType !== "tcp" || protocols === undefined || hasListener(context, "tcp")) return [];
    if (!hasListener(context, "http", "https")) return [];
    return [
        diagnostic({
            code: "annotation-effect",
            severity: "warning",
            about: "healthCheckType",
            cause: `HTTP and HTTPS listeners check by HTTP, whatever the type`,
            remedy: `remove ${keyOf("healthCheckType")}`,
            source: HTTP_SECTION,
        }),
    ];
};

const typeUnreadable = ({ settings, attempted }: RuleContext): boolean =>
    settings.healthCheckType === undefined && attempted.has("healthCheckType");
