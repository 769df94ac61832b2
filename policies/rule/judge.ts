/** Judges a resource or a stack by all rules, for a host that has it once for all of them. */

import { MOST_SHOWN } from "../../provider/diagnostics";
import { isKnown, isUnknownError, lazily, type PreviewResource, readerOf, settledEach, stackOf } from "../subjects";
import type { ConfiguredRule, ResourceRule, Rule, Violation } from ".";
import { evaluateResource, evaluateStack, firstUnknown, type RuleFindings } from "./evaluate";

/** Findings by rule, in the order of the rules; a rule that is not about the resource has undefined. */
export type FindingsByRule = ReadonlyMap<Rule, RuleFindings | undefined>;

/**
 * Returns true if a rule is judged resource by resource. The violations of a joined rule are one message of the stack:
 * of many Services, a message for each would be noise. A mandatory violation stops its resource, as in other rules.
 */
export const isOfResource = (one: Pick<ConfiguredRule, "rule" | "level">): one is ConfiguredRule<ResourceRule> =>
    one.rule.stack === undefined && (one.rule.joined !== true || one.level !== "advisory");

/** Judges one resource by the rules about a resource. */
export function judgeResource(configured: readonly ConfiguredRule[], shown: PreviewResource): FindingsByRule {
    const read = readerOf(shown);
    return new Map(
        configured.filter(isOfResource).map((one) => [
            one.rule,
            findingOf(one.rule, () => {
                const violations = evaluateResource(one, shown, read);
                return violations && { violations };
            }),
        ]),
    );
}

/** Judges a stack by the rules about a stack, and by those whose violations are one message of it. */
export function judgeStack(configured: readonly ConfiguredRule[], shown: readonly PreviewResource[]): FindingsByRule {
    const work = lazily({ stack: () => stackOf(shown) });
    return new Map(
        configured
            .filter((one) => !isOfResource(one))
            .map(({ rule, level, config }) => {
                const evaluate = () =>
                    rule.stack === undefined
                        ? joinedOf({ rule, level, config }, shown)
                        : evaluateStack({ rule, level, config }, work.stack);
                return [rule, findingOf(rule, evaluate)];
            }),
    );
}

function joinedOf(one: ConfiguredRule<ResourceRule>, shown: readonly PreviewResource[]): RuleFindings {
    const found = settledEach(shown, (resource) =>
        (evaluateResource(one, resource) ?? []).map((violation) => ({ ...violation, urn: resource.urn })),
    );
    return { violations: joined(found.filter(isKnown)), unknown: firstUnknown(found) };
}

/** Joins the violations of several Services to one of the stack. */
function joined(violations: readonly Violation[]): readonly Violation[] {
    const [first, ...others] = violations;
    if (first === undefined || others.length === 0) return violations;
    const causes = [...Map.groupBy(violations, ({ cause }) => cause)];
    const cause = causes.map(([one, same]) => `${same.flatMap(({ names }) => names).join(", ")}: ${one}`).join("; ");
    const remedy = [...new Set(violations.map((one) => one.remedy))].join("; or ");
    const { urn: _, ...rest } = first;
    return [{ ...rest, place: { subject: `${violations.length} Services` }, cause, remedy }];
}

/** Returns the findings of an evaluation. @throws an error that names the rule, if the rule itself fails */
function findingOf(rule: Rule, evaluate: () => RuleFindings | undefined): RuleFindings | undefined {
    try {
        const found = evaluate();
        return found && { ...found, violations: bounded(found.violations) };
    } catch (error) {
        if (isUnknownError(error)) return { violations: [], unknown: error };
        throw new Error(`rule ${rule.name} failed: ${String(error)}`, { cause: error });
    }
}

/** Returns the first violations of a rule, and one that counts the others. */
function bounded(violations: readonly Violation[]): readonly Violation[] {
    const more = violations.slice(MOST_SHOWN);
    const [first] = more;
    if (first === undefined) return violations;
    const { place, ...rest } = first;
    const counted = { ...rest, place: { subject: place.subject ?? "" }, cause: `${more.length} more are not shown` };
    return [...violations.slice(0, MOST_SHOWN), counted];
}
