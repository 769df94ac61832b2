/** Levels and settings of rules, from a file in the form of `--policy-pack-config`. */

import { configOf, optionsOf } from "../judge";
import type { Config, Level, Option, Rule } from "../rule";

/** A rule with what the platform team wants of it. */
export interface ConfiguredRule {
    readonly rule: Rule;
    readonly level: Level;
    readonly config: Config;
}

/** A configuration that cannot be right; every problem at once. */
export class ConfigError extends Error {}

type Entry = string | (Readonly<Record<string, unknown>> & { readonly enforcementLevel?: unknown });

/** A level that means more than this command can do counts as the one that it falls back to under Pulumi. */
const LEVELS: Readonly<Record<string, Level>> = {
    advisory: "advisory",
    mandatory: "mandatory",
    disabled: "disabled",
    remediate: "mandatory",
};

/**
 * The rules as configured. `all` sets the level of every rule that has no entry of its own.
 *
 * @throws ConfigError
 */
export function configureRules(rules: readonly Rule[], given: unknown): ConfiguredRule[] {
    const problems: string[] = [];
    if (typeof given !== "object" || given === null || Array.isArray(given))
        throw new ConfigError("the configuration must be a JSON object, with the names of rules as keys");
    const entries = given as Readonly<Record<string, Entry>>;
    const names = new Set(rules.map(({ name }) => name));
    for (const name of Object.keys(entries))
        if (name !== "all" && !names.has(name)) problems.push(`there is no rule "${name}"`);
    const all = levelOf("all", entries["all"], problems);
    const configured = rules.map((rule): ConfiguredRule => {
        const entry = Object.hasOwn(entries, rule.name) ? entries[rule.name] : undefined;
        const { enforcementLevel, ...settings } = typeof entry === "object" ? entry : {};
        const level = levelOf(
            rule.name,
            typeof entry === "string" ? entry : (enforcementLevel as string | undefined),
            problems,
        );
        problems.push(...settingProblems(rule, settings));
        return { rule, level: level ?? all ?? rule.level, config: configOf(rule, settings) };
    });
    if (problems.length > 0) throw new ConfigError(problems.join("\n"));
    return configured;
}

function levelOf(name: string, entry: Entry | undefined, problems: string[]): Level | undefined {
    const word = typeof entry === "object" ? entry.enforcementLevel : entry;
    if (word === undefined) return undefined;
    const level = LEVELS[String(word)];
    if (level === undefined)
        problems.push(`${name}: "${String(word)}" is no level; write advisory, mandatory or disabled`);
    return level;
}

function settingProblems(rule: Rule, settings: Readonly<Record<string, unknown>>): string[] {
    const options = optionsOf(rule);
    return Object.entries(settings).flatMap(([name, value]) => {
        const option = Object.hasOwn(options, name) ? options[name] : undefined;
        if (option === undefined)
            return [`${rule.name}: there is no setting "${name}"; it has ${Object.keys(options).join(", ")}`];
        return fits(option, value) ? [] : [`${rule.name}: ${name} must be ${described(option)}`];
    });
}

function fits(option: Option, value: unknown): boolean {
    if (option.type === "array")
        return Array.isArray(value) && value.every((item) => typeof item === (option.items?.type ?? "string"));
    if (option.type === "integer") return Number.isInteger(value) && Number(value) >= (option.minimum ?? -Infinity);
    if (option.type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
    return typeof value === option.type && (option.enum === undefined || option.enum.includes(String(value)));
}

function described(option: Option): string {
    if (option.enum !== undefined) return `one of ${option.enum.join(", ")}`;
    if (option.type === "array") return `a list of ${option.items?.type ?? "string"}s`;
    return `${/^[aeiou]/.test(option.type) ? "an" : "a"} ${option.type}${option.minimum === undefined ? "" : ` of ${option.minimum} or more`}`;
}
