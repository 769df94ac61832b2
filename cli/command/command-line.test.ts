import { expect, test } from "@jest/globals";
import { readOptions } from "./command-line";
import { UsageError } from "./output";

test("a command line is read by its options, and one that does not fit is a usage error", () => {
    const options = { format: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = readOptions(["a", "--format", "json", "-h"], options);
    expect([{ ...values }, positionals]).toStrictEqual([{ format: "json", help: true }, ["a"]]);
    for (const argv of [["--other"], ["--format"], ["--help=yes"]])
        expect(() => readOptions(argv, options)).toThrow(UsageError);
});

test("an unknown option gets the nearest known one, and a value after = may begin with -", () => {
    const options = { format: { type: "string" }, "no-gates": { type: "boolean" }, on: { type: "boolean" } } as const;
    const refused = (argv: readonly string[]): string => {
        try {
            return JSON.stringify(readOptions(argv, options));
        } catch (error) {
            return (error as UsageError).message;
        }
    };
    expect(refused(["--frmat", "json"])).toBe("unknown option --frmat; did you mean --format?");
    expect(refused(["--frmat=json"])).toBe("unknown option --frmat; did you mean --format?");
    expect(refused(["--elsewhere"])).toBe("unknown option --elsewhere");
    expect(refused(["--gates"])).toMatch(/^unknown option --gates/);
    expect(refused(["--on=1"])).toBe("option --on takes no value");
    expect(refused(["--format"])).toBe("--format lacks its value");
    expect(refused(["--format", "--on"])).toMatch(/^--format lacks its value/);
    const { values, positionals } = readOptions(["--format=-x", "-", "--no-gates", "--", "--on"], options);
    expect([values, positionals]).toStrictEqual([{ format: "-x", "no-gates": true }, ["-", "--on"]]);
});

test("a repeatable option keeps all its values in order, and any other option its last value", () => {
    const text = { type: "string" } as const;
    const { values } = readOptions(["--a", "1", "--b", "2", "--a=3", "--b=4"], {
        a: { ...text, multiple: true },
        b: text,
    });
    expect(values).toStrictEqual({ a: ["1", "3"], b: "4" });
});
