import { ApiError } from "./errors";
import type { RuleBook } from "./rules";

/**
 * Parameters of a request by their wire names. Lists and objects are flattened as `Tag.1.Key`. An empty text is absent.
 */
export class Params {
    constructor(readonly all: Readonly<Record<string, string>>) {}

    /** The text, or undefined if absent or empty. */
    text(name: string): string | undefined {
        const value = this.all[name];
        return value === undefined || value === "" ? undefined : value;
    }

    /** A text that the action's declaration makes sure is there. */
    need(name: string): string {
        const value = this.text(name);
        if (value === undefined) throw missing(name);
        return value;
    }

    int(name: string): number | undefined {
        const value = this.text(name);
        if (value === undefined) return undefined;
        if (!/^[+-]?\d+$/.test(value))
            throw new ApiError("InvalidParameter", `The specified parameter ${name} is not valid.`);
        return Number(value);
    }

    needInt(name: string): number {
        const value = this.int(name);
        if (value === undefined) throw missing(name);
        return value;
    }

    bool(name: string): boolean | undefined {
        const value = this.text(name)?.toLowerCase();
        return value === undefined ? undefined : value === "true" || value === "1" || value === "on";
    }

    /** True if the name was sent at all, even empty. */
    sent(name: string): boolean {
        return this.all[name] !== undefined;
    }

    /** Parses a parameter of JSON, or the same with single quotes. Any other text is refused. */
    json(name: string): unknown {
        const text = this.text(name);
        if (text === undefined) return undefined;
        for (const spelling of [text, text.replaceAll("'", '"')]) {
            try {
                return JSON.parse(spelling) as unknown;
            } catch {
                // The other spelling is tried next.
            }
        }
        throw new ApiError("InvalidParameter", `The specified parameter ${name} is not valid JSON.`);
    }

    /** A parameter that holds a JSON list of texts. */
    jsonList(name: string): string[] | undefined {
        const value = this.json(name);
        if (value === undefined) return undefined;
        if (!Array.isArray(value))
            throw new ApiError("InvalidParameter", `The specified parameter ${name} is not a list.`);
        return value.map(String);
    }

    /**
     * Returns the values of `Prefix.1`, `Prefix.2` … in order of their numbers and without empty values, or of a JSON
     * list under the bare name.
     */
    list(prefix: string): string[] {
        if (this.text(prefix)?.startsWith("[")) return this.jsonList(prefix) ?? [];
        return this.groups(prefix)
            .flatMap(([, group]) => group.get("") ?? [])
            .filter((value) => value !== "");
    }

    /** `Prefix.1.Field` groups in order of their numbers. */
    structs(prefix: string): Params[] {
        return this.groups(prefix)
            .map(([, group]) => [...group].filter(([field]) => field !== ""))
            .filter((fields) => fields.length > 0)
            .map((fields) => new Params(Object.fromEntries(fields)));
    }

    /**
     * Returns the values under `Prefix.N` by number: the value itself under the empty name, fields under their names.
     */
    private groups(prefix: string): [number, Map<string, string>][] {
        const found = new Map<number, Map<string, string>>();
        for (const [key, value] of Object.entries(this.all)) {
            if (!key.startsWith(`${prefix}.`)) continue;
            const [first = "", ...field] = key.slice(prefix.length + 1).split(".");
            if (!/^\d+$/.test(first)) continue;
            const group = found.get(Number(first)) ?? new Map<string, string>();
            found.set(Number(first), group.set(field.join("."), value));
        }
        return [...found].sort(([a], [b]) => a - b);
    }
}

/** Limits of a parameter in the API. All are inclusive. */
export interface ParamSpec {
    readonly required?: boolean;
    readonly min?: number;
    readonly max?: number;
    /** Values allowed outside the range, or the closed set of texts. */
    readonly also?: readonly number[];
    readonly allowed?: readonly string[];
    readonly maxLength?: number;
    /** Number of `Name.N` that a call may carry. */
    readonly maxItems?: number;
    /** Error code of a refused value. Default `InvalidParameter`. */
    readonly code?: string;
}

export type ParamSpecs = Readonly<Record<string, ParamSpec>>;

/** The refusal of the gateway for a parameter that is mandatory and absent. */
export function missing(name: string): ApiError {
    return new ApiError(`Missing${name}`, `${name} is mandatory for this action.`);
}

/** Checks declared parameters. `prefix` names the action in rule ids (`Slb.CreateLoadBalancer.`). */
export function checkParams(params: Params, specs: ParamSpecs, rules: RuleBook, prefix: string): void {
    for (const [name, spec] of Object.entries(specs)) {
        if (
            spec.required === true &&
            params.text(name) === undefined &&
            params.list(name).length === 0 &&
            params.structs(name).length === 0
        )
            throw missing(name);
        const problem = valueProblem(params, name, spec);
        if (problem !== undefined && rules.holds(`${prefix}${name}`, "strict"))
            throw new ApiError(spec.code ?? "InvalidParameter", problem);
    }
}

function valueProblem(params: Params, name: string, spec: ParamSpec): string | undefined {
    if (spec.maxItems !== undefined && params.list(name).length + params.structs(name).length > spec.maxItems) {
        return `The parameter ${name} has too many entries, at most ${spec.maxItems} are allowed.`;
    }
    const value = params.text(name);
    if (value === undefined) return undefined;
    if (spec.min !== undefined && spec.max !== undefined) {
        const n = Number(value);
        const inside = Number.isInteger(n) && ((n >= spec.min && n <= spec.max) || spec.also?.includes(n) === true);
        if (!inside) return `The specified ${name} must be between ${spec.min} and ${spec.max}.`;
    }
    if (spec.allowed !== undefined && !spec.allowed.includes(value))
        return `The specified parameter ${name} is not valid, allowed are ${spec.allowed.join(", ")}.`;
    if (spec.maxLength !== undefined && [...value].length > spec.maxLength)
        return `The specified parameter ${name} is longer than ${spec.maxLength} characters.`;
    return undefined;
}
