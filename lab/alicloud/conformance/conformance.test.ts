import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../../test/support/repository";
import { knownDifferences } from "./known-differences";
import { runCorpus } from "./run";

const corpus = join(REPOSITORY, "testdata/alicloud-plugin");

test("every recorded case of the real plugin has the same result here", async () => {
    assert.ok(existsSync(corpus), `${corpus} is missing`);
    const wrong: string[] = [];
    const counts = await runCorpus({
        corpus,
        glob: "*",
        jobs: 2,
        command: [process.execPath, join(REPOSITORY, "dist/lab/alicloud/main.js")],
        report: (verdict, example, lines) => {
            if (verdict === "wrong") wrong.push(`${example.id}: ${lines.slice(0, 3).join("; ")}`);
        },
    });
    expect(wrong).toStrictEqual([]);
    assert.equal(counts.different, knownDifferences.size, "a known difference that is none any more");
    assert.equal(counts.equal, 415, "cases that ran");
});
