/** Rules about annotations. Each selects diagnostics of reading a Service, which belong to exactly that rule. */

import type { Diagnostic, DiagnosticCode } from "../../provider/diagnostics";
import { CCM_SOURCE, clbDocument, INTRODUCTIONS, notesDocument } from "../../provider/schema/documents";
import type { SettingName } from "../../provider/schema/settings";
import type { CheckResult, Level, ResourceRule, Rule, RuleName, SourcedRow } from "../rule";
import { resourceRule } from "../rule";
import type { ServiceSubject } from "../subjects";
import { defined } from "../../provider/schema/defined";

/** The rules of errors by code. All others are about the Service's own fields. */
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
    "service-type": "lifecycle-preserve",
};

/** The rules of warnings by code. All others are unexpected effects. */
const WARNINGS: Partial<Record<DiagnosticCode, string>> = {
    "annotation-scope": "annotations-scope",
    "annotation-legacy": "annotations-legacy",
    "annotation-undocumented": "annotations-undocumented",
    "service-type": "lifecycle-type",
};

/** The rules of effects by setting, for effects that have a rule of their own. */
const EFFECTS: Partial<Record<SettingName, string>> = {
    scheduler: "backends-scheduler",
    gracefulShutdown: "backends-scheduler",
    healthCheckFlag: "backends-unchecked",
    healthCheckSwitch: "backends-unchecked",
    protocolPort: "backends-unchecked",
    hostname: "access-hostname",
    preserveLbOnDelete: "lifecycle-preserve-value",
};

/** Returns the name of the rule that a diagnostic belongs to. */
function ruleOf({ code, severity, setting, place }: Diagnostic): string {
    if (code === "annotation-undocumented" && setting === "scheduler") return "annotations-undocumented-values";
    if (severity === "error") return ERRORS[code] ?? "annotations-service";
    const own = WARNINGS[code];
    if (own !== undefined) return own;
    if (code !== "annotation-effect") return "annotations-effects";
    if (place.path?.at(-1) === "externalTrafficPolicy") return "backends-scheduler";
    return (setting === undefined ? undefined : EFFECTS[setting]) ?? "annotations-effects";
}

/**
 * Returns the diagnostics of a Service that belong to a rule.
 *
 * What this package does not support is no violation under the Cloud Controller Manager.
 */
export const diagnosticsOf = ({ diagnostics, controller }: ServiceSubject, rule: string): CheckResult[] =>
    diagnostics
        .filter((one) => ruleOf(one) === rule && !(rule === "annotations-unsupported" && controller === "ccm"))
        .map(({ cause, remedy, setting, place }) => ({ cause, place, ...defined({ remedy, setting }) }));

/** Makes a rule that only selects diagnostics of reading a Service. */
export const diagnosticRule = (
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    row: Omit<SourcedRow<ResourceRule>, "service">,
): ResourceRule => {
    const service: ResourceRule["service"] = (subject) => diagnosticsOf(subject, name);
    return resourceRule(name, severity, level, { source: INTRODUCTIONS, ...row, service });
};

export const ANNOTATIONS: readonly Rule[] = [
    // A static address without a vSwitch, or connection draining without a timeout: the first has no effect alone.
    diagnosticRule("annotations-companions", "high", "mandatory", {
        title: "Annotations that depend on each other are set together.",
        remedy: "Add the annotation that is missing, or remove the one that needs it.",
    }),
    // Allowed values: a timeout below its interval, an IPv6 address without IPv6 clients. A Service of another
    // controller has no load balancer.
    diagnosticRule("annotations-effects", "low", "advisory", {
        anyType: true,
        title: "Annotations have the effect that their author expects.",
        remedy: "Change the annotation so that it has its effect, or remove it.",
    }),
    // A specification for a pay-as-you-go (PayByCLCU) instance, the bandwidth of an internal instance, pods with
    // Flannel.
    diagnosticRule("annotations-exclusions", "high", "mandatory", {
        title: "Annotations that exclude each other, or that the cluster does not support, are not set.",
        remedy: "Remove one of the two.",
        source: clbDocument("Specify the CLB instance type"),
    }),
    // Legacy keys still work. Where both keys are set, the legacy key is ignored.
    diagnosticRule("annotations-legacy", "low", "advisory", {
        title: "Annotations have their current names, not the legacy ones that begin with alicloud-.",
        remedy: "Rename the annotation: alicloud- becomes alibaba-cloud-.",
    }),
    diagnosticRule("annotations-undocumented", "low", "advisory", {
        title: "Every annotation is one that Alibaba Cloud documents.",
        remedy: "Do without the annotation, or list the Service in this rule's `except`.",
        source: CCM_SOURCE,
    }),
    // Values that the API has. Where this rule is advisory or disabled, the cloud's answer counts.
    diagnosticRule("annotations-undocumented-values", "medium", "mandatory", {
        title: "Every value is one that Alibaba Cloud documents: the scheduling algorithm of a CLB is not wlc.",
        remedy:
            "Use a documented value; or make this rule advisory, or list the Service in its `except`, and let the " +
            "cloud decide.",
        source: clbDocument("Set the scheduling algorithm"),
    }),
    // Annotations that this version refuses: a pipeline finds them before a run.
    diagnosticRule("annotations-unsupported", "high", "mandatory", {
        title: "Every value of an annotation and load balancer class is supported by this version of the package.",
        remedy: "Remove the annotation, or leave the Service to the Cloud Controller Manager.",
        source: "docs/annotations.md, network-type",
    }),
    // The author of an annotation that applies to nothing may rely on it.
    diagnosticRule("annotations-scope", "low", "advisory", {
        title:
            "No annotation is set for listeners or backends that the Service does not have, or for the other kind " +
            "of load balancer.",
        remedy:
            "Remove the annotation, or give the Service such a listener by protocol-port. Whether it gets a CLB or " +
            "an NLB is decided by spec.loadBalancerClass when it is created.",
    }),
    // Fields that no load balancer can be built from: no ports, a node port that is no port, an empty selector. A run
    // reads the Services of this package, of all types, and refuses each mistake.
    resourceRule("annotations-service", "high", "mandatory", {
        title: "Name, ports, selector and source ranges of the Service are valid.",
        remedy: "Correct the field that the message names in the manifest of the Service.",
        source: notesDocument("Listener"),
        anyType: true,
        service: (service) =>
            service.type === "LoadBalancer" || service.controller === "package"
                ? diagnosticsOf(service, "annotations-service")
                : [],
    }),
    // The Cloud Controller Manager ignores unknown annotations, and fails on values that are not allowed.
    diagnosticRule("annotations-values", "high", "mandatory", {
        title: "Every load balancer annotation is known and has an allowed value.",
        remedy:
            "Correct the annotation; docs/annotations.md lists all keys with their values. Values are " +
            "case-sensitive.",
    }),
    // An annotation that is newer than the cluster's Cloud Controller Manager has no effect.
    diagnosticRule("annotations-version", "high", "mandatory", {
        title: "The Cloud Controller Manager version of the cluster supports every annotation that is set.",
        remedy: "Upgrade the Cloud Controller Manager, or remove the annotation.",
    }),
];
