/** Rules meet subjects: what every host of the rules does. */

import type { RuleMessage, Config, Report, ResourceRule, StackRule } from "./rule";
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
} from "./subjects";
import { CONTRACT_TYPE } from "./types";

/** Whether one of the patterns fits; `*` stands for any text. */
export function matches(name: string, patterns: readonly string[]): boolean {
    return patterns.some((pattern) => new RegExp(`^${pattern.split("*").map(escape).join(".*")}$`).test(name));
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * What a rule says of a resource; undefined if the rule has nothing to do with it.
 *
 * @throws if the verdict hangs on a value that is not known yet.
 */
export function evaluateResource(rule: ResourceRule, shown: PreviewResource, config: Config): Report[] | undefined {
    const service = rule.service === undefined ? undefined : serviceOfResource(shown, config.cluster);
    if (service !== undefined) return evaluateService(rule, service, config);
    const { resources = {} } = rule;
    const judge = Object.hasOwn(resources, shown.type) ? resources[shown.type] : undefined;
    if (judge === undefined || (isInsideComponent(shown.urn) && shown.type.startsWith("alicloud:"))) return undefined;
    const resource = resourceOf(shown);
    return allowed(
        judge(resource, config).map((complaint) =>
            reportOf(complaint, { subject: subjectOf(resource), names: [resource.name] }),
        ),
        config,
    );
}

/** What a rule says of a Service; undefined if the Service is another controller's, or not of a kind that the rule judges. */
export function evaluateService(rule: ResourceRule, service: ServiceSubject, config: Config): Report[] | undefined {
    if (rule.service === undefined || service.controller === "other") return undefined;
    if (rule.loadBalancerTypes !== undefined && !rule.loadBalancerTypes.includes(service.loadBalancerType))
        return undefined;
    if (service.type !== "LoadBalancer" && rule.anyType !== true) return undefined;
    return allowed(
        rule.service(service, config).map((complaint) =>
            reportOf(complaint, {
                subject: `Service ${service.name}`,
                names: [service.name],
                ...(service.at === undefined ? {} : { at: service.at }),
            }),
        ),
        config,
    );
}

/** What a rule says of a stack, and what it cannot say yet. */
export function evaluateStack(
    rule: StackRule,
    stack: StackSubject,
    config: Config,
): { readonly reports: readonly Report[]; readonly notKnown: readonly Error[] } {
    const found = rule.stack(stack, config);
    return {
        reports: allowed(found.filter(isKnown), config),
        notKnown: found.flatMap((one) => (one instanceof Unknown ? [one.error] : [])),
    };
}

/** A report as one text. */
export const formatReport = ({ subject, message, remedy }: Report): string =>
    `${subject}: ${message}${remedy === undefined ? "." : `. Remedy: ${remedy}.`}`;

function allowed(reports: readonly Report[], config: Config): Report[] {
    return reports.filter(({ names }) => !names.some((name) => matches(name, config.except)));
}

function reportOf(complaint: RuleMessage, about: Omit<Report, "message">): Report {
    return { ...about, ...(typeof complaint === "string" ? { message: complaint } : complaint) };
}

/** `Listener web-80`; a contract speaks for its Service, or for what it says. */
function subjectOf({ type, name, get }: ResourceSubject): string {
    if (type === CONTRACT_TYPE) return get("subject") ?? `Service ${name}`;
    return `${type.split(":").at(-1) ?? type} ${name}`;
}
