import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { REPOSITORY } from "../../../test/support/repository";
import { WHOLE } from "../../../test/support/sample";
import { canonical, differences } from "../canonical";
import { FAULTS } from "./faults";
import { insertTable, renderTable } from "./table";

const state = (id: string, address: string, more: readonly object[] = []) => ({
    slb: {
        loadBalancers: [{ id, name: "web", address, createdAt: id }, ...more],
        listeners: [{ loadBalancerId: id, port: 80 }],
    },
});

test("clouds are equal regardless of ids, addresses, times and order", () => {
    const [one, other] = [canonical(state("lb-1", "1.2.3.4")), canonical(state("lb-2", "4.3.2.1"))];
    expect(differences(one, other)).toStrictEqual([]);
});

test("a surplus object and a missing object are differences", () => {
    const twice = canonical(state("lb-1", "1.2.3.4", [{ id: "lb-2", name: "web", address: "4.3.2.1" }]));
    const once = canonical(state("lb-3", "1.1.1.1"));
    expect(differences(twice, once).some((text) => text.startsWith("too much in slb loadBalancers"))).toBe(true);
    expect(differences(once, twice).some((text) => text.startsWith("missing in slb loadBalancers"))).toBe(true);
});

test("the table counts outcomes and names the share of points", () => {
    const point = (fault: "killed before" | "answer lost", refreshed: boolean, wrong: readonly string[]) => ({
        scenario: "CLB: creation",
        at: 0,
        call: { product: "Slb", action: "CreateLoadBalancer" },
        fault,
        refreshed,
        wrong,
    });
    const points = [
        point("killed before", false, []),
        point("killed before", false, ["x"]),
        point("answer lost", true, []),
    ];
    const table = renderTable(points, { every: 3, offset: 1 });
    expect(table).toContain("Every 3rd point was taken, from number 1 on.");
    expect(table).toContain("| killed before | 2 | 1 | 0 | 1 |");
    expect(table).toContain("| answer lost | 1 | 0 | 1 | 0 |");
    expect(table).toContain("| CLB: creation | 3 | 1 | 1 | 1 |");
});

test("the table replaces the section of its marks in a document", () => {
    const table = "| table |\n";
    const document = "a\n<!-- crash table -->\nold\n<!-- /crash table -->\nb\n";
    expect(insertTable(document, table, "crash table")).toContain("b\n");
    expect(insertTable(document, table, "crash table")).toContain(table);
    expect(insertTable(document, table, "crash table")).not.toContain("old");
    expect(() => insertTable(document, table, "engine kills")).toThrow(/has no/);
});

/**
 * Each fault, in runs of each kind of load balancer, and a Service that is removed after it. End-to-end tests kill
 * processes of the engine.
 */
const SAMPLE: readonly (readonly string[])[] = [
    [
        ...["CLB: creation with source", "reused CLB: tags", "NLB: a port comes"].flatMap((run) => ["--only", run]),
        ...["--every", "15", "--outage", "2"],
    ],
    ["--only", "LB: creation with source", "--remove", "--faults", "killed after", "--every", "11"],
];

/** A share of the table with different calls of different runs. `make crash-table` runs all. */
const SHARES: readonly (readonly string[])[] = [
    ["--only", "CLB: creation with", "--every", "20"],
    ["--only", "reused CLB: tags", "--every", "1", "--outage", "2"],
    ["--only", "NLB: a port comes", "--every", "20"],
    ["--only", "NLB: creation with further", "--faults", "job failed", "--every", "1"],
    ["--only", "NLB: source ranges come", "--processes", "--every", "5"],
    ["--only", "CLB: creation with source", "--remove", "--faults", "killed after", "--every", "17"],
    ["--only", "NLB: creation with source", "--remove", "--faults", "killed after", "--every", "2"],
];

let said = "";

for (const share of WHOLE ? SHARES : SAMPLE)
    test(`an interrupted run is completed, or removed: ${share.join(" ")}`, () => {
        const main = path.join(REPOSITORY, "dist/tools/trials/main.js");
        const { stdout, stderr, status } = spawnSync(process.execPath, [main, "crash", ...share], { encoding: "utf8" });
        expect({ status, stdout, stderr }).toStrictEqual({ status: 0, stdout, stderr });
        expect(stdout).toMatch(/\| all \| [1-9]\d* \| /);
        said += stdout;
    });

test("each kind of fault was among them", () => {
    expect(FAULTS.filter((fault) => !said.includes(`| ${fault} |`))).toStrictEqual([]);
});
