/** What reading a Service finds, shared out among the rules: each finding belongs to exactly one. */

import { recognise } from "../../../provider/annotations";
import type { SettingName } from "../../../provider/schema/settings";
import type { Issue, IssueCode } from "../../../provider/diagnostics/issue";
import type { LoadBalancerType } from "../../../provider/schema/load-balancer-type";
import type { RuleMessage } from "../../rule";
import type { ServiceSubject } from "../../subjects";

/** Errors by their code. Those that are not named are about the Service's own fields. */
const ERRORS: Partial<Record<IssueCode, string>> = {
    "annotation-unknown": "annotations-values",
    "annotation-type": "annotations-values",
    "annotation-value": "annotations-values",
    "annotation-placeholder": "annotations-values",
    "annotation-companion": "annotations-companions",
    "annotation-exclusion": "annotations-exclusions",
    "setting-conflict": "annotations-exclusions",
    "annotation-version": "annotations-version",
    "annotation-not-realised": "annotations-realised",
    "service-class": "annotations-realised",
};

/** Warnings by their code. Those that are not named are effects that nobody may expect. */
const WARNINGS: Partial<Record<IssueCode, string>> = {
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
export function ruleOf(issue: Issue, type: LoadBalancerType): string {
    if (issue.severity === "error") return ERRORS[issue.code] ?? "annotations-service";
    const own = WARNINGS[issue.code];
    if (own !== undefined) return own;
    if (issue.code === "annotation-effect") {
        if (issue.path === "spec.externalTrafficPolicy") return "backends-scheduler";
        const setting = settingOf(issue, type);
        if (setting !== undefined && EFFECTS[setting] !== undefined) return EFFECTS[setting];
    }
    return "annotations-effects";
}

/** What reading the Service finds for one rule. What only this package does not realise yet is no fault under the Cloud Controller Manager. */
export function findings(service: ServiceSubject, rule: string): RuleMessage[] {
    return service.issues
        .filter(
            (issue) =>
                ruleOf(issue, service.loadBalancerType) === rule &&
                !(rule === "annotations-realised" && service.controller === "ccm"),
        )
        .map(({ path, message, remedy, at }) => ({
            message: path === "" ? message : `${path}: ${message}`,
            remedy,
            ...(at === undefined ? {} : { at }),
        }));
}

/** The setting at whose annotation a finding stands. */
function settingOf({ path }: Issue, type: LoadBalancerType): SettingName | undefined {
    const key = /^metadata\.annotations\["([^"]+)"\]$/.exec(path)?.[1];
    const recognised = key === undefined ? undefined : recognise(key, type);
    return recognised?.kind === "setting" ? recognised.row.field : undefined;
}
