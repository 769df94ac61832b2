import { expect, test } from "@jest/globals";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../../test/support/repository";
import { knownDifferences } from "./known-differences";
import { runCorpus } from "./run";

const corpus = join(REPOSITORY, "testdata/alicloud-plugin");

test("every recorded case of the real plugin has the same result here", async () => {
    expect(existsSync(corpus)).toBe(true);
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
    // Each known difference still exists.
    expect(counts.different).toBe(knownDifferences.size);
    expect(counts.equal).toBe(415);
});
