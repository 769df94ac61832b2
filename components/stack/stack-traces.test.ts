import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import * as debuggable from "@pulumi/pulumi/runtime/debuggable";
import { omitBookkeepingStacks, omitPromiseStacks, type PromiseNotes, sdkPromiseNotes } from "./stack-traces";

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

test("a promise is noted without call sites, and errors have them again", async () => {
    const notes = debuggable as PromiseNotes;
    const before = notes.debuggablePromise;
    assert.ok(before);
    const limit = Error.stackTraceLimit;
    omitPromiseStacks(notes);
    const [promise, plain] = [Promise.resolve(7), Promise.resolve(8)];
    await expect(notes.debuggablePromise?.(promise, "why")).resolves.toBe(7);
    notes.debuggablePromise = before;
    await expect(notes.debuggablePromise(plain, "why")).resolves.toBe(8);
    const stackOf = (noted: object) => (noted as { _debugStackTrace?: string })._debugStackTrace;
    expect(stackOf(plain)).toMatch(/stack-traces\.test/);
    expect(stackOf(promise)).not.toContain("\n");
    expect(Error.stackTraceLimit).toBe(limit);
    expect(new Error("no such node").stack).toMatch(/stack-traces\.test/);
});

test("an SDK that notes no promises is left as it is", () => {
    const module: PromiseNotes = {};
    omitPromiseStacks(module);
    expect(module).toEqual({});
});

test("a note that fails leaves the limit of call sites as it was", () => {
    const limit = Error.stackTraceLimit;
    const module: PromiseNotes = {
        debuggablePromise: () => {
            throw new Error("no promise");
        },
    };
    omitPromiseStacks(module);
    expect(() => module.debuggablePromise?.()).toThrow("no promise");
    expect(Error.stackTraceLimit).toBe(limit);
});

test("an SDK that has lost its own module does not keep the stack from starting", () => {
    expect(typeof sdkPromiseNotes().debuggablePromise).toBe("function");
    const lost = sdkPromiseNotes(() => {
        throw new Error("Cannot find module");
    });
    omitPromiseStacks(lost);
    expect(lost).toEqual({});
});
