/** Rules as policies of the CrossGuard SDK. */

import type { PolicyConfigSchema, ResourceValidation } from "@pulumi/policy";
import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { isOwn, knownType } from "../../provider/schema/own-types";
import { configOf, optionSchemasOf } from "./config";
import { evaluateResource, evaluateStack, formatViolation } from "./evaluate";
import type { ConfiguredRule, ResourceRule, Rule, StackRule, Violation } from ".";
import { stackOf } from "../subjects";

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

/** Returns a rule as a policy of the CrossGuard SDK, for packs of your own. */
export const policyOf = (rule: Rule): ResourceValidationPolicy | StackValidationPolicy =>
    rule.stack === undefined
        ? { ...aboutOf(rule), validateResource: validateResource(rule) }
        : { ...aboutOf(rule), validateStack: validateStack(rule) };

/** Returns a rule at its own level. The SDK does not pass the configured level on, and the engine applies it. */
const configured = <OfRule extends Rule>(rule: OfRule, given: unknown): ConfiguredRule<OfRule> => ({
    rule,
    level: rule.level,
    config: configOf(rule, given),
});

/** Formats a violation as it stands below the description. Among property diffs the CLI indents no second line. */
export const indentedMessage = (violation: Violation): string => formatViolation(violation).replaceAll(/^/gm, "      ");

function validateResource(rule: ResourceRule): ResourceValidation {
    const validate: ResourceValidation = ({ type, urn, name, props, opts: { protect }, ...args }, report) => {
        const shown = { type: knownType(type), urn, name, props, protect };
        const violations = evaluateResource(configured(rule, args.getConfig()), shown);
        if (violations === undefined) args.notApplicable("the rule applies to other resources");
        else violations.forEach((one) => void report(indentedMessage(one)));
    };
    // The SDK decodes a resource again for every policy, except where its type tells that the policy does not apply.
    const [type, ...others] = rule.service === undefined ? Object.keys(rule.resources ?? {}) : [];
    const isOnly = type !== undefined && others.length === 0 && !isOwn(type);
    return isOnly ? Object.assign(validate, { __pulumiType: type }) : validate;
}

function validateStack(rule: StackRule): StackValidationPolicy["validateStack"] {
    return (args, report) => {
        const shown = args.resources.map(({ type, urn, name, props, opts: { protect }, provider, ...own }) => {
            const dependencies = Object.entries(own.propertyDependencies);
            const origins = dependencies.map(([property, resources]) => [property, resources.map((one) => one.urn)]);
            const common = { type: knownType(type), urn, name, props, protect };
            return { ...common, provider: provider?.urn, origins: Object.fromEntries(origins) };
        });
        const { violations, notKnown } = evaluateStack(configured(rule, args.getConfig()), stackOf(shown));
        violations.forEach((one) => void report(indentedMessage(one), one.urn));
        if (notKnown[0] !== undefined) throw notKnown[0];
    };
}
