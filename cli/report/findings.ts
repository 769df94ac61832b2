import { stripVTControlCharacters } from "node:util";
import { formatCause, formatPosition } from "../../provider/diagnostics";
import type { Violation } from "../../policies/rule";
import { partsOf, type PreviewDiagnostic } from "./preview";
import { keyOf } from "./rules";
import { componentSubject } from "./gather";
import type { Finding } from "./model";
import type { Step } from "./step";

/**
 * Returns violations of rules and diagnostics of the run by subject. Those of the whole run are under the empty text.
 *
 * @param former violations before the change
 */
export function findingsOf(
    violations: readonly Violation[],
    diagnostics: readonly PreviewDiagnostic[],
    steps: readonly Step[],
    former: readonly Violation[] = [],
): Map<string, Finding[]> {
    const known = new Set(former.map(keyOf));
    const found = violations.map((one) => ({ ...ofViolation(one), known: known.has(keyOf(one)) }));
    const causes = violations.map(({ cause }) => cause);
    const components = steps.filter((step) => componentSubject(step) !== undefined);
    for (const { urn, message, severity } of diagnostics) {
        const component = urn === undefined ? undefined : ownerOf(urn, components);
        // Of warnings, only those of a component are about a Service. A cause that a rule reports is not repeated.
        const isListed =
            severity === "error" || (severity === "warning" && component !== undefined && component.urn === urn);
        if (!isListed || FAILED.test(message.trim()) || causes.some((cause) => message.includes(cause))) continue;
        for (const finding of ofDiagnostic(message, severity === "error" ? "error" : "warning"))
            found.push({ ...finding, subject: (component && componentSubject(component)) ?? finding.subject });
    }
    const failed = diagnostics.some(({ severity }) => severity === "error");
    if (failed && !found.some(({ severity }) => severity === "error")) found.push(WITHOUT_CAUSE);
    // An unhandled error of a program is printed twice.
    const once = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
    return Map.groupBy(once, ({ subject }) => subject ?? "");
}

const UNPLACED = { position: null, subject: null, known: false } as const;

/** Message of the engine for a preview that failed, whatever the cause. */
const FAILED = /^(?:error: )?preview failed$/;

/** A document has no violations of policies. */
const WITHOUT_CAUSE: Finding = {
    severity: "error",
    rule: null,
    message: "the preview failed, and its document names no cause: a policy may have refused it",
    remedy:
        "give the configuration of the policy pack (--config), which shows the rule here, or read what pulumi " +
        "preview prints without --json",
    source: "docs/report.md",
    ...UNPLACED,
};

function ofViolation(violation: Violation): Finding {
    const { severity, rule, remedy, source = null, place } = violation;
    const position = place.position === undefined ? null : formatPosition(place.position);
    const about = { rule: rule.name, subject: place.subject || null, position };
    return { ...UNPLACED, severity, message: formatCause(violation), remedy, source, ...about };
}

/** Words that the engine and the SDK put before a message. */
const PREFIX =
    /^(?:error|warning): (?:an unhandled error occurred: )?(?:the manifests have problems; nothing was changed\.\n)?/;

/** Head of a diagnostic: `web.yaml:7:5: error[annotation-value]: Service shop/web: …`. A log leaves `error` out. */
const PLACE = String.raw`(?:(\S.*:\d+:\d+): )?`;
const CODE = String.raw`(?:(error|warning)\[([\w-]+)\]:|\[([\w-]+)\])`;
const HEAD = new RegExp(String.raw`^${PLACE}${CODE} (?:(Service [^\s:]+|Shared load balancer [^\s:]+): )?(.*)$`);

/** Returns the diagnostics in a message. If it has none, it becomes a diagnostic without a code. */
function ofDiagnostic(message: string, severity: "error" | "warning"): Finding[] {
    const text = stripVTControlCharacters(message).replace(PREFIX, "").trim();
    const diagnostics = text.split(/\n(?=\S)/).flatMap((block): Finding[] => {
        const [first = "", ...others] = block.split("\n");
        const [, position = null, level = severity, ruleOfLevel = null, rule = ruleOfLevel, subject = "", cause] =
            HEAD.exec(first) ?? [];
        if (cause === undefined) return [];
        const part = (name: string): string | null =>
            others
                .map((line) => line.trim())
                .find((line) => line.startsWith(`${name}: `))
                ?.slice(name.length + 2) ?? null;
        const [remedy, source] = [part("remedy"), part("source")];
        const about = subject === "" ? cause : `${subject}: ${cause}`;
        const finding = { severity: level as typeof severity, rule, message: about, remedy, source, position };
        return [{ ...UNPLACED, ...finding, subject: subject || null }];
    });
    if (diagnostics.length > 0) return diagnostics;
    return [{ ...UNPLACED, severity, rule: null, message: text, remedy: null, source: null }];
}

/**
 * Returns the component of a URN or of a resource in it. A refused resource is in no step, but its name begins with
 * that of the component. The longest such name counts.
 */
function ownerOf(urn: string, components: readonly Step[]): Step | undefined {
    const { types, name } = partsOf(urn);
    const owns = (component: Step): boolean =>
        types.startsWith(`${partsOf(component.urn).types}$`) && `${name}/`.startsWith(`${component.name}/`);
    const owners = components.filter((component) => component.urn === urn || owns(component));
    return owners.sort((a, b) => b.urn.length - a.urn.length)[0];
}
