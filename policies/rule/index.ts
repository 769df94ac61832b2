/** Rules are data and pure functions: the policy pack and the `check` command both run the same list. */

import type { z } from "zod";
import type { Diagnostic, DiagnosticPlace, Problem } from "../../provider/diagnostics";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { defined } from "../../provider/schema/defined";
import { type ResourceSubject, type ServiceSubject, type StackSubject, settledEach, type Settled } from "../subjects";

/** The level of a rule. A violation stops the run at `mandatory` only, and a `disabled` rule is not evaluated. */
export type Level = "advisory" | "mandatory" | "disabled";

/** Groups of rules, by file of `policies/rules`. */
export const GROUPS = {
    annotations: "Annotations",
    lifecycle: "Lifecycle",
    immutability: "Immutability",
    change: "Updates in place",
    address: "Public addresses",
    reuse: "Reuse of user-managed instances",
    exposure: "Exposure",
    protection: "Protection",
    access: "Access from inside the cluster",
    backends: "Backends",
    edge: "Edge clusters",
    quota: "Quotas",
    naming: "Names and tags",
} as const;

export type Group = keyof typeof GROUPS;

/** A diagnostic of a rule. Severity is `error` where the level is mandatory. */
export interface Violation extends Problem<"policy"> {
    readonly rule: Rule;
    readonly level: Level;
    /** Names of the Services or resources in question, with which `except` in a rule's configuration compares. */
    readonly names: readonly string[];
    /** The resource, where a rule is about a whole stack. */
    readonly urn?: string;
}

/** Parts of a diagnostic that a check returns. The rule provides the rest. */
export type CheckDetails = Pick<Diagnostic, "cause"> & Partial<Pick<Diagnostic, "remedy" | "setting" | "place">>;

/** A finding of a check of one Service or resource: the cause alone, or more. */
export type CheckResult = string | CheckDetails;

/** A finding of a check of a stack. */
export type StackCheckResult = CheckDetails & {
    readonly place: DiagnosticPlace & { readonly subject: string };
    readonly names: readonly string[];
    readonly urn?: string | undefined;
};

/**
 * The settings of a rule in addition to the common settings. Each has a default, so a rule works without configuration.
 */
export type RuleOptions = z.ZodObject;

/** Configuration of a rule with all defaults filled in. */
export type Config<Options extends RuleOptions = RuleOptions> = Readonly<z.output<Options>> & {
    readonly except: readonly string[];
    readonly cluster?: Partial<ClusterFacts>;
};

export interface ConfiguredRule<OfRule extends Rule = Rule> {
    readonly rule: OfRule;
    readonly level: Level;
    readonly config: Config;
}

/** A check as a method, which makes a rule with specific options assignable to a rule with any. */
interface Check<Subject, Result, Options extends RuleOptions> {
    check(subject: Subject, config: Config<Options>): readonly Result[];
}

interface About<Options extends RuleOptions> {
    readonly name: string;
    /** The requirement, in one sentence. */
    readonly title: string;
    readonly group: Group;
    readonly severity: "low" | "medium" | "high" | "critical";
    /** Level unless configured otherwise. */
    readonly level: Level;
    /** The remedy in general, for results without one of their own. */
    readonly remedy: string;
    /** Document and section that the rule follows. */
    readonly source: string;
    /** The settings besides `except` and `cluster`. */
    readonly options?: Options;
}

/** A Service that leaves the stack and releases a public address. Only a saved preview shows it. */
export interface RemovedService {
    /** `namespace/name`. */
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly protect: boolean;
    readonly address: string;
    /** The reason for the release. The remedy says what to do about it. */
    readonly cause: string;
    readonly remedy: string;
}

/** A rule about one Service or resource at a time. */
export interface ResourceRule<Options extends RuleOptions = RuleOptions> extends About<Options> {
    /** True if the rule applies to Services without a load balancer, too. Default false. */
    readonly anyType?: true;
    /** True if the pack shows advisory violations of all Services as one message of the stack. Default false. */
    readonly joined?: true;
    /** Kinds of load balancer to whose Services the rule applies. Default: all. */
    readonly loadBalancerTypes?: readonly LoadBalancerType[];
    /** Checks a Service: a component's, a Service that a program applies, or a manifest. */
    readonly service?: Check<ServiceSubject, CheckResult, Options>["check"];
    /** Checks resources, by type token. Cloud resources inside a component of this package are left out. */
    readonly resources?: Readonly<Record<string, Check<ResourceSubject, CheckResult, Options>["check"]>>;
    /** Checks Services that leave the stack, where a saved preview is checked. */
    readonly removed?: Check<RemovedService, CheckResult, Options>["check"];
    readonly stack?: undefined;
}

/** A rule about all Services and resources of a stack together. */
export interface StackRule<Options extends RuleOptions = RuleOptions>
    extends About<Options>, Partial<Record<"service" | "resources" | "anyType" | "loadBalancerTypes", undefined>> {
    /** Checks a stack. Unknown results are listed among the others and hide none. */
    readonly stack: Check<StackSubject, Settled<StackCheckResult>, Options>["check"];
}

export type Rule = ResourceRule | StackRule;

export type RuleName = `${Group}-${string}`;

type RuleRow<OfRule extends Rule> = Omit<OfRule, "name" | "group" | "severity" | "level">;

/** The same, where rules of a group have a source in common. */
export type SourcedRow<OfRule extends Rule> = Omit<RuleRow<OfRule>, "source"> & { readonly source?: string };

const groupOf = (name: RuleName): Group => name.slice(0, name.indexOf("-")) as Group;

export const resourceRule = <Options extends RuleOptions>(
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    row: RuleRow<ResourceRule<Options>>,
): ResourceRule<Options> => ({ name, group: groupOf(name), severity, level, ...row });

export const stackRule = <Options extends RuleOptions>(
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    row: RuleRow<StackRule<Options>>,
): StackRule<Options> => ({ name, group: groupOf(name), severity, level, ...row });

/** Checks every Service of a stack for a stack rule. An unknown value of one Service hides no other Service. */
export const eachService = (
    { services }: StackSubject,
    check: (service: ServiceSubject) => readonly (CheckDetails & { readonly names?: readonly string[] })[],
): Settled<StackCheckResult>[] =>
    settledEach(services, ({ service, urn }) => {
        const { name, at: position } = service;
        const about = { place: { subject: `Service ${name}`, ...defined({ position }) }, names: [name], urn };
        return check(service).map((result) => ({ ...about, ...result, place: about.place }));
    });

/** Returns the result of a check where the condition holds. */
export const when = <Result>(holds: boolean, result: Result): Result[] => (holds ? [result] : []);
