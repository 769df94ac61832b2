/** Reader of command lines, and their description in the usage of a command. */

import { parseArgs } from "node:util";
import { closest } from "../../provider/service/annotations/closest";
import { EXIT, type Output, UsageError } from "./output";

/** Option of a command: a flag, or an option with a value, repeated if `multiple` is set. */
interface Option {
    /** Placeholder in the usage, such as `<file>`. Absent for a flag. */
    readonly value?: string;
    readonly text: string;
    readonly multiple?: true;
}

export type Options = Readonly<Record<string, Option>>;

type Value<Row extends Option> = Row extends { value: string }
    ? Row extends { multiple: true }
        ? string[]
        : string
    : boolean;

type Values<Known extends Options> = { readonly [Name in keyof Known]?: Value<Known[Name]> };

export const CLUSTER_OPTIONS = {
    kubeconfig: { value: "<file>", text: "default: KUBECONFIG, ~/.kube/config, or the pod's service account" },
    context: { value: "<name>", text: "context of the kubeconfig" },
} as const satisfies Options;

export const asksForHelp = (argv: readonly string[]): boolean =>
    argv.some((word, index) => (word === "--help" || word === "-h") && !argv.slice(0, index).includes("--"));

/** Returns the lines of a usage about options, or about other arguments by the same form. */
export const describeOptions = (options: Options): string =>
    Object.entries(options)
        .map(([name, { value, text }]) => `--${name}${value === undefined ? "" : ` ${value}`}`.padEnd(25) + ` ${text}`)
        .map((line) => `  ${line.replaceAll(/ *\n/g, `\n${" ".repeat(28)}`)}`)
        .join("\n");

/**
 * Reads the options and positional arguments of a command line.
 *
 * @throws UsageError if an option is unknown or lacks its value.
 */
export function readOptions<const Known extends Options>(argv: readonly string[], options: Known) {
    const shapes = Object.entries(options).map(([name, { value, multiple = false }]) => {
        const type = value === undefined ? "boolean" : "string";
        return [name, { type, multiple }] as const;
    });
    try {
        const config = { args: [...argv], options: Object.fromEntries(shapes), allowPositionals: true };
        const { values, positionals } = parseArgs(config);
        return { values: { ...values } as Values<Known>, positionals };
    } catch (error) {
        throw new UsageError(complaint(error as NodeJS.ErrnoException, Object.keys(options)));
    }
}

/** Returns what is wrong with a command line, for an error of the parser. */
function complaint({ code, message }: NodeJS.ErrnoException, names: readonly string[]): string {
    const [, option = "", name = ""] = /'(?:-\w, )?(-{1,2}([^ ']*))/.exec(message) ?? [];
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
        const near = closest(name, [...names, "help"]);
        return `unknown option ${option}${near === undefined ? "" : `; did you mean --${near}?`}`;
    }
    if (message.includes("does not take an argument")) return `option ${option} takes no value`;
    const hint = message.includes("ambiguous") ? `; one that begins with - is written ${option}=<value>` : "";
    return `${option} lacks its value${hint}`;
}

/** Returns the format that --format names, the first by default. @throws UsageError */
export function formatOf<const Format extends string>(given: string | undefined, formats: readonly Format[]): Format {
    const format = formats.find((one) => one === (given ?? formats[0]));
    if (format !== undefined) return format;
    const near = closest(given ?? "", formats);
    const hint = near === undefined ? `use ${formats.join(", ")}` : `did you mean ${near}?`;
    throw new UsageError(`unknown format "${given}"; ${hint}`);
}

/** Refuses positional arguments of a command that takes none. @throws UsageError */
export function refuseArguments(positionals: readonly string[]): void {
    if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals.join(", ")}`);
}

/**
 * Runs a command, or prints its usage. Writes an expected error that ends it, with the usage if the command line is
 * invalid. Returns the exit code.
 */
export async function runCommand(
    usage: string,
    argv: readonly string[],
    output: Output,
    run: () => number | Promise<number>,
    ...expected: readonly (abstract new (...args: never[]) => Error)[]
): Promise<number> {
    if (asksForHelp(argv)) {
        output.out(usage);
        return EXIT.ok;
    }
    try {
        return await run();
    } catch (error) {
        if (error instanceof UsageError) output.error(`error: ${error.message}\n\n${usage}`);
        else if (error instanceof Error && expected.some((one) => error instanceof one))
            output.error(`${error.message}\n`);
        else throw error;
        return EXIT.unreadable;
    }
}
