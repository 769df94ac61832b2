import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { knownDifferences } from "./known-differences";
import { runCorpus } from "./run";

const root = resolve(__dirname, "../../../..");
const corpus = join(root, "testdata/alicloud-plugin");

test("every recorded case of the real plugin is equal here", { timeout: 600_000 }, async () => {
    assert.ok(existsSync(corpus), `${corpus} is missing`);
    const wrong: string[] = [];
    const counts = await runCorpus({
        corpus,
        glob: "*",
        jobs: 2,
        command: [process.execPath, join(root, "dist/lab/alicloud/main.js")],
        report: (verdict, example, lines) => {
            if (verdict === "wrong") wrong.push(`${example.id}: ${lines.slice(0, 3).join("; ")}`);
        },
    });
    assert.deepEqual(wrong, []);
    assert.equal(counts.different, knownDifferences.size, "a known difference that is none any more");
    assert.ok(counts.equal > 500, `only ${counts.equal} cases ran`);
});
