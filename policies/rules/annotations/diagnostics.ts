/** The diagnostics of reading a Service, each assigned to exactly one rule. */

import { type Diagnostic, type DiagnosticCode } from "../../../provider/diagnostics";
import type { SettingName } from "../../../provider/schema/settings";
import type { CheckResult } from "../../rule";
import type { ServiceSubject } from "../../subjects";
import { defined } from "../../../provider/schema/defined";

/** Rules of errors by code. All others are about the Service's own fields. */
const ERRORS: Partial<Record<DiagnosticCode, string>> = {
    "annotation-unknown": "annotations-values",
    "annotation-type": "annotations-values",
    "annotation-value": "annotations-values",
    "annotation-placeholder": "annotations-values",
    "annotation-companion": "annotations-companions",
    "annotation-exclusion": "annotations-exclusions",
    "setting-conflict": "annotations-exclusions",
    "annotation-version": "annotations-version",
    "annotation-unsupported": "annotations-unsupported",
    "service-class": "annotations-unsupported",
};

/** Rules of warnings by code. All others are unexpected effects. */
const WARNINGS: Partial<Record<DiagnosticCode, string>> = {
    "annotation-scope": "annotations-scope",
    "annotation-legacy": "annotations-legacy",
    "annotation-undocumented": "annotations-undocumented",
    "service-type": "lifecycle-type",
};

/** Effects with a rule of their own, by setting. */
const EFFECTS: Partial<Record<SettingName, string>> = {
    scheduler: "backends-scheduler",
    healthCheckFlag: "backends-unchecked",
    healthCheckSwitch: "backends-unchecked",
    protocolPort: "backends-unchecked",
    hostname: "access-hostname",
    preserveLbOnDelete: "lifecycle-preserve-value",
};

/** The rule that a diagnostic belongs to. */
export function ruleOf(diagnostic: Diagnostic): string {
    if (diagnostic.code === "annotation-undocumented" && diagnostic.setting === "scheduler")
        return "annotations-undocumented-values";
    if (diagnostic.severity === "error") return ERRORS[diagnostic.code] ?? "annotations-service";
    const own = WARNINGS[diagnostic.code];
    if (own !== undefined) return own;
    if (diagnostic.code === "annotation-effect") {
        if (diagnostic.place.path?.at(-1) === "externalTrafficPolicy") return "backends-scheduler";
        const { setting } = diagnostic;
        if (setting !== undefined && EFFECTS[setting] !== undefined) return EFFECTS[setting];
    }
    return "annotations-effects";
}

/** The diagnostics of a Service that belong to a rule. What this package does not support is no violation under the Cloud Controller Manager. */
export function diagnosticsOf(service: ServiceSubject, rule: string): CheckResult[] {
    return service.diagnostics
        .filter(
            (diagnostic) =>
                ruleOf(diagnostic) === rule && !(rule === "annotations-unsupported" && service.controller === "ccm"),
        )
        .map(({ cause, remedy, setting, place }) => ({
            cause,
            place,
            ...defined({ remedy, setting }),
        }));
}
