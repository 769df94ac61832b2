import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { circles, folderGraph, folderOf, renderMermaid, withoutImplied } from "../dependencies/graph";
import { isDrawn, readModules, renderArchitecture } from "./architecture";

const GRAPH = new Map([
    ["a", ["b", "c"]],
    ["b", ["c"]],
    ["c", []],
]);

test("imports follow the directions in .dependency-cruiser.cjs", () => {
    const report = execFileSync(
        process.execPath,
        [
            "node_modules/.bin/depcruise",
            "--config",
            ".dependency-cruiser.cjs",
            "provider",
            "components",
            "policies",
            "cli",
            "lab",
            "tools",
            "bench",
            "test",
            "examples",
        ],
        { encoding: "utf8" },
    );
    expect(report).toMatch(/no dependency violations found \(\d{3,} modules/);
});

test("folders of the product use each other in one direction only", () => {
    const graph = folderGraph(readModules(), isDrawn);
    expect(graph.size).toBeGreaterThan(15);
    expect(circles(graph)).toStrictEqual([]);
});

test("docs/internal/architecture.md matches the sources (node dist/tools/docs/architecture.js)", () => {
    const page = readFileSync("docs/internal/architecture.md", "utf8");
    expect(page).toBe(renderArchitecture(page));
});

test("a file is shown in its folder; lab, tools and bench are one folder each", () => {
    expect(["provider/plan/reuse/index.ts", "components/cluster.ts", "lab/nodejs/main.ts"].map(folderOf)).toStrictEqual(
        ["provider/plan", "components", "lab"],
    );
});

test("an arrow that follows from others is omitted", () => {
    expect([...withoutImplied(GRAPH)]).toStrictEqual([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", []],
    ]);
    expect(renderMermaid(withoutImplied(GRAPH))).toMatch(/a --> b\n {4}b --> c\n$/);
});

test("a cycle is found, also across three folders", () => {
    expect(circles(new Map([...GRAPH, ["c", ["a"]]]))).toStrictEqual([["a", "b", "c"]]);
    expect(circles(GRAPH)).toStrictEqual([]);
});
