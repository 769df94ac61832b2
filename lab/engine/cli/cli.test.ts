import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { clearLocks, takeLock } from "../backend/locks";
import { createSecrets } from "../secrets";
import { OPERATION_FLAGS, parseArguments, UsageError } from "./args";
import { effectiveConfig, fullKey, splitPathKey, StackSettings } from "./stackconfig";
import { loadProject } from "./project";

let scratch: string;
before(() => (scratch = mkdtempSync(join(tmpdir(), "engine-cli-"))));
after(() => rmSync(scratch, { recursive: true, force: true }));

test("flags are read in all their forms", () => {
    const a = parseArguments(
        [
            "-s",
            "dev",
            "-yf",
            "--target=a",
            "--target",
            "b",
            "-p4",
            "--refresh",
            "x",
            "--run-program=false",
            "--",
            "--y",
        ],
        OPERATION_FLAGS,
    );
    assert.equal(a.text("stack"), "dev");
    assert.ok(a.on("yes") && a.on("skip-preview"));
    assert.deepEqual(a.list("target"), ["a", "b"]);
    assert.equal(a.number("parallel"), 4);
    assert.ok(a.on("refresh"));
    assert.ok(a.has("run-program") && !a.on("run-program"));
    assert.deepEqual(a.positional, ["x", "--y"]);
});

test("what is not known is refused", () => {
    assert.throws(() => parseArguments(["--nonsense"], OPERATION_FLAGS), UsageError);
    assert.throws(() => parseArguments(["-Z"], OPERATION_FLAGS), UsageError);
    assert.throws(() => parseArguments(["--stack"], OPERATION_FLAGS), /needs an argument/);
});

test("every list flag keeps its values and their order", () => {
    fc.assert(
        fc.property(fc.array(fc.string({ minLength: 1 })), (values) => {
            assert.deepEqual(
                parseArguments(
                    values.flatMap((v) => ["--target", v]),
                    OPERATION_FLAGS,
                ).list("target"),
                values,
            );
        }),
    );
});

test("keys without a namespace belong to the project", () => {
    assert.equal(fullKey("a", "proj"), "proj:a");
    assert.equal(fullKey("aws:region", "proj"), "aws:region");
    assert.equal(fullKey("proj:config:a", "proj"), "proj:a");
    assert.deepEqual(splitPathKey("a.b[0]", "proj"), { key: "proj:a", path: ["b", 0] });
});

test("configuration is the stack's values, then the project's; what is missing is named", async () => {
    const folder = join(scratch, "proj");
    mkdirSync(folder);
    writeFileSync(
        join(folder, "Pulumi.yaml"),
        "name: proj\nruntime: nodejs\nconfig:\n  size: {type: integer, default: 3}\n  colour: {type: string}\n",
    );
    const project = loadProject(folder);
    const { crypter } = await createSecrets("pw");
    const file = join(folder, "Pulumi.dev.yaml");
    assert.throws(
        () => effectiveConfig(project, "dev", new StackSettings(file), crypter),
        /missing configuration value 'colour'/,
    );
    writeFileSync(file, `config:\n  proj:colour: red\n  proj:hidden: {secure: "${crypter.encrypt("psst")}"}\n`);
    const config = effectiveConfig(project, "dev", new StackSettings(file), crypter);
    assert.deepEqual(
        [...config].map(([k, v]) => [k, v.text, v.secret]),
        [
            ["proj:colour", "red", false],
            ["proj:hidden", "psst", true],
            ["proj:size", "3", false],
        ],
    );
});

test("a stack has one lock at a time, until it is given back or cleared", () => {
    const folder = join(scratch, "locks");
    const release = takeLock(folder, "file://x");
    assert.throws(() => takeLock(folder, "file://x"), /currently locked by 1 lock/);
    release();
    takeLock(folder, "file://x");
    clearLocks(folder);
    assert.deepEqual(readdirSync(folder), []);
    takeLock(folder, "file://x")();
});
