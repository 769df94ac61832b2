/** Kinds of flags: on/off, text, whole number, or a text that may be given several times. */
export type FlagKind = "bool" | "text" | "number" | "list";
export interface FlagSpec {
    kind: FlagKind;
    short?: string;
}
export type FlagTable = Readonly<Record<string, FlagSpec>>;

/** Texts that switch a flag on and off. */
const ON: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const OFF: ReadonlySet<string> = new Set(["0", "f", "F", "false", "FALSE", "False"]);

/** Flags and arguments of a command line. */
export class Arguments {
    constructor(
        private readonly values: ReadonlyMap<string, string[]>,
        readonly positional: readonly string[],
    ) {}

    has(name: string): boolean {
        return this.values.has(name);
    }
    on(name: string): boolean {
        const v = this.values.get(name)?.at(-1);
        return v !== undefined && !OFF.has(v);
    }
    text(name: string): string | undefined {
        return this.values.get(name)?.at(-1);
    }
    number(name: string): number | undefined {
        const t = this.text(name);
        return t === undefined ? undefined : Number(t);
    }
    list(name: string): string[] {
        return [...(this.values.get(name) ?? [])];
    }
}

/** A command line that cannot be understood. */
export class UsageError extends Error {}

export const bool: FlagSpec = { kind: "bool" };
export const text: FlagSpec = { kind: "text" };
export const list: FlagSpec = { kind: "list" };

/** Flags every command has. */
export const GLOBAL_FLAGS: FlagTable = {
    color: text,
    cwd: { kind: "text", short: "C" },
    "disable-integrity-checking": bool,
    emoji: { kind: "bool", short: "e" },
    "fully-qualify-stack-names": bool,
    logflow: bool,
    logtostderr: bool,
    memprofilerate: { kind: "number" },
    "non-interactive": bool,
    profiling: text,
    tracing: text,
    "otel-traces": text,
    verbose: { kind: "number", short: "v" },
    help: { kind: "bool", short: "h" },
};

/** Flags of the commands that work on a stack. */
export const STACK_FLAGS: FlagTable = { stack: { kind: "text", short: "s" }, "config-file": { kind: "text" } };

/** @throws UsageError if more than one flag of a group is given of which only one may be */
export function requireOneOf(group: readonly string[], args: Arguments): void {
    const given = group.filter((f) => args.has(f));
    if (given.length < 2) return;
    throw new UsageError(
        `if any flags in the group [${group.join(" ")}] are set none of the others can be; [${given.sort().join(" ")}] were all set`,
    );
}

/** Flags that take a value only in the form `--name=value`; alone they mean "true". */
const OPTIONAL_VALUE = new Set(["refresh", "suppress-permalink"]);

/** @throws UsageError if a flag cannot have the value */
function checkValue(name: string, spec: FlagSpec, value: string): void {
    const parser =
        spec.kind === "bool" && !ON.has(value) && !OFF.has(value)
            ? "ParseBool"
            : spec.kind === "number" && !/^[+-]?\d+$/.test(value)
              ? "ParseInt"
              : undefined;
    if (parser === undefined) return;
    const shown = spec.short === undefined ? `--${name}` : `-${spec.short}, --${name}`;
    throw new UsageError(
        `invalid argument "${value}" for "${shown}" flag: strconv.${parser}: parsing "${value}": invalid syntax`,
    );
}

/**
 * Reads a command line.
 * @throws UsageError for unknown flags, missing values, and values that a flag cannot have
 */
export function parseArguments(argv: readonly string[], flags: FlagTable): Arguments {
    const table: FlagTable = { ...GLOBAL_FLAGS, ...flags };
    const byShort = new Map(
        Object.entries(table)
            .filter(([, f]) => f.short !== undefined)
            .map(([name, f]) => [f.short as string, name]),
    );
    const values = new Map<string, string[]>();
    const positional: string[] = [];
    const put = (name: string, v: string) => {
        checkValue(name, table[name] as FlagSpec, v);
        values.set(name, [...(values.get(name) ?? []), v]);
    };
    let i = 0;
    const next = (shown: string): string => {
        const v = argv[++i];
        if (v === undefined) throw new UsageError(`flag needs an argument: ${shown}`);
        return v;
    };
    for (; i < argv.length; i++) {
        const a = argv[i] as string;
        if (a === "--") return new Arguments(values, [...positional, ...argv.slice(i + 1)]);
        if (a.startsWith("--")) {
            const eq = a.indexOf("=");
            const name = eq < 0 ? a.slice(2) : a.slice(2, eq);
            const spec = table[name];
            if (!spec) throw new UsageError(`unknown flag: --${name}`);
            if (eq >= 0) put(name, a.slice(eq + 1));
            else if (spec.kind === "bool" || OPTIONAL_VALUE.has(name)) put(name, "true");
            else put(name, next(`--${name}`));
        } else if (a.startsWith("-") && a.length > 1) {
            for (let j = 1; j < a.length; j++) {
                const short = a[j] as string;
                const name = byShort.get(short);
                if (name === undefined) throw new UsageError(`unknown shorthand flag: '${short}' in ${a}`);
                const kind = table[name]?.kind;
                if (kind === "bool" || OPTIONAL_VALUE.has(name)) {
                    put(name, "true");
                    continue;
                }
                const inline = a.slice(j + 1).replace(/^=/, "");
                put(name, inline !== "" ? inline : next(`'${short}' in ${a}`));
                break;
            }
        } else positional.push(a);
    }
    return new Arguments(values, positional);
}
