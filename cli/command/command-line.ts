/** Reader of command lines. */

import type { Command, Option } from "commander";
import { closest } from "../../provider/service/annotations/closest";
import { UsageError } from "./output";

/** Option with a value, repeated if `multiple` is set, or flag. */
interface OptionShape {
    readonly type: "string" | "boolean";
    readonly short?: string;
    readonly multiple?: boolean;
}

/** Options of a command, by name. */
export type Options = Readonly<Record<string, OptionShape>>;

type Value<Shape extends OptionShape> = Shape extends { type: "boolean" }
    ? boolean
    : Shape extends { multiple: true }
      ? string[]
      : string;

/** Values of the options by name, and the other arguments. */
interface CommandLine<Known extends Options> {
    readonly values: { readonly [Name in keyof Known]?: Value<Known[Name]> };
    readonly positionals: readonly string[];
}

/**
 * Reads the options and positional arguments of a command line.
 *
 * @throws UsageError if an option is unknown or lacks its value.
 */
export function readOptions<const Known extends Options>(argv: readonly string[], options: Known): CommandLine<Known> {
    // Commands that read no command line do not need it.
    const library = require("commander") as typeof import("commander");
    const command = new library.Command()
        .helpOption(false)
        .exitOverride()
        .configureOutput({ outputError: () => undefined });
    const known = Object.entries(options).map(([name, shape]) => {
        const option = optionOf(library.Option, name, shape, argv);
        command.addOption(option);
        return { name, option };
    });
    const { operands, unknown } = parse(command, argv);
    if (unknown[0] !== undefined) throw new UsageError(unknownOption(unknown[0], Object.keys(options)));
    // The library negates options that begin with "no-"; here they are flags like any other.
    const given = known.filter(({ option }) => command.getOptionValueSource(option.attributeName()) === "cli");
    const values = given.map(({ name, option }) => {
        const value: unknown = command.getOptionValue(option.attributeName());
        return [name, option.negate ? true : value] as const;
    });
    return { values: Object.fromEntries(values) as CommandLine<Known>["values"], positionals: operands };
}

/**
 * Returns the format that --format names; the first one by default.
 *
 * @throws UsageError
 */
export function formatOf<const Format extends string>(given: string | undefined, formats: readonly Format[]): Format {
    const format = formats.find((one) => one === (given ?? formats[0]));
    if (format !== undefined) return format;
    const near = closest(given ?? "", formats);
    const hint = near === undefined ? `use ${formats.join(", ")}` : `did you mean ${near}?`;
    throw new UsageError(`unknown format "${given}"; ${hint}`);
}

function optionOf(Class: typeof Option, name: string, shape: OptionShape, argv: readonly string[]): Option {
    const short = shape.short === undefined ? "" : `-${shape.short}, `;
    if (shape.type === "boolean") return new Class(`${short}--${name}`);
    return new Class(`${short}--${name} <value>`).argParser((value, before: readonly string[] | string | undefined) => {
        const apart = argv.some((word, index) => word === `--${name}` && argv[index + 1] === value);
        if (apart && value.length > 1 && value.startsWith("-"))
            throw new UsageError(`--${name} lacks its value; one that begins with - is written --${name}=${value}`);
        return shape.multiple === true ? [...(Array.isArray(before) ? (before as string[]) : []), value] : value;
    });
}

function parse(command: Command, argv: readonly string[]): ReturnType<Command["parseOptions"]> {
    try {
        return command.parseOptions([...argv]);
    } catch (error) {
        if (error instanceof UsageError) throw error;
        const { message } = error as Error;
        const [, name] = /^error: option '(?:-\w, )?(--\S+) .*argument missing$/.exec(message) ?? [];
        throw new UsageError(name === undefined ? message : `${name} lacks its value`);
    }
}

function unknownOption(word: string, names: readonly string[]): string {
    const [option = word] = word.split("=");
    const name = option.replace(/^-+/, "");
    if (names.includes(name) && option !== word) return `option --${name} takes no value`;
    const near = closest(name, names);
    return `unknown option ${option}${near === undefined ? "" : `; did you mean --${near}?`}`;
}
