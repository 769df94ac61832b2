import { expect, test } from "@jest/globals";
import { readOptions, UsageError } from "./line";

test("a command line is read by its options, and one that does not fit is a usage error", () => {
    const options = { format: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = readOptions(["a", "--format", "json", "-h"], options);
    expect([{ ...values }, positionals]).toStrictEqual([{ format: "json", help: true }, ["a"]]);
    for (const argv of [["--other"], ["--format"], ["--help=yes"]])
        expect(() => readOptions(argv, options)).toThrow(UsageError);
});
