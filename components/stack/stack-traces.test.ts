import { expect, test } from "@jest/globals";
import { omitBookkeepingStacks } from "./stack-traces";

test("an error that says something keeps its stack, one without a message is not formatted", () => {
    const formatted: string[] = [];
    const format = omitBookkeepingStacks((error) => {
        formatted.push(error.message);
        return `${error.message} with call sites`;
    });
    expect(format(new Error("no such node"), [])).toBe("no such node with call sites");
    expect(format(new Error(), [])).toBe("Error");
    expect(formatted).toStrictEqual(["no such node"]);
});

test("where nothing formats stacks yet, they look as V8 writes them", () => {
    const before = Error.prepareStackTrace;
    Error.prepareStackTrace = omitBookkeepingStacks(undefined);
    const [first, second] = (new TypeError("no such node").stack ?? "").split("\n");
    Error.prepareStackTrace = before;
    expect(first).toBe("TypeError: no such node");
    expect(second).toMatch(/^ {4}at .*stack-traces\.test/);
});
