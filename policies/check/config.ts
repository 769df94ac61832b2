/** Levels and settings of rules, from a file in the form of `--policy-pack-config`. */

import { z } from "zod";
import { isMapping } from "../../provider/diagnostics/path";
import { ConfigError, optionsOf } from "../config";
import { formatProblem, parseData, type Problem } from "../problems";
import type { Config, Level, Rule } from "../rule";

/** A rule with its level and settings as configured. */
export interface ConfiguredRule {
    readonly rule: Rule;
    readonly level: Level;
    readonly config: Config;
}

const LEVEL = z.enum(["advisory", "mandatory", "disabled", "remediate"]);

const ENTRY = z.strictObject({ enforcementLevel: LEVEL.optional() });

/** No rule of this package changes resources; under Pulumi too such a rule falls back to mandatory. */
const levelOf = (word: z.output<typeof LEVEL>): Level => (word === "remediate" ? "mandatory" : word);

/**
 * The rules as configured. `all` sets the level of every rule that has no entry of its own.
 *
 * @throws ConfigError with every problem at once
 */
export function configureRules(rules: readonly Rule[], given: unknown): ConfiguredRule[] {
    const schema = z.strictObject({
        all: ENTRY.default({}),
        ...Object.fromEntries(rules.map((rule) => [rule.name, entryOf(rule)])),
    });
    const parsed = parseData(schema, isMapping(given) ? expanded(given) : given);
    if (parsed.problems !== undefined) throw new ConfigError(parsed.problems.map(describe).join("\n"));
    const { all, ...entries } = parsed.data as { all: z.output<typeof ENTRY> } & Record<string, Entry>;
    return rules.map((rule): ConfiguredRule => {
        const { enforcementLevel, ...config } = entries[rule.name] as Entry;
        const word = enforcementLevel ?? all.enforcementLevel;
        return { rule, level: word === undefined ? rule.level : levelOf(word), config };
    });
}

type Entry = Config & z.output<typeof ENTRY>;

const entryOf = (rule: Rule) => optionsOf(rule).extend(ENTRY.shape).prefault({});

/** A level alone stands for an entry with this level. */
const expanded = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
        Object.entries(given).map(([name, entry]) => [
            name,
            typeof entry === "string" ? { enforcementLevel: entry } : entry,
        ]),
    );

function describe(problem: Problem): string {
    const [rule, ...path] = problem.path;
    if (rule === undefined)
        return problem.unknownKeys.length === 0
            ? "the configuration must be a JSON object, with the names of rules as keys"
            : problem.unknownKeys
                  .map((name) => `there is no rule "${name}"; docs/policies.md lists all of them`)
                  .join("\n");
    if (path[0] === "enforcementLevel")
        return `${rule}: ${JSON.stringify(problem.value)} is no level; write advisory, mandatory or disabled`;
    const required = path.length === 0 ? "a level (advisory, mandatory, disabled) or an object of settings" : undefined;
    return `${rule}: ${formatProblem({ ...problem, path, ...(required === undefined ? {} : { required }) })}`;
}
