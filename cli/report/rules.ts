import { formatCause } from "../../provider/diagnostics";
import {
    evaluateRemoved,
    evaluateResource,
    evaluateService,
    evaluateStack,
    severityOf,
} from "../../policies/rule/evaluate";
import type { ConfiguredRule, RemovedService, ResourceRule, Rule, StackRule, Violation } from "../../policies/rule";
import type { PreviewedResource } from "./preview";
import { type ServiceSubject, settledOf, stackOf, Unknown } from "../../policies/subjects";

interface RuleInputs {
    /** Services of manifests. */
    readonly services: readonly ServiceSubject[];
    readonly resources: readonly PreviewedResource[];
    /** Services that leave the stack. */
    readonly removed: readonly RemovedService[];
}

/** Evaluates rules. Returns mandatory violations first, each level in the order of the rules. */
export function checkInputs(inputs: RuleInputs, rules: readonly ConfiguredRule[]): Violation[] {
    const outputs = inputs.resources.map((resource) => resource.outputs);
    const stack = stackOf(outputs, inputs.services);
    const found = rules.flatMap((configured) => {
        if (!isOfStack(configured)) return ofInputs(configured as ConfiguredRule<ResourceRule>, inputs);
        const { violations, unknown } = evaluateStack(configured, stack);
        return unknown === undefined ? violations : [...violations, notKnownYet(configured.rule, "stack", unknown)];
    });
    return once(["mandatory", "advisory"].flatMap((level) => found.filter((one) => one.level === level)));
}

const isOfStack = (configured: ConfiguredRule): configured is ConfiguredRule<StackRule> =>
    configured.rule.stack !== undefined;

function ofInputs(configured: ConfiguredRule<ResourceRule>, { services, resources, removed }: RuleInputs): Violation[] {
    const { rule } = configured;
    const attempt = (subject: string, evaluate: () => readonly Violation[] | undefined): readonly Violation[] => {
        const found = settledOf(evaluate);
        return found instanceof Unknown ? [notKnownYet(rule, subject, found.error)] : (found ?? []);
    };
    return [
        ...services.flatMap((one) => attempt(subjectOf(one), () => evaluateService(configured, one))),
        ...resources.flatMap(({ inputs, service }) =>
            attempt(inputs.name, () => evaluateResource(configured, inputs, service)),
        ),
        ...removed.flatMap((service) => evaluateRemoved(configured, service) ?? []),
    ];
}

/** Returns advice about an unknown value, whatever the level of the rule, as under Pulumi. */
function notKnownYet(rule: Rule, subject: string, error: Error): Violation {
    return {
        code: "policy",
        severity: severityOf("advisory"),
        rule,
        level: "advisory",
        place: { subject },
        names: [],
        cause: `cannot be judged before the update: ${error.message}`,
        remedy: "look again once the value is known",
        source: rule.source,
    };
}

function subjectOf(service: ServiceSubject): string {
    const subject = settledOf(() => `Service ${service.name}`);
    return subject instanceof Unknown ? "Service" : subject;
}

/** Returns a text that equal violations share, wherever they are found. */
export const keyOf = (violation: Violation): string =>
    JSON.stringify([violation.rule.name, violation.place.subject, formatCause(violation)]);

/**
 * Removes duplicates: a component and its contract may violate a rule in the same way, and so do a manifest and the
 * preview of its program. The violation with a place in a file stays.
 */
function once(violations: readonly Violation[]): Violation[] {
    const keys = violations.map(keyOf);
    const placed = new Set(keys.filter((_, index) => violations[index]?.place.position !== undefined));
    const seen = new Set<string>();
    return violations.filter(({ place: { position } }, index) => {
        const key = keys[index] ?? "";
        if (position === undefined && placed.has(key)) return false;
        const full = `${key} ${JSON.stringify(position)}`;
        return seen.has(full) ? false : seen.add(full);
    });
}
