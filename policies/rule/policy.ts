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
export const messageOf = (violation: Violation): string => formatViolation(violation).replaceAll(/^/gm, "      ");

function validateResource(rule: ResourceRule): ResourceValidation {
    const validate: ResourceValidation = ({ type, urn, name, props, opts: { protect }, ...args }, report) => {
        const shown = { type: knownType(type), urn, name, props, protect };
        const violations = evaluateResource(configured(rule, args.getConfig()), shown);
        if (violations === undefined) args.notApplicable("the rule applies to other resources");
        else violations.forEach((one) => void report(messageOf(one)));
    };
    // The SDK decodes a resource again for every policy, except where its type tells that the policy does not apply.
    const [type, ...others] = rule.service === undefined ? Object.keys(rule.resources ?? {}) : [];
    const isOnly = type !== undefined && others.length === 0 && !isOwn(type);
    return isOnly ? Object.assign(validate, { __pulumiType: type }) : validate;
}

/**
 * Returns a rule about Services as a policy whose advisory violations are one message of the stack: of many Services,
 * a message for each would be noise. A mandatory violation stops its resource, as in other rules.
 *
 * @param isAdvisory returns true if the level is advisory; the SDK does not pass the configured one on.
 */
export function joinedPolicyOf(
    rule: ResourceRule,
    isAdvisory: () => boolean,
): ResourceValidationPolicy & StackValidationPolicy {
    const validate = validateResource(rule);
    return {
        ...policyOf(rule),
        validateResource: (args, report) => (isAdvisory() ? undefined : validate(args, report)),
        validateStack: ({ resources, getConfig }, report) => {
            if (!isAdvisory()) return;
            const config = configured(rule, getConfig());
            const found = settledEach(resources, (resource) => {
                const { urn } = resource;
                const { type, opts, provider } = resource;
                const shown = { ...resource, type: knownType(type), protect: opts.protect, provider: provider?.urn };
                return (evaluateResource(config, shown) ?? []).map((violation) => ({ ...violation, urn }));
            });
            joined(found.filter(isKnown)).forEach((one) => void report(messageOf(one), one.urn));
            const unknown = found.find((one) => one instanceof Unknown);
            if (unknown !== undefined) throw unknown.error;
        },
    };
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

function validateStack(rule: StackRule): StackValidationPolicy["validateStack"] {
    return (args, report) => {
        const shown = args.resources.map(({ type, urn, name, props, opts: { protect }, provider, ...own }) => {
            const dependencies = Object.entries(own.propertyDependencies);
            const origins = dependencies.map(([property, resources]) => [property, resources.map((one) => one.urn)]);
            const common = { type: knownType(type), urn, name, props, protect };
            return { ...common, provider: provider?.urn, origins: Object.fromEntries(origins) };
        });
        const { violations, notKnown } = evaluateStack(configured(rule, args.getConfig()), stackOf(shown));
        violations.forEach((one) => void report(messageOf(one), one.urn));
        if (notKnown[0] !== undefined) throw notKnown[0];
    };
}
