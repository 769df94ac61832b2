/** Levels and settings of rules, from a file in the form of `--policy-pack-config`. */

import { z } from "zod";
import { isMapping, type Problem } from "../../provider/diagnostics";
import { ConfigError, configProblem, optionsOf, remembered } from "./config";
import { type Misfit, parseData } from "../subjects/parse";
import type { Config, ConfiguredRule, Rule } from ".";

const ENTRY = z.strictObject({
    enforcementLevel: z.enum(["advisory", "mandatory", "disabled", "remediate"]).optional(),
});

/**
 * Returns the rules that are not disabled, as configured.
 *
 * The entry `all` sets the level of every rule that has no entry of its own.
 *
 * @throws ConfigError with every problem at once
 */
export function configureRules(rules: readonly Rule[], given: unknown): ConfiguredRule[] {
    const schema = z.strictObject({
        all: ENTRY.default({}),
        ...Object.fromEntries(rules.map((rule) => [rule.name, entryOf(rule)])),
    });
    const parsed = parseData(schema, isMapping(given) ? expanded(given) : given);
    if (parsed.problems !== undefined) throw new ConfigError(parsed.problems.map(problemOf));
    const { all, ...entries } = parsed.data as { all: z.output<typeof ENTRY> } & Record<string, Entry>;
    const configured = rules.map((rule): ConfiguredRule => {
        const { enforcementLevel, ...config } = entries[rule.name] as Entry;
        const level = enforcementLevel ?? all.enforcementLevel ?? rule.level;
        // No rule changes resources: as under Pulumi, `remediate` falls back to mandatory.
        return { rule, level: level === "remediate" ? "mandatory" : level, config };
    });
    return configured.filter(({ level }) => level !== "disabled");
}

type Entry = Config & z.output<typeof ENTRY>;

const entryOf = remembered((rule: Rule) => optionsOf(rule).extend(ENTRY.shape).prefault({}));

/** Expands levels that stand alone to entries with this level. */
const expanded = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
        Object.entries(given).map(([name, one]) => [name, typeof one === "string" ? { enforcementLevel: one } : one]),
    );

const RULES_REMEDY = "write an object with the names of rules, or all, as keys; docs/policies.md lists the rules";
const LEVEL_REMEDY = "write advisory, mandatory or disabled";

function problemOf({ path: [rule, ...path], unknownKey, nearest, cause, remedy }: Misfit): Problem<"policy-config"> {
    if (rule === undefined)
        return configProblem(undefined, [], {
            cause: unknownKey === undefined ? cause : `there is no rule "${unknownKey}"`,
            remedy: nearest === undefined ? RULES_REMEDY : remedy,
        });
    if (path[0] === "enforcementLevel") return configProblem(String(rule), path, { cause, remedy: LEVEL_REMEDY });
    const whole = path.length === 0 && unknownKey === undefined;
    const instead = whole ? `${LEVEL_REMEDY}, or an object of settings` : remedy;
    return configProblem(String(rule), path, { cause, remedy: instead });
}
