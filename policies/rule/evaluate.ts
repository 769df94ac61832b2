/** Evaluates rules on Services, resources and stacks, for both hosts of the rules. */

import { formatCause, formatSentences, type DiagnosticPlace } from "../../provider/diagnostics";
import type {
    CheckResult,
    ConfiguredRule,
    Level,
    RemovedService,
    ResourceRule,
    StackCheckResult,
    StackRule,
    Violation,
} from ".";
import {
    isInsideComponent,
    isKnown,
    type ResourceSubject,
    resourceOf,
    serviceOfResource,
    type ServiceSubject,
    type PreviewResource,
    type StackSubject,
    Unknown,
} from "../subjects";
import { CONTRACT_TYPE } from "../../provider/schema/resource-types";
import { defined } from "../../provider/schema/defined";

/** Reports whether one of the patterns matches; `*` matches any text. */
export function matches(name: string, patterns: readonly string[]): boolean {
    return patterns.some((pattern) => new RegExp(`^${pattern.split("*").map(escape).join(".*")}$`).test(name));
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * Returns the violations of a resource; undefined if the rule is not about it.
 *
 * @throws if the result depends on a value that is not known yet.
 */
export function evaluateResource(
    configured: ConfiguredRule<ResourceRule>,
    shown: PreviewResource,
): Violation[] | undefined {
    const { rule, config } = configured;
    const service = rule.service === undefined ? undefined : serviceOfResource(shown, config.cluster);
    if (service !== undefined) return evaluateService(configured, service);
    const { resources = {} } = rule;
    const check = Object.hasOwn(resources, shown.type) ? resources[shown.type] : undefined;
    if (check === undefined || (isInsideComponent(shown.urn) && shown.type.startsWith("alicloud:"))) return undefined;
    const resource = resourceOf(shown);
    const about = { place: { subject: subjectOf(resource) }, names: [resource.name] };
    return violationsOf(configured, check(resource, config), about);
}

/** Returns the violations of a Service; undefined if another controller manages it or its kind is another. */
export function evaluateService(
    configured: ConfiguredRule<ResourceRule>,
    service: ServiceSubject,
): Violation[] | undefined {
    const { rule, config } = configured;
    if (rule.service === undefined || service.controller === "other") return undefined;
    if (rule.loadBalancerTypes !== undefined && !rule.loadBalancerTypes.includes(service.loadBalancerType))
        return undefined;
    if (service.type !== "LoadBalancer" && rule.anyType !== true) return undefined;
    const position = service.at === undefined ? {} : { position: service.at };
    const about = { place: { subject: `Service ${service.name}`, ...position }, names: [service.name] };
    return violationsOf(configured, rule.service(service, config), about);
}

/** Returns the violations of a Service that leaves the stack; undefined if the rule is not about such. */
export function evaluateRemoved(
    configured: ConfiguredRule<ResourceRule>,
    service: RemovedService,
): Violation[] | undefined {
    const { rule, config } = configured;
    if (rule.removed === undefined) return undefined;
    const about = { place: { subject: `Service ${service.name}` }, names: [service.name] };
    return violationsOf(configured, rule.removed(service, config), about);
}

/** Returns the violations of a stack, and what is not known yet. */
export function evaluateStack(
    configured: ConfiguredRule<StackRule>,
    stack: StackSubject,
): { readonly violations: readonly Violation[]; readonly notKnown: readonly Error[] } {
    const found = configured.rule.stack(stack, configured.config);
    return {
        violations: found.filter(isKnown).flatMap((one) => violationsOf(configured, [one], one)),
        notKnown: found.flatMap((one) => (one instanceof Unknown ? [one.error] : [])),
    };
}

/** Formats a violation as one text. */
export const formatViolation = ({ place, cause, remedy }: Pick<Violation, "place" | "cause" | "remedy">): string =>
    `${place.subject}: ${formatSentences({ cause: formatCause({ place, cause }), remedy })}`;

/** Returns the severity of violations at a level. */
export const severityOf = (level: Level): Violation["severity"] => (level === "mandatory" ? "error" : "warning");

type About = Pick<StackCheckResult, "names" | "urn"> & { readonly place: DiagnosticPlace };

/** Returns the results as violations, unless `except` names the Service or resource. */
function violationsOf(configured: ConfiguredRule, results: readonly CheckResult[], about: About): Violation[] {
    const { rule, level, config } = configured;
    const { place, names, urn } = about;
    if (names.some((name) => matches(name, config.except))) return [];
    return results.map((result) => {
        const details = typeof result === "string" ? { cause: result } : result;
        return {
            code: "policy",
            severity: severityOf(level),
            rule,
            level,
            ...defined({ setting: details.setting }),
            place: { ...details.place, ...place, ...positionOf(details.place, place) },
            names,
            ...defined({ urn }),
            cause: details.cause,
            remedy: details.remedy ?? rule.remedy.replace(/\.$/, ""),
            source: rule.source,
        };
    });
}

/** Returns the position of a field, or that of its object, which is less exact. */
function positionOf(field: DiagnosticPlace | undefined, object: DiagnosticPlace): Pick<DiagnosticPlace, "position"> {
    const position = field?.position ?? object.position;
    return position === undefined ? {} : { position };
}

/** Returns a name such as `Listener web-80`; a contract is named like its Service. */
function subjectOf({ type, name, get }: ResourceSubject): string {
    if (type === CONTRACT_TYPE) return get("subject") ?? `Service ${name}`;
    return `${type.split(":").at(-1) ?? type} ${name}`;
}
