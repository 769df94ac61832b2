/** Makes rules as rows of tables, and what the rules about a stack find. */

import type { ServiceEntry } from "../subjects";
import type { Group, Level, ResourceRule, Rule, RuleOptions, StackCheckResult, StackRule } from ".";
import { defined } from "../../provider/schema/defined";

/** The name of a rule, which begins with its group. */
export type RuleName = `${Group}-${string}`;

/** The rest of a row: texts, settings and checks. */
export type RuleRow<OfRule extends Rule> = Omit<OfRule, "name" | "group" | "severity" | "level">;

const groupOf = (name: RuleName): Group => name.slice(0, name.indexOf("-")) as Group;

/** Makes a rule about one Service or resource at a time. */
export const resourceRule = <Options extends RuleOptions>(
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    row: RuleRow<ResourceRule<Options>>,
): ResourceRule<Options> => ({ name, group: groupOf(name), severity, level, ...row });

/** Makes a rule about a whole stack. */
export const stackRule = <Options extends RuleOptions>(
    name: RuleName,
    severity: Rule["severity"],
    level: Level,
    row: RuleRow<StackRule<Options>>,
): StackRule<Options> => ({ name, group: groupOf(name), severity, level, ...row });

/** Returns a result about the Service of this name, with the position at which a manifest defines it. */
export const foundAt = ({ service: { at }, urn }: ServiceEntry, name: string, cause: string): StackCheckResult => ({
    place: { subject: `Service ${name}`, ...defined({ position: at }) },
    names: [name],
    cause,
    urn,
});

/** Returns the result of a check where the condition holds. */
export const when = <Result>(holds: boolean, result: Result): Result[] => (holds ? [result] : []);
