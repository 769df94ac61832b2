import { expect, test } from "@jest/globals";
import { asksForHelp, describeOptions, readOptions } from "./command-line";
import { UsageError } from "./output";

test("a command line is read by its options, and one that does not fit is a usage error", () => {
    const options = { format: { value: "<format>", text: "" }, once: { text: "" } } as const;
    const { values, positionals } = readOptions(["a", "--format", "json", "--once"], options);
    expect([{ ...values }, positionals]).toStrictEqual([{ format: "json", once: true }, ["a"]]);
    for (const argv of [["--other"], ["--format"], ["--once=yes"]])
        expect(() => readOptions(argv, options)).toThrow(UsageError);
});

test("an unknown option gets the nearest known one, and a value after = may begin with -", () => {
    const options = { format: { value: "<format>", text: "" }, "no-gates": { text: "" }, on: { text: "" } } as const;
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
    const text = { value: "<x>", text: "" } as const;
    const { values } = readOptions(["--a", "1", "--b", "2", "--a=3", "--b=4"], {
        a: { ...text, multiple: true },
        b: text,
    });
    expect(values).toStrictEqual({ a: ["1", "3"], b: "4" });
});

test("a command line asks for help before --, and a usage has a line for each option", () => {
    for (const [argv, asks] of [
        [["--help"], true],
        [["a", "-h"], true],
        [["a", "--", "-h"], false],
    ] as const)
        expect([argv, asksForHelp(argv)]).toStrictEqual([argv, asks]);
    const options = { format: { value: "<format>", text: "text\nor json" }, once: { text: "one pass" } };
    expect(describeOptions(options)).toBe(
        [
            "  --format <format>         text",
            "                            or json",
            "  --once                    one pass",
        ].join("\n"),
    );
});
