/** Rules as policies of the CrossGuard SDK. */

import type { PolicyConfigSchema, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { defined } from "../../provider/schema/defined";
import { knownType } from "../../provider/schema/own-types";
import { configOf, optionSchemasOf } from "./config";
import { formatViolation, type RuleFindings } from "./evaluate";
import { isOfResource, judgeResource, judgeStack } from "./judge";
import type { ConfiguredRule, Rule, Violation } from ".";
import type { PreviewResource } from "../subjects";

/** Returns the parts of a policy that say what a rule is about, as the engine shows and configures them. */
export const aboutOf = (rule: Rule) => ({
    name: rule.name,
    // Among property diffs the CLI puts the description right behind the name of the resource.
    description: ` ${rule.title}`,
    enforcementLevel: rule.level,
    severity: rule.severity,
    tags: [rule.group],
    remediationSteps: `${rule.remedy} Source: ${rule.source}.`,
    configSchema: { properties: optionSchemasOf(rule) } as unknown as PolicyConfigSchema,
});

/** Formats a violation as it stands below the description. Among property diffs the CLI indents no second line. */
export const indentedMessage = (violation: Violation): string => formatViolation(violation).replaceAll(/^/gm, "      ");

/**
 * Returns a rule as a policy of the CrossGuard SDK, for packs of your own. The SDK does not pass the configured level
 * on: a rule is judged at its own level, and the engine applies the other.
 */
export function policyOf(rule: Rule): ResourceValidationPolicy | StackValidationPolicy {
    const configured = (given: unknown): ConfiguredRule[] => [
        { rule, level: rule.level, config: configOf(rule, given) },
    ];
    if (isOfResource({ rule, level: rule.level }))
        return {
            ...aboutOf(rule),
            validateResource: ({ opts, ...args }, report) => {
                const shown = shownOf({ ...args, protect: opts.protect });
                const finding = judgeResource(configured(args.getConfig()), shown).get(rule);
                if (finding === undefined) args.notApplicable("the rule applies to other resources");
                else reportAll(finding, report);
            },
        };
    return {
        ...aboutOf(rule),
        validateStack: ({ resources, getConfig }, report) => {
            const shown = resources.map(({ opts, provider, propertyDependencies, ...one }) => ({
                ...shownOf({ ...one, protect: opts.protect }),
                provider: provider?.urn,
                origins: Object.fromEntries(
                    Object.entries(propertyDependencies).map(([name, from]) => [name, from.map(({ urn }) => urn)]),
                ),
            }));
            const finding = judgeStack(configured(getConfig()), shown).get(rule);
            if (finding !== undefined) reportAll(finding, report);
        },
    };
}

const shownOf = ({ type, urn, name, props, protect }: Omit<PreviewResource, "provider">): PreviewResource => ({
    type: knownType(type),
    urn,
    name,
    props,
    ...defined({ protect }),
});

/** Reports violations, then throws what is not known yet: the SDK tells that the rule cannot run. */
function reportAll({ violations, unknown }: RuleFindings, report: (message: string, urn?: string) => void): void {
    for (const one of violations) report(indentedMessage(one), one.urn);
    if (unknown !== undefined) throw unknown;
}
