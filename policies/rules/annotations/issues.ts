/** What reading a Service finds, shared out among the rules: each finding belongs to exactly one. */

import { type Diagnostic, type DiagnosticCode, formatCause } from "../../../provider/diagnostics";
import type { SettingName } from "../../../provider/schema/settings";
import type { RuleMessage } from "../../rule";
import type { ServiceSubject } from "../../subjects";

/** Errors by their code. Those that are not named are about the Service's own fields. */
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

/** Warnings by their code. Those that are not named are effects that nobody may expect. */
const WARNINGS: Partial<Record<DiagnosticCode, string>> = {
    "annotation-scope": "annotations-scope",
    "annotation-legacy": "annotations-legacy",
    "service-type": "lifecycle-type",
};

/** Effects that have rules of their own, by the setting that they stand at. */
const EFFECTS: Partial<Record<SettingName, string>> = {
    scheduler: "backends-scheduler",
    healthCheckFlag: "backends-unchecked",
    healthCheckSwitch: "backends-unchecked",
    protocolPort: "backends-unchecked",
    hostname: "access-hostname",
    preserveLbOnDelete: "lifecycle-preserve",
};

/** The rule that a finding belongs to. */
export function ruleOf(diagnostic: Diagnostic): string {
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

/** What reading the Service finds for one rule. What only this package does not support is no fault under the Cloud Controller Manager. */
export function findings(service: ServiceSubject, rule: string): RuleMessage[] {
    return service.diagnostics
        .filter(
            (diagnostic) =>
                ruleOf(diagnostic) === rule && !(rule === "annotations-unsupported" && service.controller === "ccm"),
        )
        .map((diagnostic) => ({
            message: formatCause(diagnostic),
            ...(diagnostic.remedy === undefined ? {} : { remedy: diagnostic.remedy }),
            ...(diagnostic.place.position === undefined ? {} : { at: diagnostic.place.position }),
        }));
}
