/** Settings of rules as zod schemas, and as JSON schemas for the policy SDK. */

import { z } from "zod";
import { TEXT_LIST } from "../subjects";
import { CLUSTER_FACTS } from "../subjects/facts";
import { type Diagnostic, DiagnosticsError, type FieldPath, type Problem } from "../../provider/diagnostics";
import { type Misfit, parseData } from "../subjects/parse";
import type { Config, Rule } from ".";

/** The setting that every rule has. */
export const EXCEPT = TEXT_LIST.default([]).describe(
    "Services (`namespace/name`) and resources (by name) that the rule does not apply to; `*` matches any text.",
);

/** The setting of rules about Services that a program applies itself; components record the facts of their cluster. */
export const CLUSTER = CLUSTER_FACTS.default({}).describe(
    "Facts about the cluster of Services that a program applies itself: `clusterType`, `compatibility`, " +
        "`networkPlugin`, `createdAt`, `kubernetesVersion`, `kubeProxyMode`, `nodePortRange`.",
);

/** Settings that are not specific to a rule. */
export const COMMON_OPTIONS: ReadonlySet<string> = new Set(["except", "cluster"]);

/** An invalid configuration, with everything that is wrong with it. */
export class ConfigError extends DiagnosticsError {
    constructor(diagnostics: readonly Diagnostic[]) {
        super(diagnostics);
        // The policy SDK shows the stack of what a policy throws, and not its message.
        this.stack = this.message;
    }
}

/** Describes what is wrong with the configuration of a rule, or with that of all. */
export const configProblem = (
    rule: string | undefined,
    path: FieldPath,
    { cause, remedy }: Pick<Misfit, "cause" | "remedy">,
): Problem<"policy-config"> => ({
    code: "policy-config",
    severity: "error",
    place: rule === undefined ? {} : { subject: rule, path },
    cause,
    remedy,
    source: "docs/policies.md, Configuration",
});

/** Caches values by key: a pack parses the configuration of each rule for each resource. */
export const remembered = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
    const made = new WeakMap<Key, Value>();
    return (key) => {
        const value = made.get(key) ?? make(key);
        made.set(key, value);
        return value;
    };
};

/** Returns the schema of all settings of a rule. */
export const optionsOf = remembered((rule: Rule): z.ZodObject =>
    z.strictObject({ except: EXCEPT, ...(rule.service && { cluster: CLUSTER }), ...rule.options?.shape }),
);

/** A setting as JSON schema. */
export interface OptionSchema {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly default: unknown;
    readonly description: string;
}

/** Returns the settings of a rule as JSON schema, by name. */
export function optionSchemasOf(rule: Rule): Readonly<Record<string, OptionSchema>> {
    const options: [string, z.ZodType][] = Object.entries(optionsOf(rule).shape);
    return Object.fromEntries(options.map(([name, option]) => [name, jsonSchemaOf(option)]));
}

const jsonSchemaOf = remembered((option: z.ZodType): OptionSchema => {
    const { $schema: _, ...schema } = z.toJSONSchema(option, {
        io: "input",
        // The bounds of an integer that zod adds by itself say nothing about the setting.
        override: ({ jsonSchema }) => {
            if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
            if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        },
    });
    return schema as OptionSchema;
});

/**
 * Returns a configuration with the defaults filled in.
 *
 * @throws ConfigError
 */
export function configOf(rule: Rule, given: unknown): Config {
    const parsed = parseData(optionsOf(rule), given);
    if (parsed.problems === undefined) return parsed.data as Config;
    throw new ConfigError(parsed.problems.map((problem) => configProblem(rule.name, problem.path, problem)));
}
