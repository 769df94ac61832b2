/** What a rule is. Rules are data and pure functions: the policy pack and the `check` command are two hosts of the same list. */

import type { z } from "zod";
import type { Position } from "../provider/diagnostics/issue";
import type { ClusterFacts } from "../provider/schema/facts";
import type { LoadBalancerType } from "../provider/schema/load-balancer-type";
import type { ResourceSubject, ServiceSubject, Settled, StackSubject } from "./subjects";

/** `mandatory` stops the run, `advisory` does not, `disabled` says nothing. */
export type Level = "advisory" | "mandatory" | "disabled";

/** Groups of rules; each is a folder of `policies/rules`. */
export const GROUPS = {
    annotations: "Annotations",
    lifecycle: "Lifecycle",
    immutability: "Immutability",
    change: "Changes of a living load balancer",
    reuse: "Reuse of existing instances",
    exposure: "ServiceOptions",
    protection: "Protection",
    access: "Access from inside the cluster",
    backends: "Backends",
    edge: "Edge clusters",
    quota: "Quotas",
    naming: "Names and tags",
} as const;

export type Group = keyof typeof GROUPS;

/** Something that a rule does not let pass. */
export interface Report {
    /** What it is about, for people: `Service shop/web`. */
    readonly subject: string;
    /** Names of the Services or resources in question; `except` in a rule's configuration compares with them. */
    readonly names: readonly string[];
    /** What is wrong and why. */
    readonly message: string;
    /** What to do about it, where it is more exact than the rule's own remedy. */
    readonly remedy?: string;
    /** Where it stands in a file. */
    readonly at?: Position;
    /** The resource in question, where a rule looks at a whole stack. */
    readonly urn?: string;
}

/** What a judge says of the subject that it was given: the message, or more. */
export type RuleMessage = string | Omit<Report, "subject" | "names">;

/** The settings of a rule beside those that every rule has. Each has a default: a rule works without configuration. */
export type RuleOptions = z.ZodObject;

/** Configuration of a rule with all defaults filled in. */
export type Config<Options extends RuleOptions = RuleOptions> = Readonly<z.output<Options>> & {
    readonly except: readonly string[];
    readonly cluster?: Partial<ClusterFacts>;
};

/** A method, so that a rule with options of its own is still assignable to a rule with any. */
interface Check<Subject, Result, Options extends RuleOptions> {
    check(subject: Subject, config: Config<Options>): readonly Result[];
}

interface About<Options extends RuleOptions> {
    /** `<group>-<file>` of the rule's file in `policies/rules`. */
    readonly name: string;
    /** What holds where the rule is kept, in one sentence. */
    readonly title: string;
    readonly group: Group;
    readonly severity: "low" | "medium" | "high" | "critical";
    /** Level where nobody configures another. */
    readonly level: Level;
    /** What to do, in general. */
    readonly remedy: string;
    /** Document and section that the rule follows. */
    readonly source: string;
    /** Beside `except` and `cluster`, which are no rule's own. */
    readonly options?: Options;
}

/** A rule about one Service or resource at a time. */
export interface ResourceRule<Options extends RuleOptions = RuleOptions> extends About<Options> {
    /** Whether Services of other types than LoadBalancer are judged too. Default false. */
    readonly anyType?: true;
    /** Kinds of load balancer whose Services are judged. Default: all. */
    readonly loadBalancerTypes?: readonly LoadBalancerType[];
    /** Judges a Service: a component's, one that a program applies, or a manifest. */
    readonly service?: Check<ServiceSubject, RuleMessage, Options>["check"];
    /** Judges resources, by type token. Those that a component of this package has made are its own matter and are not shown, unless their type is this package's. */
    readonly resources?: Readonly<Record<string, Check<ResourceSubject, RuleMessage, Options>["check"]>>;
    readonly stack?: undefined;
}

/** A rule about all Services and resources of a stack together. */
export interface StackRule<Options extends RuleOptions = RuleOptions> extends About<Options> {
    /** What is not known yet goes among the reports, so that it does not hide the others. */
    readonly stack: Check<StackSubject, Settled<Report>, Options>["check"];
    readonly service?: undefined;
    readonly resources?: undefined;
    readonly anyType?: undefined;
    readonly loadBalancerTypes?: undefined;
}

export type Rule = ResourceRule | StackRule;
