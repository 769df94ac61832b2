/** Judging everything that was read: pure. */

import type { ConfiguredRule } from "./config";
import type { Inputs } from "./inputs";
import { evaluateResource, evaluateService, evaluateStack } from "../evaluate";
import type { Level, Report, Rule } from "../rule";
import { isUnknownError, settledOf, stackOf, Unknown } from "../subjects";

/** One line of the answer. */
export interface Violation extends Report {
    readonly level: Exclude<Level, "disabled">;
    readonly rule: Rule;
}

/** Every violation, mandatory ones first, then in the order of the rules. */
export function checkInputs(inputs: Inputs, rules: readonly ConfiguredRule[]): Violation[] {
    const stack = stackOf(
        inputs.resources.map(({ outputs }) => outputs),
        {},
        inputs.services,
    );
    const found = rules.flatMap(({ rule, level, config }): Violation[] => {
        if (level === "disabled") return [];
        const reports = (judge: () => readonly Report[] | undefined, subject: () => string): Violation[] => {
            try {
                return (judge() ?? []).map((report) => ({ ...report, level, rule }));
            } catch (error) {
                if (isUnknownError(error)) return [notKnown(rule, subject(), error)];
                throw error;
            }
        };
        if (rule.stack !== undefined) {
            const verdict = evaluateStack(rule, stack, config);
            const unknown = verdict.notKnown.slice(0, 1).map((error) => notKnown(rule, "stack", error));
            return [...verdict.reports.map((report) => ({ ...report, level, rule })), ...unknown];
        }
        return [
            ...inputs.services.flatMap((service) =>
                reports(
                    () => evaluateService(rule, service, config),
                    () => nameOf(() => `Service ${service.name}`),
                ),
            ),
            ...inputs.resources.flatMap((resource) =>
                reports(
                    () => evaluateResource(rule, resource.inputs, config),
                    () => resource.inputs.name,
                ),
            ),
        ];
    });
    return once([
        ...found.filter(({ level }) => level === "mandatory"),
        ...found.filter(({ level }) => level === "advisory"),
    ]);
}

/** As under Pulumi, a value that is not known yet makes advice of a verdict, whatever the rule's level. */
function notKnown(rule: Rule, subject: string, error: Error): Violation {
    return {
        level: "advisory",
        rule,
        subject,
        names: [],
        message: `cannot be judged before the update: ${error.message}`,
        remedy: "look again once the value is known",
    };
}

function nameOf(ask: () => string): string {
    const name = settledOf(ask);
    return name instanceof Unknown ? "Service" : name;
}

/** A component and its contract may say the same. */
function once(violations: readonly Violation[]): Violation[] {
    const seen = new Set<string>();
    return violations.filter(({ rule, subject, message, at }) => {
        const key = JSON.stringify([rule.name, subject, message, at]);
        return seen.has(key) ? false : seen.add(key);
    });
}
