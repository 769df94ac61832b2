/** Rules as policies of the CrossGuard SDK. */

import type {
    PolicyConfigSchema,
    ResourceValidation,
    ResourceValidationPolicy,
    StackValidationPolicy,
} from "@pulumi/policy";
import { configOf, optionSchemasOf } from "./config";
import { evaluateResource, evaluateStack, formatViolation } from "./evaluate";
import type { ConfiguredRule, ResourceRule, Rule, StackRule, Violation } from ".";
import { stackOf } from "../subjects";

/** Returns a rule as a policy. */
export function policyOf(rule: Rule): ResourceValidationPolicy | StackValidationPolicy {
    const about = {
        name: rule.name,
        // Among property diffs the CLI puts the description right behind the name of the resource.
        description: ` ${rule.title}`,
        enforcementLevel: rule.level,
        severity: rule.severity,
        tags: [rule.group],
        remediationSteps: `${rule.remedy} Source: ${rule.source}.`,
        configSchema: { properties: optionSchemasOf(rule) } as unknown as PolicyConfigSchema,
    };
    return rule.stack === undefined
        ? { ...about, validateResource: validateResource(rule) }
        : { ...about, validateStack: validateStack(rule) };
}

/** Returns a rule at its own level: the SDK does not pass the configured one on, and the engine applies it. */
const configured = <OfRule extends Rule>(rule: OfRule, given: unknown): ConfiguredRule<OfRule> => ({
    rule,
    level: rule.level,
    config: configOf(rule, given),
});

/** Formats a violation as it stands below the description. Among property diffs the CLI indents no second line. */
const messageOf = (violation: Violation): string => formatViolation(violation).replaceAll(/^/gm, "      ");

function validateResource(rule: ResourceRule): ResourceValidation {
    const validate: ResourceValidation = (args, report) => {
        const shown = {
            type: args.type,
            urn: args.urn,
            name: args.name,
            props: args.props,
            protect: args.opts.protect,
        };
        const violations = evaluateResource(configured(rule, args.getConfig()), shown);
        if (violations === undefined) {
            args.notApplicable("the rule applies to other resources");
            return;
        }
        violations.forEach((one) => void report(messageOf(one)));
    };
    // The SDK decodes a resource for every policy anew, except where the type says that the policy does not apply.
    const [type, ...others] = rule.service === undefined ? Object.keys(rule.resources ?? {}) : [];
    return type === undefined || others.length > 0 ? validate : Object.assign(validate, { __pulumiType: type });
}

function validateStack(rule: StackRule): StackValidationPolicy["validateStack"] {
    return (args, report) => {
        const stack = stackOf(
            args.resources.map(({ type, urn, name, props, opts, propertyDependencies }) => ({
                type,
                urn,
                name,
                props,
                protect: opts.protect,
                origins: Object.fromEntries(
                    Object.entries(propertyDependencies).map(([property, resources]) => [
                        property,
                        resources.map((one) => one.urn),
                    ]),
                ),
            })),
        );
        const { violations, notKnown } = evaluateStack(configured(rule, args.getConfig()), stack);
        violations.forEach((one) => void report(messageOf(one), one.urn));
        if (notKnown[0] !== undefined) throw notKnown[0];
    };
}
