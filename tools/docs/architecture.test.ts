import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { circles, folderGraph, folderOf, renderMermaid, withoutImplied } from "../dependencies/graph";
import { filesOf, LAYERS, NOUNS } from "../dependencies/nouns";
import { isDrawn, readModules, renderArchitecture, sourceFiles } from "./architecture";

const GRAPH = new Map([
    ["a", ["b", "c"]],
    ["b", ["c"]],
    ["c", []],
]);

test("imports keep to the direction of .dependency-cruiser.cjs", () => {
    const report = execFileSync(
        process.execPath,
        [
            "node_modules/.bin/depcruise",
            "--config",
            ".dependency-cruiser.cjs",
            "provider",
            "components",
            "policies",
            "lab",
            "tools",
            "bench",
            "test",
            "examples",
        ],
        { encoding: "utf8" },
    );
    assert.match(report, /no dependency violations found \(\d{3,} modules/);
});

test("folders of the product use each other in one direction only", () => {
    const graph = folderGraph(readModules(), isDrawn);
    assert.ok(graph.size > 15, `${graph.size} folders`);
    assert.deepEqual(circles(graph), []);
});

test("docs/architecture.md matches the sources (node dist/tools/docs/architecture.js)", () => {
    const page = readFileSync("docs/architecture.md", "utf8");
    assert.equal(page, renderArchitecture(page));
});

test("ten nouns are found by name, each in at least three layers", () => {
    assert.equal(Object.keys(NOUNS).length, 10);
    for (const noun of Object.keys(NOUNS)) {
        const layers = LAYERS.filter((layer) => filesOf(noun, layer, sourceFiles()).length > 0);
        assert.ok(layers.length >= 3, `${noun}: ${layers.join(", ")}`);
    }
});

test("a file is drawn in its folder; lab, tools and bench are one folder each", () => {
    assert.deepEqual(["provider/plan/reuse/index.ts", "components/cluster.ts", "lab/engine/main.ts"].map(folderOf), [
        "provider/plan",
        "components",
        "lab",
    ]);
});

test("an arrow that follows from others is not drawn", () => {
    assert.deepEqual(
        [...withoutImplied(GRAPH)],
        [
            ["a", ["b"]],
            ["b", ["c"]],
            ["c", []],
        ],
    );
    assert.match(renderMermaid(withoutImplied(GRAPH)), /a --> b\n {4}b --> c\n$/);
});

test("a circle is found, also by way of a third folder", () => {
    assert.deepEqual(circles(new Map([...GRAPH, ["c", ["a"]]])), [["a", "b", "c"]]);
    assert.deepEqual(circles(GRAPH), []);
});
