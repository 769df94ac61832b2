/** What the rules find in a preview, and what the run itself has said, by the Service that it is about. */

import { formatCause, formatPosition } from "../../provider/diagnostics";
import type { Finding } from "../../provider/report";
import { SERVICE_TYPE, SHARED_TYPE } from "../../provider/schema/resource-types";
import type { PreviewDigest } from "../check/preview";
import type { Violation } from "../rule";

/** Violations and diagnostics, by subject; those of the whole run under the empty text. */
export function findingsOf(violations: readonly Violation[], digest: PreviewDigest): Map<string, Finding[]> {
    const found = new Map<string, Finding[]>();
    const add = (subject: string, finding: Finding): void => {
        found.set(subject, [...(found.get(subject) ?? []), finding]);
    };
    for (const violation of violations) add(violation.place.subject ?? "", ofViolation(violation));
    const causes = violations.map(({ cause }) => cause);
    for (const { urn, message, severity } of digest.diagnostics ?? []) {
        const component = urn === undefined ? undefined : componentOf(urn);
        // Errors end the run. Warnings of engine and plugins say nothing of a Service; those of its component do. What a rule says too is said once.
        const subject = component ?? (urn === undefined || severity !== "error" ? undefined : ownerOf(urn));
        const wanted = severity === "error" || (severity === "warning" && component !== undefined);
        if (!wanted || causes.some((cause) => message.includes(cause))) continue;
        add(subject ?? "", ofDiagnostic(message, severity === "error" ? "error" : "warning"));
    }
    return found;
}

function ofViolation(violation: Violation): Finding {
    const { severity, rule, remedy, source, place } = violation;
    return {
        severity,
        rule: rule.name,
        message: formatCause(violation),
        remedy,
        source: source ?? null,
        position: place.position === undefined ? null : formatPosition(place.position),
    };
}

const ofDiagnostic = (message: string, severity: "error" | "warning"): Finding => ({
    severity,
    rule: null,
    message: message.replace(/^(?:error|warning): /, "").trim(),
    remedy: null,
    source: null,
    position: null,
});

/** The Service or shared load balancer that a URN is of; undefined for any other resource. */
function componentOf(urn: string): string | undefined {
    const [, , types = "", ...name] = urn.split("::");
    const type = types.split("$").at(-1);
    if (type === SERVICE_TYPE) return `Service ${name.join("::")}`;
    return type === SHARED_TYPE ? `Shared load balancer ${name.join("::")}` : undefined;
}

/** The Service whose resource a URN is of: the names of its resources begin with its namespace and name. */
function ownerOf(urn: string): string | undefined {
    const [, , types = "", ...name] = urn.split("::");
    return types.split("$").includes(SERVICE_TYPE) ? `Service ${name.join("::").split("/", 2).join("/")}` : undefined;
}
