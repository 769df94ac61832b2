/** Workflows of the repository: what they run is pinned, and what a release uploads is made here, too. */
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";

const WORKFLOWS = fs.readdirSync(".github/workflows").map((name) => `.github/workflows/${name}`);

const read = (file: string): string => fs.readFileSync(file, "utf8");

test("every action is pinned by its digest, with the version in a comment", () => {
    for (const file of WORKFLOWS) {
        const uses = [...read(file).matchAll(/\buses: (.*)/g)].map(([, action = ""]) => action);
        expect(uses.length).toBeGreaterThan(0);
        expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/.test(action))).toStrictEqual([]);
    }
});

test("Dependabot updates npm, every Go module, actions and the image's base", () => {
    const { updates } = parse(read(".github/dependabot.yml")) as {
        readonly updates: readonly { "package-ecosystem": string; directory?: string; directories?: string[] }[];
    };
    const modules = fs.globSync("lab/**/go.mod", { exclude: ["**/node_modules"] }).map((file) => path.dirname(file));
    const looked = (kind: string) =>
        updates.filter((one) => one["package-ecosystem"] === kind).flatMap((one) => one.directories ?? [one.directory]);
    expect(looked("gomod")).toStrictEqual(modules.map((folder) => `/${folder}`).sort());
    for (const kind of ["npm", "github-actions", "docker"]) expect(looked(kind)).toStrictEqual(["/"]);
});

const RELEASE = read(".github/workflows/release.yml");
const MAKEFILE = read("Makefile");

/** Targets of make that a workflow calls. */
const called = (workflow: string): string[] =>
    [...workflow.replaceAll(/^\s*#.*/gm, "").matchAll(/\bmake((?: --?[\w-]+(?:=\d+)?)*(?: [a-z][\w-]*)+)/g)].flatMap(
        ([, words = ""]) => words.split(" ").filter((word) => /^[a-z]/.test(word)),
    );

test("workflows call targets of the Makefile", () => {
    expect(called(RELEASE)).toStrictEqual(["release-check", "release-notes"]);
    for (const target of WORKFLOWS.flatMap((file) => called(read(file))))
        expect(MAKEFILE).toMatch(new RegExp(`^(?:.* )?${target}(?: [^\n]*)?:`, "m"));
});

test("a release uploads what release-check has built, and nothing that is built otherwise", () => {
    expect(MAKEFILE).toMatch(/^OUT \?= release$/m);
    expect(MAKEFILE).toMatch(/^release-check: setup release$/m);
    const uploads = [...RELEASE.matchAll(/(?:subject-path: |npm publish |gh release create \S+ )"?(\S+)/g)];
    expect(uploads.map(([, files = ""]) => files.replace(/^\.\//, "").replace(/["}]+$/, ""))).toStrictEqual([
        "release/*",
        "release/ack-loadbalancer-${GITHUB_REF_NAME#v}.tgz",
        "release/*",
    ]);
    // The image is built from sources. test/consumer/image.test.ts tries the steps of its Dockerfile.
    expect(RELEASE.match(/docker build .*/g)).toStrictEqual(['docker build --tag "$IMAGE:${GITHUB_REF_NAME#v}" .']);
});

test("the notes of the release are one page: the version's section of CHANGELOG.md", () => {
    const { version } = JSON.parse(read("package.json")) as { readonly version: string };
    const notes = execFileSync("make", ["--no-print-directory", "--silent", "release-notes"], { encoding: "utf8" });
    expect(read("CHANGELOG.md")).toContain(`## ${version}\n${notes}`);
    expect(notes).toMatch(/^### /m);
    const words = notes.split(/\s+/).length;
    expect(words).toBeGreaterThan(100);
    expect(words).toBeLessThan(800);
});
