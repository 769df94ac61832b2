import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { FileBackend, type StackName } from "../backend";
import { clearLocks, takeLock } from "../backend/locks";
import { createSecrets } from "../secrets";
import { emptySnapshot } from "../state";
import { parseArguments, UsageError } from "./args";
import { OPERATION_FLAGS, parseOperation, type OperationCommand } from "./operationflags";
import { effectiveConfig, fullKey, splitPathKey, StackSettings } from "./stackconfig";
import { loadProject } from "./project";

let scratch: string;
beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), "engine-cli-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

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
    expect(a.text("stack")).toBe("dev");
    expect(a.on("yes") && a.on("skip-preview")).toBeTruthy();
    expect(a.list("target")).toStrictEqual(["a", "b"]);
    expect(a.number("parallel")).toBe(4);
    expect(a.on("refresh")).toBeTruthy();
    expect(a.has("run-program") && !a.on("run-program")).toBeTruthy();
    expect(a.positional).toStrictEqual(["x", "--y"]);
});

test("what is not known is refused", () => {
    expect(() => parseArguments(["--nonsense"], OPERATION_FLAGS)).toThrow(UsageError);
    expect(() => parseArguments(["-Z"], OPERATION_FLAGS)).toThrow(UsageError);
    expect(() => parseArguments(["--stack"], OPERATION_FLAGS)).toThrow(/needs an argument/);
});

test.each<[OperationCommand, string[], string]>([
    ["preview", ["--yes"], "unknown flag: --yes"],
    ["preview", ["-f"], "unknown shorthand flag: 'f' in -f"],
    ["up", ["--preview-only"], "unknown flag: --preview-only"],
    ["refresh", ["--policy-pack", "pack"], "unknown flag: --policy-pack"],
    ["destroy", ["--replace", "a"], "unknown flag: --replace"],
    [
        "up",
        ["--exclude", "a", "--target", "b"],
        "if any flags in the group [target exclude] are set none of the others can be; [exclude target] were all set",
    ],
    [
        "up",
        ["-p", "many"],
        'invalid argument "many" for "-p, --parallel" flag: strconv.ParseInt: parsing "many": invalid syntax',
    ],
    [
        "up",
        ["--diff=maybe"],
        'invalid argument "maybe" for "--diff" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
])("%s %p is refused", (command, argv, message) => {
    expect(() => parseOperation(command, argv)).toThrow(new UsageError(message));
});

test("commands know their flags, and flags can be switched off", () => {
    const args = parseOperation("destroy", ["--preview-only", "--continue-on-error=F", "-r", "-p", "-1"]);
    expect(args.on("preview-only") && args.on("refresh")).toBe(true);
    expect(args.on("continue-on-error")).toBe(false);
    expect(args.number("parallel")).toBe(-1);
});

test("every list flag keeps its values and their order", () => {
    fc.assert(
        fc.property(fc.array(fc.string({ minLength: 1 })), (values) => {
            expect(
                parseArguments(
                    values.flatMap((v) => ["--target", v]),
                    OPERATION_FLAGS,
                ).list("target"),
            ).toStrictEqual(values);
        }),
    );
});

test("keys without a namespace belong to the project", () => {
    expect(fullKey("a", "proj")).toBe("proj:a");
    expect(fullKey("aws:region", "proj")).toBe("aws:region");
    expect(fullKey("proj:config:a", "proj")).toBe("proj:a");
    expect(splitPathKey("a.b[0]", "proj")).toStrictEqual({ key: "proj:a", path: ["b", 0] });
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
    expect(() => effectiveConfig(project, "dev", new StackSettings(file), crypter)).toThrow(
        /missing configuration value 'colour'/,
    );
    writeFileSync(file, `config:\n  proj:colour: red\n  proj:hidden: {secure: "${crypter.encrypt("psst")}"}\n`);
    const config = effectiveConfig(project, "dev", new StackSettings(file), crypter);
    expect([...config].map(([k, v]) => [k, v.text, v.secret])).toStrictEqual([
        ["proj:colour", "red", false],
        ["proj:hidden", "psst", true],
        ["proj:size", "3", false],
    ]);
});

test("of several stacks none is stored if one of them is locked, and no lock is left", () => {
    const backend = new FileBackend(`file://${join(scratch, "several")}`);
    const [one, other] = ["one", "other"].map((name) => ({ project: "p", name })) as [StackName, StackName];
    const both = [one, other].map((stack) => [stack, emptySnapshot(undefined)] as const);
    const release = backend.lock(other);
    expect(() => backend.saveAll(both)).toThrow(/currently locked/);
    expect(backend.list("p")).toStrictEqual([]);
    release();
    backend.saveAll(both);
    expect(backend.list("p")).toStrictEqual([one, other]);
    for (const stack of [one, other]) backend.lock(stack)();
});

test("a stack has one lock at a time, until it is given back or cleared", () => {
    const folder = join(scratch, "locks");
    const release = takeLock(folder, "file://x");
    expect(() => takeLock(folder, "file://x")).toThrow(/currently locked by 1 lock/);
    release();
    takeLock(folder, "file://x");
    clearLocks(folder);
    expect(readdirSync(folder)).toStrictEqual([]);
    takeLock(folder, "file://x")();
});
