/** Settings of rules as zod schemas, and as JSON schemas for the policy SDK. */
import { z } from "zod";
import { type ServiceSubject, TEXT_LIST } from "../subjects";
import { CLUSTER_FACTS, type Misfit, parseData } from "../subjects/parse";
import { type Diagnostic, DiagnosticsError, type FieldPath, isMapping, type Problem } from "../../provider/diagnostics";
import { once } from "../../provider/schema/defined";
import type { Config, ConfiguredRule, Rule } from ".";
import { matches } from "./evaluate";

export const EXCEPT = TEXT_LIST.default([]).describe(
    "Services (`namespace/name`) and resources (by name) that the rule does not apply to; `*` matches any text.",
);

/** The setting of rules about Services that a program applies itself. Components record the facts of their cluster. */
export const CLUSTER = CLUSTER_FACTS.default({}).describe(
    "Facts about the cluster of Services that a program applies itself: `clusterType`, `compatibility`, " +
        "`networkPlugin`, `createdAt`, `kubernetesVersion`, `kubeProxyMode`, `nodePortRange`.",
);

/** An invalid configuration, with everything that is wrong with it. */
export class ConfigError extends DiagnosticsError {
    constructor(diagnostics: readonly Diagnostic[]) {
        super(diagnostics);
        // The policy SDK shows the stack of what a policy throws, and not its message.
        this.stack = this.message;
    }
}

const configProblem = (
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
const remembered = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
    const made = new WeakMap<Key, Value>();
    return (key) => once(made, key, () => make(key));
};

const optionsOf = remembered((rule: Rule): z.ZodObject =>
    z.strictObject({ except: EXCEPT, ...(rule.service && { cluster: CLUSTER }), ...rule.options?.shape }),
);

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

/** Returns a configuration with the defaults filled in. @throws ConfigError */
export function configOf(rule: Rule, given: unknown): Config {
    const parsed = parseData(optionsOf(rule), given);
    if (parsed.problems === undefined) return parsed.data as Config;
    throw new ConfigError(parsed.problems.map((problem) => configProblem(rule.name, problem.path, problem)));
}

const ENTRY = z.strictObject({
    enforcementLevel: z.enum(["advisory", "mandatory", "disabled", "remediate"]).optional(),
});

/**
 * Returns the rules that are not disabled, as configured.
 *
 * The entry `all` sets the level of every rule without its own level.
 *
 * @throws ConfigError with every problem at once
 */
export function configureRules(rules: readonly Rule[], given: unknown): ConfiguredRule[] {
    const schema = z.strictObject({
        all: ENTRY.default({}),
        ...Object.fromEntries(rules.map((rule) => [rule.name, entryOf(rule)])),
    });
    if (isMapping(given) && VERSION_2.some((key) => key in given))
        throw new ConfigError([configProblem(undefined, [], { cause: VERSION_2_CAUSE, remedy: VERSION_2_REMEDY })]);
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

/** Keys of version 2 of the engine's policy configuration, which no rule has as its name. Source: Pulumi 3.271. */
const VERSION_2 = ["version", "policies", "exceptions", "environments"];
const VERSION_2_CAUSE =
    "the file is version 2 of Pulumi's policy configuration (version, policies, exceptions, environments), which " +
    "only the engine reads (pulumi preview --policy-pack-config)";
const VERSION_2_REMEDY =
    "give the object under policies alone, in a file of its own, and list what exceptions name in except of the rule";

type Entry = Config & z.output<typeof ENTRY>;

const entryOf = remembered((rule: Rule) => optionsOf(rule).extend(ENTRY.shape).prefault({}));

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

/** Returns the settings that select Services. */
export const selection = (label: string) =>
    z.object({
        services: TEXT_LIST.default([]).describe(
            "Services that the rule applies to, as `namespace/name`; `*` matches any text.",
        ),
        label: z.string().default(label).describe("Label, as `key=value`, of Services that the rule applies to."),
    });

export function selects(
    { services, label }: Readonly<z.output<ReturnType<typeof selection>>>,
    service: Pick<ServiceSubject, "name" | "labels">,
): boolean {
    const [key = "", value] = label.split("=");
    if (matches(service.name, services)) return true;
    if (key === "" || !Object.hasOwn(service.labels, key)) return false;
    return value === undefined || service.labels[key] === value;
}
