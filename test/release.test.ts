/** Workflows of the repository: what they run is pinned, and what a release uploads is made here, too. */
import { expect, test } from "@jest/globals";
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
