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
import {
    isUnknownError,
    type ServiceSubject,
    settledOf,
    stackOf,
    type StackSubject,
    Unknown,
} from "../../policies/subjects";

/** Subjects of rules. */
/** Services, resources of a preview, and Services that leave the stack. */
interface Checked {
    readonly services: readonly ServiceSubject[];
    readonly resources: readonly PreviewedResource[];
    readonly removed: readonly RemovedService[];
}

/** Evaluates rules. Returns mandatory violations first, each level in the order of the rules. */
export function checkInputs(inputs: Checked, rules: readonly ConfiguredRule[]): Violation[] {
    const stack = stackOf(
        inputs.resources.map(({ outputs }) => outputs),
        {},
        inputs.services,
    );
    const found = rules.flatMap((configured) =>
        isOfStack(configured)
            ? ofStack(configured, stack)
            : ofInputs(configured as ConfiguredRule<ResourceRule>, inputs),
    );
    return once([
        ...found.filter(({ level }) => level === "mandatory"),
        ...found.filter(({ level }) => level === "advisory"),
    ]);
}

const isOfStack = (configured: ConfiguredRule): configured is ConfiguredRule<StackRule> =>
    configured.rule.stack !== undefined;

function ofStack(configured: ConfiguredRule<StackRule>, stack: StackSubject): Violation[] {
    const { violations, notKnown } = evaluateStack(configured, stack);
    return [...violations, ...notKnown.slice(0, 1).map((error) => notKnownYet(configured.rule, "stack", error))];
}

function ofInputs(configured: ConfiguredRule<ResourceRule>, { services, resources, removed }: Checked): Violation[] {
    const attempt = (evaluate: () => readonly Violation[] | undefined, subject: () => string): readonly Violation[] => {
        try {
            return evaluate() ?? [];
        } catch (error) {
            if (isUnknownError(error)) return [notKnownYet(configured.rule, subject(), error)];
            throw error;
        }
    };
    return [
        ...services.flatMap((service) =>
            attempt(
                () => evaluateService(configured, service),
                () => nameOf(() => `Service ${service.name}`),
            ),
        ),
        ...resources.flatMap(({ inputs }) =>
            attempt(
                () => evaluateResource(configured, inputs),
                () => inputs.name,
            ),
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

function nameOf(ask: () => string): string {
    const name = settledOf(ask);
    return name instanceof Unknown ? "Service" : name;
}

/** Removes duplicates: a component and its contract may violate a rule in the same way. */
function once(violations: readonly Violation[]): Violation[] {
    const seen = new Set<string>();
    return violations.filter((violation) => {
        const { subject, position } = violation.place;
        const key = JSON.stringify([violation.rule.name, subject, formatCause(violation), position]);
        return seen.has(key) ? false : seen.add(key);
    });
}
