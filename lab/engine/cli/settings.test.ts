import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { StackSelection, workingFolder } from "./selection";
import { StackSettings, typedValue, type ConfigNode } from "./stackconfig";

let scratch: string;
before(() => (scratch = mkdtempSync(join(tmpdir(), "engine-settings-"))));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** What a fresh settings file holds after one value was stored. */
function stored(key: string, byPath: boolean, value: ConfigNode): unknown {
    const settings = new StackSettings(join(scratch, "none.yaml"));
    settings.store("proj", key, byPath, value);
    return settings.entries();
}

test("a value at the top stays a text, with and without a path", () => {
    for (const text of ["true", "5", "007", "1.5", "{}", "[1]", "null", ""]) {
        assert.deepEqual(stored("a", false, text), { "proj:a": text });
        assert.deepEqual(stored("a", true, text), { "proj:a": text });
        assert.deepEqual(stored("a.b", false, text), { "proj:a.b": text });
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
    assert.deepEqual(stored("other:a[0].b", true, "1"), { "other:a": [{ b: 1 }] });
    assert.deepEqual(stored("a.b", true, { secure: "v1:x" }), { "proj:a": { b: { secure: "v1:x" } } });
});

test("a type is taken literally, and a value that does not fit is refused", () => {
    assert.equal(typedValue("5", "string"), "5");
    assert.equal(typedValue("5", "int"), 5);
    assert.equal(typedValue("2.50", "float"), 2.5);
    assert.equal(typedValue("false", "bool"), false);
    assert.deepEqual(stored("a", false, typedValue("5", "int")), { "proj:a": 5 });
    assert.throws(() => typedValue("x", "int"), /"x" is not a value of type int/);
    assert.throws(() => typedValue("x", "list"), /invalid type "list"; must be one of string, int, bool, or float/);
});

test("texts that YAML 1.1 reads as something else are quoted", () => {
    const file = join(scratch, "quoted.yaml");
    const settings = new StackSettings(file);
    for (const [i, text] of ["yes", "off", "5", "true", "2024-01-01"].entries()) settings.set(`proj:k${i}`, text);
    settings.save();
    for (const line of readFileSync(file, "utf8").trim().split("\n").slice(1)) assert.match(line, /: ".*"$/);
});

test("each backend has its own selected stack; a selection without backend counts for all", () => {
    const file = join(scratch, "p", "Pulumi.yaml");
    const of = (backend: string) => new StackSelection(scratch, "proj", file, backend);
    assert.equal(of("file://a").get(), undefined);
    of("file://a").set("organization/proj/dev");
    of("file://b").set("organization/proj/prod");
    assert.deepEqual(of("file://a").get(), { name: "organization/proj/dev", anyBackend: false });
    assert.deepEqual(of("file://b").get(), { name: "organization/proj/prod", anyBackend: false });
    assert.equal(of("file://c").get(), undefined);
    of("file://a").clear();
    assert.equal(of("file://a").get(), undefined);
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
        assert.equal(workingFolder(), link);
        process.env["PWD"] = scratch;
        assert.notEqual(workingFolder(), scratch);
    } finally {
        process.chdir(cwd);
        if (pwd === undefined) delete process.env["PWD"];
        else process.env["PWD"] = pwd;
    }
});
