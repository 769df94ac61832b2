/** Levels and settings of rules, from a file in the form of `--policy-pack-config`. */

import { z } from "zod";
import { isMapping, type Problem } from "../../provider/diagnostics";
import { CONFIG_DOCUMENT, ConfigError, configProblem, optionsOf, remembered } from "./config";
import { type Misfit, parseData } from "../subjects/parse";
import type { Config, ConfiguredRule, Level, Rule } from ".";

const LEVEL = z.enum(["advisory", "mandatory", "disabled", "remediate"]);

const ENTRY = z.strictObject({ enforcementLevel: LEVEL.optional() });

/** Returns the level of a word. No rule changes resources: as under Pulumi, `remediate` falls back to mandatory. */
const levelOf = (word: z.output<typeof LEVEL>): Level => (word === "remediate" ? "mandatory" : word);

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
    return rules
        .map((rule): ConfiguredRule => {
            const { enforcementLevel, ...config } = entries[rule.name] as Entry;
            const word = enforcementLevel ?? all.enforcementLevel;
            return { rule, level: word === undefined ? rule.level : levelOf(word), config };
        })
        .filter(({ level }) => level !== "disabled");
}

type Entry = Config & z.output<typeof ENTRY>;

const entryOf = remembered((rule: Rule) => optionsOf(rule).extend(ENTRY.shape).prefault({}));

/** Expands levels that stand alone to entries with this level. */
const expanded = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
        Object.entries(given).map(([name, entry]) => [
            name,
            typeof entry === "string" ? { enforcementLevel: entry } : entry,
        ]),
    );

const LEVEL_REMEDY = "write advisory, mandatory or disabled";

function problemOf({ path: [rule, ...path], unknownKey, nearest, cause, remedy }: Misfit): Problem<"policy-config"> {
    if (rule === undefined)
        return {
            code: "policy-config",
            severity: "error",
            place: {},
            cause: unknownKey === undefined ? cause : `there is no rule "${unknownKey}"`,
            remedy:
                nearest === undefined
                    ? "write an object with the names of rules, or all, as keys; docs/policies.md lists the rules"
                    : remedy,
            source: CONFIG_DOCUMENT,
        };
    if (path[0] === "enforcementLevel") return configProblem(String(rule), path, { cause, remedy: LEVEL_REMEDY });
    const whole = path.length === 0 && unknownKey === undefined;
    return configProblem(String(rule), path, {
        cause,
        remedy: whole ? `${LEVEL_REMEDY}, or an object of settings` : remedy,
    });
}
