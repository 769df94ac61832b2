import { ApiError } from "./errors";

/**
 * When a rule is enforced.
 * - `always`: also in lenient mode. Recordings of real clients depend on these (unknown ids, used ports, …).
 * - `strict`: in strict mode, which is the default of a lab.
 * - `off`: only when enabled by name. These are statements of the documents that are contradicted or not confirmed.
 */
export type Enforcement = "always" | "strict" | "off";

export interface RuleDefinition {
    /** Dotted name, product first: `slb.listener.port-free`. */
    readonly id: string;
    readonly code: string;
    /** May hold `%s`, filled in order from the arguments of the check. */
    readonly message: string;
    /** HTTP status of the refusal. Default 400. */
    readonly status?: number;
    /** The condition, in words. */
    readonly when: string;
    /** Document or recording of the rule. */
    readonly source: string;
    /** Default `strict`. */
    readonly enforcement?: Enforcement;
}

export type Rule = Required<RuleDefinition>;

const registry = new Map<string, Rule>();

/** Declares a rule. Ids are unique, and the listing `GET /_rules` is made of these declarations. */
export function rule(definition: RuleDefinition): Rule {
    if (registry.has(definition.id)) throw new Error(`rule ${definition.id} is declared twice`);
    const complete: Rule = { status: 400, enforcement: "strict", ...definition };
    registry.set(complete.id, complete);
    return complete;
}

/** Every declared rule, sorted by id. */
export function declaredRules(): Rule[] {
    return [...registry.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Decides the rules that hold in a cloud. */
export class RuleBook {
    strict = true;
    /** State by rule id, or by a prefix ending in `.`. It wins over everything else. */
    overrides: Record<string, boolean> = {};

    holds(id: string, enforcement: Enforcement): boolean {
        const exact = this.overrides[id];
        if (exact !== undefined) return exact;
        const prefix = Object.keys(this.overrides)
            .filter((key) => key.endsWith(".") && id.startsWith(key))
            .sort((a, b) => b.length - a.length)[0];
        if (prefix !== undefined) return this.overrides[prefix] === true;
        return enforcement === "always" || (enforcement === "strict" && this.strict);
    }

    /** Refuses with the rule's code unless `ok`, or unless the rule does not hold here. */
    check(rule: Rule, ok: boolean, ...args: readonly (string | number)[]): void {
        if (!ok && this.holds(rule.id, rule.enforcement)) throw refusal(rule, ...args);
    }
}

/** The answer to a request that breaks the rule. */
export function refusal(rule: Rule, ...args: readonly (string | number)[]): ApiError {
    let next = 0;
    const message = rule.message.replaceAll("%s", () => String(args[next++] ?? ""));
    return new ApiError(rule.code.replace("%s", String(args[0] ?? "")), message, rule.status);
}
