import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import { builtinModules } from "node:module";
import * as path from "node:path";
import * as ts from "typescript";
import { REPOSITORY } from "../../lab/repository";

interface PackageJson {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => JSON.parse(fs.readFileSync(path.join(REPOSITORY, file), "utf8")) as PackageJson;
const root = read("package.json");
const lab = read("lab/package.json");

/** Packages that the TypeScript files of a folder import, each with one of the files. */
function imported(folder: string, wanted: (file: string) => boolean): Map<string, string> {
    const found = new Map<string, string>();
    for (const file of fs.readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: "utf8" })) {
        if (!file.endsWith(".ts") || file.includes("testdata") || !wanted(file)) continue;
        const text = fs.readFileSync(path.join(REPOSITORY, folder, file), "utf8");
        for (const { fileName } of ts.preProcessFile(text).importedFiles) {
            const name = /^(?:@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? fileName;
            if (!fileName.startsWith(".") && !fileName.startsWith("node:") && !builtinModules.includes(name)) {
                found.set(name, `${folder}/${file}`);
            }
        }
    }
    return found;
}

const isTest = (file: string) => /\.test\.ts$|(?:^|\/)testing(?:\.ts$|\/)/.test(file);
const undeclared = (packages: ReadonlyMap<string, string>, ...declared: readonly (object | undefined)[]) =>
    [...packages].filter(([name]) => !declared.some((names) => names !== undefined && name in names));

test("the package imports exactly its declared dependencies and peers", () => {
    for (const folder of ["cli", "components", "policies", "provider"]) {
        const packages = imported(folder, (file) => !isTest(file));
        expect(undeclared(packages, root.dependencies, root.peerDependencies)).toStrictEqual([]);
    }
});

test("the lab imports exactly what its package.json declares", () => {
    const programs = imported("lab", (file) => !isTest(file));
    expect(undeclared(programs, lab.dependencies)).toStrictEqual([]);
    expect(undeclared(imported("lab", isTest), lab.dependencies, lab.devDependencies)).toStrictEqual([]);
    expect(Object.keys(lab.dependencies ?? {}).filter((name) => !programs.has(name))).toStrictEqual([]);
});

test("tests, tools, benchmarks and examples import what the repository declares", () => {
    const self = { "ack-loadbalancer": "" };
    for (const folder of ["bench", "examples", "test", "tools"]) {
        const packages = imported(folder, () => true);
        expect(undeclared(packages, root.dependencies, root.devDependencies, self)).toStrictEqual([]);
    }
});

test("dependencies of both lab and repository have one version and are installed once", () => {
    const exact = /^\d+\.\d+\.\d+$/;
    for (const [name, version] of Object.entries({ ...lab.dependencies, ...lab.devDependencies })) {
        expect(version).toMatch(exact);
        const own = root.devDependencies?.[name] ?? root.dependencies?.[name]?.replace("^", "");
        if (own !== undefined) expect([name, own]).toStrictEqual([name, version]);
    }
});
