/** Findings of a preview by Service: violations of rules and diagnostics of the run. */

import { formatCause, formatPosition } from "../../provider/diagnostics";
import type { Finding } from ".";
import { SERVICE_TYPE, SHARED_TYPE } from "../../provider/schema/resource-types";
import type { PreviewDigest } from "../check/preview";
import type { Violation } from "../../policies/rule";

/** Returns the findings by subject; those of the whole run under the empty text. */
export function findingsOf(violations: readonly Violation[], digest: PreviewDigest): Map<string, Finding[]> {
    const found = new Map<string, Finding[]>();
    const add = (subject: string, finding: Finding): void => {
        found.set(subject, [...(found.get(subject) ?? []), finding]);
    };
    for (const violation of violations) add(violation.place.subject ?? "", ofViolation(violation));
    const causes = violations.map(({ cause }) => cause);
    const components = componentsOf(digest);
    for (const { urn, message, severity } of digest.diagnostics ?? []) {
        const component = urn === undefined ? undefined : ownerOf(urn, components);
        // Of warnings, only those of a component are about a Service. A cause that a rule reports is not repeated.
        const wanted =
            severity === "error" || (severity === "warning" && component !== undefined && component.urn === urn);
        if (!wanted || causes.some((cause) => message.includes(cause))) continue;
        add(component?.subject ?? "", ofDiagnostic(message, severity === "error" ? "error" : "warning"));
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

interface Component {
    readonly urn: string;
    readonly subject: string;
}

function componentsOf({ steps }: PreviewDigest): Component[] {
    return steps.flatMap(({ urn, oldState, newState }) => {
        const { types, name } = partsOf(urn);
        const type = types.split("$").at(-1);
        if (type === SHARED_TYPE) return [{ urn, subject: `Shared load balancer ${name}` }];
        const service = (newState ?? oldState)?.inputs?.["service"];
        return type === SERVICE_TYPE
            ? [{ urn, subject: `Service ${typeof service === "string" ? service : name}` }]
            : [];
    });
}

/**
 * Returns the component of a URN or of one of its resources. A refused resource is in no step: its name begins with
 * that of the component, the longest such name counts.
 */
function ownerOf(urn: string, components: readonly Component[]): Component | undefined {
    const { types, name } = partsOf(urn);
    const owns = (component: Component): boolean => {
        const own = partsOf(component.urn);
        return types.startsWith(`${own.types}$`) && `${name}/`.startsWith(`${own.name}/`);
    };
    const owners = components.filter((component) => component.urn === urn || owns(component));
    return owners.sort((a, b) => b.urn.length - a.urn.length)[0];
}

function partsOf(urn: string): { readonly types: string; readonly name: string } {
    const [, , types = "", ...name] = urn.split("::");
    return { types, name: name.join("::") };
}
