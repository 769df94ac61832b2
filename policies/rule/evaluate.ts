/** Evaluates rules on Services, resources and stacks, for both hosts of the rules. */

import { formatCause, formatSentences, printable } from "../../provider/diagnostics";
import type { CheckResult, ConfiguredRule, Level, RemovedService, ResourceRule, Violation } from ".";
import type { StackCheckResult, StackRule } from ".";
import type { PreviewResource, ResourceSubject, ServiceReader, ServiceSubject, StackSubject } from "../subjects";
import { isInsideComponent, isKnown, readerOf, resourceOf, type Settled, Unknown } from "../subjects";
import { CONTRACT_TYPE } from "../../provider/schema/resource-types";
import { defined } from "../../provider/schema/defined";

/** Reports whether any of the patterns matches, where `*` matches any text. */
export function matches(name: string, patterns: readonly string[]): boolean {
    return patterns.some((pattern) => isMatch(name, pattern.split("*")));
}

/** Matches the parts between stars in their order, each at its first place: the time is linear. */
function isMatch(name: string, [first = "", ...others]: readonly string[]): boolean {
    const last = others.pop();
    if (last === undefined) return name === first;
    const end = name.length - last.length;
    let at = first.length;
    if (at > end || !name.startsWith(first) || !name.endsWith(last)) return false;
    for (const part of others) {
        const found = name.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
    }
    return at <= end;
}

type Configured = ConfiguredRule<ResourceRule>;

/**
 * Returns the violations of a resource, or undefined if the rule is not about it.
 *
 * @param read reader of the Service that it is, for several rules the same
 * @throws if the result depends on a value that is not known yet.
 */
export function evaluateResource(
    configured: Configured,
    shown: PreviewResource,
    read: ServiceReader = readerOf(shown),
): Violation[] | undefined {
    const { rule, config } = configured;
    const service = rule.service === undefined ? undefined : read(config.cluster);
    if (service !== undefined) return evaluateService(configured, service);
    const { resources = {} } = rule;
    const check = Object.hasOwn(resources, shown.type) ? resources[shown.type] : undefined;
    if (check === undefined || (isInsideComponent(shown.urn) && shown.type.startsWith("alicloud:"))) return undefined;
    const resource = resourceOf(shown);
    const about = { place: { subject: subjectOf(resource) }, names: [resource.name] };
    return violationsOf(configured, check(resource, config), about);
}

/** Returns the violations of a Service, or undefined if another controller manages it or its kind is another. */
export function evaluateService(configured: Configured, service: ServiceSubject): Violation[] | undefined {
    const { rule, config } = configured;
    if (rule.service === undefined || service.controller === "other") return undefined;
    if (rule.loadBalancerTypes?.includes(service.loadBalancerType) === false) return undefined;
    if (rule.anyType !== true && !service.exposed) return undefined;
    const place = { subject: `Service ${service.name}`, ...defined({ position: service.at }) };
    return violationsOf(configured, rule.service(service, config), { place, names: [service.name] });
}

/** Returns the violations of a Service that leaves the stack, or undefined if the rule is not about such Services. */
export function evaluateRemoved(configured: Configured, service: RemovedService): Violation[] | undefined {
    const { name } = service;
    const results = configured.rule.removed?.(service, configured.config);
    return results && violationsOf(configured, results, { place: { subject: `Service ${name}` }, names: [name] });
}

/** Findings of a rule. */
export interface RuleFindings {
    readonly violations: readonly Violation[];
    /** The first value that the rule needs and that is not known yet. */
    readonly unknown?: Error | undefined;
}

export function evaluateStack(configured: ConfiguredRule<StackRule>, stack: StackSubject): RuleFindings {
    const found = configured.rule.stack(stack, configured.config);
    const violations = found.filter(isKnown).flatMap((one) => violationsOf(configured, [one], one));
    return { violations, unknown: firstUnknown(found) };
}

export const firstUnknown = (found: readonly Settled<unknown>[]): Error | undefined =>
    found.find((one) => one instanceof Unknown)?.error;

export const formatViolation = ({ place, cause, remedy }: Pick<Violation, "place" | "cause" | "remedy">): string =>
    `${printable(place.subject ?? "")}: ${formatSentences({ cause: formatCause({ place, cause }), remedy })}`;

export const severityOf = (level: Level): Violation["severity"] => (level === "mandatory" ? "error" : "warning");

/** Returns the results as violations, unless `except` names the Service or resource. */
function violationsOf(
    { rule, level, config }: ConfiguredRule,
    results: readonly CheckResult[],
    { place, names, urn }: Pick<StackCheckResult, "place" | "names" | "urn">,
): Violation[] {
    if (names.some((name) => matches(name, config.except))) return [];
    return results.map((result) => {
        const details = typeof result === "string" ? { cause: result } : result;
        return {
            code: "policy",
            severity: severityOf(level),
            rule,
            level,
            ...defined({ setting: details.setting, urn }),
            // The position of a field is more exact than that of its object.
            place: { ...details.place, ...place, ...defined({ position: details.place?.position ?? place.position }) },
            names,
            cause: details.cause,
            remedy: details.remedy ?? rule.remedy.replace(/\.$/, ""),
            source: rule.source,
        };
    });
}

/** Returns a name such as `Listener web-80`. A contract is named like its Service. */
function subjectOf({ type, name, get }: ResourceSubject): string {
    if (type === CONTRACT_TYPE) return get("subject") ?? `Service ${name}`;
    return `${type.split(":").at(-1) ?? type} ${name}`;
}
