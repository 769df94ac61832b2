import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as ts from "typescript";

/** Every import of every source file, as `from` (path from the root) and `to` (path from the root for a file of this repository, else the package). */
interface Import {
    readonly from: string;
    readonly to: string;
}

const ROOMS = ["provider", "components", "policies", "lab", "examples", "bench", "test"];

function sources(folder: string): string[] {
    if (!fs.existsSync(folder)) {
        return [];
    }
    return fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.includes("testdata") && !name.includes("node_modules"))
        .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")));
}

function importsOf(file: string): Import[] {
    const { importedFiles } = ts.preProcessFile(fs.readFileSync(file, "utf8"), true, true);
    return importedFiles.map(({ fileName }) => ({
        from: file,
        to: fileName.startsWith(".") ? path.posix.join(path.posix.dirname(file), fileName) : fileName,
    }));
}

const imports = ROOMS.flatMap(sources).flatMap(importsOf);
const inRoom = (file: string, ...rooms: string[]) => rooms.some((room) => file === room || file.startsWith(`${room}/`));
const isTest = (file: string) => file.endsWith(".test.ts") || inRoom(file, "test");
const offending = (rule: (entry: Import) => boolean) =>
    imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`);

test("the imports are found", () => {
    assert.ok(imports.length > 100, `${imports.length} imports`);
    expect(imports.some(({ from, to }) => inRoom(from, "provider/resources") && to === "@pulumi/pulumi")).toBeTruthy();
});

test("provider/ imports no Pulumi outside provider/resources, so that every host can use it", () => {
    expect(
        offending(
            ({ from, to }) =>
                inRoom(from, "provider") && !inRoom(from, "provider/resources") && to.startsWith("@pulumi/"),
        ),
    ).toStrictEqual([]);
});

test("the bodies of dynamic providers import no Pulumi either", () => {
    expect(
        offending(({ from, to }) => inRoom(from, "provider/deploy/handlers") && to.startsWith("@pulumi/")),
    ).toStrictEqual([]);
});

test("lab/ and provider/ share no code; examples and tests may use both", () => {
    expect(
        offending(({ from, to }) => inRoom(from, "lab") && inRoom(to, "provider", "components", "policies")),
    ).toStrictEqual([]);
    expect(
        offending(({ from, to }) => inRoom(from, "provider", "components", "policies") && inRoom(to, "lab")),
    ).toStrictEqual([]);
});

test("the parts of the lab share no code with each other; only its entry point imports them all", () => {
    const part = (file: string) => /^lab\/([^/]+)\//.exec(file)?.[1];
    expect(
        offending(({ from, to }) => part(from) !== undefined && inRoom(to, "lab") && !inRoom(to, `lab/${part(from)}`)),
    ).toStrictEqual([]);
});

test("policies depend on the pure folders of provider/ only, so that a pack loads no SDK", () => {
    const allowed = [
        "provider/annotations",
        "provider/builder",
        "provider/diagnostics",
        "provider/kubernetes/manifests",
        "provider/kubernetes/service",
        "provider/schema",
        "provider/model",
        "provider/plan",
        "policies",
        "@pulumi/policy",
        "zod",
    ];
    expect(
        offending(
            ({ from, to }) =>
                inRoom(from, "policies") && !isTest(from) && !inRoom(to, ...allowed) && !to.startsWith("node:"),
        ),
    ).toStrictEqual([]);
});

test("nothing that ships imports a fixture", () => {
    expect(
        offending(
            ({ from, to }) =>
                inRoom(from, "provider", "components", "policies") &&
                !isTest(from) &&
                !inRoom(from, "policies/fixtures") &&
                to.startsWith("policies/fixtures"),
        ),
    ).toStrictEqual([]);
});

/** Rooms of provider/ from the pure middle outwards; a room may use those before it. */
const ORDER = [
    "schema",
    "diagnostics",
    "net",
    "annotations",
    "model",
    "kubernetes",
    "builder",
    "backend",
    "plan",
    "alicloud",
    "observe",
    "deploy",
    "resources",
];

test("inside provider/ imports point one way: from reading over building and planning to deploying", () => {
    // provider/index.ts is the public entry, which may use every room.
    const room = (file: string) =>
        inRoom(file, "provider") && file !== "provider/index.ts" ? file.split("/")[1] : undefined;
    const wrong = offending(({ from, to }) => {
        const [a, b] = [room(from), room(to)];
        if (isTest(from) || a === undefined || b === undefined || a === b) {
            return false;
        }
        return ORDER.indexOf(b) > ORDER.indexOf(a) || ORDER.indexOf(b) < 0;
    });
    expect(wrong).toStrictEqual([]);
});
