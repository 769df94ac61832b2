import { afterAll, beforeAll, expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StackSelection, workingFolder } from "./selection";
import { StackSettings, typedValue, type ConfigNode } from "./stackconfig";

let scratch: string;
beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), "engine-settings-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What a fresh settings file holds after one value was stored. */
function stored(key: string, byPath: boolean, value: ConfigNode): unknown {
    const settings = new StackSettings(join(scratch, "none.yaml"));
    settings.store("proj", key, byPath, value);
    return settings.entries();
}

test("a value at the top stays a text, with and without a path", () => {
    for (const text of ["true", "5", "007", "1.5", "{}", "[1]", "null", ""]) {
        expect(stored("a", false, text)).toStrictEqual({ "proj:a": text });
        expect(stored("a", true, text)).toStrictEqual({ "proj:a": text });
        expect(stored("a.b", false, text)).toStrictEqual({ "proj:a.b": text });
    }
});

test("below a path whole numbers and truth values are typed, everything else is a text", () => {
    const cases: [string, unknown][] = [
        ["true", true],
        ["false", false],
        ["True", "True"],
        ["5", 5],
        ["-5", -5],
        ["+5", 5],
        ["0", 0],
        ["-0", 0],
        ["007", "007"],
        ["1.5", "1.5"],
        ["1e3", "1e3"],
        ["99999999999999999999", "99999999999999999999"],
        ["{}", "{}"],
        ["[]", "[]"],
        ["null", "null"],
        ["", ""],
    ];
    for (const [text, expected] of cases)
        assert.deepEqual(stored("a.b", true, text), { "proj:a": { b: expected } }, text);
    expect(stored("other:a[0].b", true, "1")).toStrictEqual({ "other:a": [{ b: 1 }] });
    expect(stored("a.b", true, { secure: "v1:x" })).toStrictEqual({ "proj:a": { b: { secure: "v1:x" } } });
});

test("a type is taken literally, and a value that does not fit is refused", () => {
    expect(typedValue("5", "string")).toBe("5");
    expect(typedValue("5", "int")).toBe(5);
    expect(typedValue("2.50", "float")).toBe(2.5);
    expect(typedValue("false", "bool")).toBe(false);
    expect(stored("a", false, typedValue("5", "int"))).toStrictEqual({ "proj:a": 5 });
    expect(() => typedValue("x", "int")).toThrow(/"x" is not a value of type int/);
    expect(() => typedValue("x", "list")).toThrow(/invalid type "list"; must be one of string, int, bool, or float/);
});

test("texts that YAML 1.1 reads as something else are quoted", () => {
    const file = join(scratch, "quoted.yaml");
    const settings = new StackSettings(file);
    for (const [i, text] of ["yes", "off", "5", "true", "2024-01-01"].entries()) settings.set(`proj:k${i}`, text);
    settings.save();
    for (const line of readFileSync(file, "utf8").trim().split("\n").slice(1)) expect(line).toMatch(/: ".*"$/);
});

test("each backend has its own selected stack; a selection without backend counts for all", () => {
    const file = join(scratch, "p", "Pulumi.yaml");
    const of = (backend: string) => new StackSelection(scratch, "proj", file, backend);
    expect(of("file://a").get()).toBeUndefined();
    of("file://a").set("organization/proj/dev");
    of("file://b").set("organization/proj/prod");
    expect(of("file://a").get()).toStrictEqual({ name: "organization/proj/dev", anyBackend: false });
    expect(of("file://b").get()).toStrictEqual({ name: "organization/proj/prod", anyBackend: false });
    expect(of("file://c").get()).toBeUndefined();
    of("file://a").clear();
    expect(of("file://a").get()).toBeUndefined();
    of("file://b").clear();
    assert.ok(!existsSync(join(scratch, "workspaces")) || of("file://b").get() === undefined);
});

test("the working folder keeps the name by which it was entered", () => {
    const [real, link] = [join(scratch, "real"), join(scratch, "link")];
    mkdirSync(real);
    symlinkSync(real, link);
    const [cwd, pwd] = [process.cwd(), process.env["PWD"]];
    try {
        process.chdir(link);
        process.env["PWD"] = link;
        expect(workingFolder()).toBe(link);
        process.env["PWD"] = scratch;
        expect(workingFolder()).not.toBe(scratch);
    } finally {
        process.chdir(cwd);
        if (pwd === undefined) delete process.env["PWD"];
        else process.env["PWD"] = pwd;
    }
});
