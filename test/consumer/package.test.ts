import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";
import { packTarball } from "./tarball";

let tarball: string;
/** The unpacked package. */
let root: string;
/** Every file of it, as paths from its root. */
let files: string[];

beforeAll(async () => {
    tarball = await packTarball();
    root = fs.mkdtempSync(path.join(os.tmpdir(), "ack-package-"));
    execFileSync("tar", ["-xzf", tarball, "-C", root, "--strip-components=1"]);
    files = fs
        .readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
        .sort();
});

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

interface PackageJson {
    readonly version: string;
    readonly private?: boolean;
    readonly main: string;
    readonly exports: Readonly<Record<string, string | { types: string; default: string }>>;
    readonly bin: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
}

const read = (name: string) => fs.readFileSync(path.join(root, name), "utf8");
const readPackage = (name = "package.json") => JSON.parse(read(name)) as PackageJson;

/** Runs a tool of the repository on the tarball. */
function lint(tool: string, ...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(path.join(REPOSITORY, "node_modules/.bin", tool), args, {
        encoding: "utf8",
        cwd: root,
    });
    return { status, text: stdout + stderr };
}

test("the tarball has the compiled package, plugin, policy pack, pages and license only", () => {
    // Commands are no modules of a program, so they have no types.
    const compiled = /^dist\/(?:(?:cli|components|policies|provider)\/.+\.js|(?!cli\/).+\.d\.ts)$/;
    const pages = /^docs\/(?:[a-z-]+\.md|images\/[a-z-]+\.webp)$/i;
    const examples = /^examples\/(?:README\.md|[a-z-]+\/.+\.(?:md|ts|js|json|ya?ml|sh))$/;
    expect(files.filter((file) => ![compiled, pages, examples].some((known) => known.test(file)))).toStrictEqual([
        "CHANGELOG.md",
        "LICENSE",
        "NOTICE",
        "Pulumi.yaml",
        "README.md",
        "components/plugin/PulumiPlugin.yaml",
        "components/plugin/package.json",
        "components/plugin/pulumi-resource-ack-loadbalancer",
        "components/plugin/schema.json",
        "docs/report.schema.json",
        "docs/sync-dashboard.json",
        "package.json",
        "policies/PulumiPolicy.yaml",
        "policies/package.json",
    ]);
    const own = files.filter((name) => !examples.test(name));
    expect(own.filter((file) => /\.test\.|testing|fixtures|testdata|coverage/.test(file))).toStrictEqual([]);
    expect(files.filter((file) => /\/demo\.ts$|\/stage\.ts$/.test(file))).toStrictEqual([]);
    for (const file of own.filter((name) => name.endsWith(".js"))) {
        if (!file.startsWith("dist/cli/")) expect(files).toContain(file.replace(/\.js$/, ".d.ts"));
        expect([file, read(file).includes("sourceMappingURL")]).toStrictEqual([file, false]);
    }
});

test("the tarball has less than 900 kB", () => expect(fs.statSync(tarball).size).toBeLessThan(900_000));

test("every loaded module is in the package or a declared dependency", () => {
    const { dependencies, peerDependencies } = readPackage();
    const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
    // The text of dynamic resources names its handler by a variable, so provider/resources/resource.test.ts loads each.
    const loads = /(?<![.\w])(?:require|import)\("([^"$]+)"\)/g;
    // Examples load the package from the project that they are copied into.
    for (const file of files.filter((name) => name.endsWith(".js") && !name.startsWith("examples/"))) {
        const { resolve } = createRequire(path.join(root, file));
        for (const [, name = ""] of read(file).matchAll(loads)) {
            if (/^(?:\.|ack-loadbalancer\/)/.test(name)) {
                expect(() => resolve(name)).not.toThrow();
            } else if (!name.startsWith("node:")) {
                const known = declared.some((dependency) => name === dependency || name.startsWith(`${dependency}/`));
                expect([file, name, known]).toStrictEqual([file, name, true]);
            }
        }
    }
});

test("every export resolves, with types", () => {
    const { exports: entries, main, private: isPrivate } = readPackage();
    expect(isPrivate).toBeUndefined();
    expect(files.includes(main)).toBeTruthy();
    for (const [name, entry] of Object.entries(entries)) {
        const targets = typeof entry === "string" ? [entry] : [entry.types, entry.default];
        expect([name, targets.length]).toStrictEqual([name, name === "./package.json" ? 1 : 2]);
        for (const target of targets) {
            const [before = "", after = ""] = target.slice(2).split("*");
            const exists = files.some((file) =>
                target.includes("*") ? file.startsWith(before) && file.endsWith(after) : file === before,
            );
            expect([name, target, exists]).toStrictEqual([name, target, true]);
        }
    }
});

test("the policy pack has the package's version and finds its program", () => {
    const pack = readPackage("policies/package.json");
    expect(pack.version).toBe(readPackage().version);
    expect(files).toContain(path.posix.join("policies", pack.main));
});

test("the plugin's folder finds its program, and needs no packages but those of its package", () => {
    const { main, dependencies, ...others } = readPackage("components/plugin/package.json");
    expect(files).toContain(path.posix.join("components/plugin", main));
    expect([dependencies, Object.keys(others)]).toStrictEqual([undefined, ["private"]]);
});

test("the stack's Pulumi.yaml finds its program", () => {
    const main = /^main: (.+)$/m.exec(read("Pulumi.yaml"))?.[1] ?? "";
    expect(files).toContain(main);
});

test("every page that a message or another page refers to exists", () => {
    for (const file of files.filter((name) => name.endsWith(".js"))) {
        for (const [page] of read(file).matchAll(/\bdocs\/[\w-]+\.md\b/g)) {
            expect(files).toContain(page);
        }
    }
    const links = /\]\((?!https?:|#)([^)\s#]+)(?:#[\w-]*)?\)/g;
    const there = (target: string) => files.some((name) => name === target || name.startsWith(`${target}/`));
    const missing = files
        .filter((name) => name.endsWith(".md"))
        .flatMap((page) => {
            const targets = [...read(page).matchAll(links)].map(([, link = ""]) => link);
            return targets
                .filter((link) => !there(path.posix.join(path.posix.dirname(page), link).replace(/\/$/, "")))
                .map((link) => `${page} links ${link}`);
        });
    expect(missing).toStrictEqual([]);
});

test("publint finds nothing", () => {
    const { status, text } = lint("publint", "run", tarball, "--strict");
    expect({ status, text }).toStrictEqual({ status: 0, text });
    expect(text).toMatch(/All good!/);
});

test("types resolve in each module resolution of TypeScript", () => {
    const { status, text } = lint("attw", tarball, "--no-color", "--no-emoji", "--format", "ascii");
    expect({ status, text }).toStrictEqual({ status: 0, text });
    expect(text).toMatch(/No problems found/);
});
