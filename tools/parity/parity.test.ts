import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { REPOSITORY } from "../../lab/environment";
import { listCases } from "./case";
import { DOCUMENT, renderDifferences } from "./docs";
import { replay } from "./main";

const CORPUS = path.join(REPOSITORY, "testdata/parity");

test("every recorded case is equal to the recording, or differs for a known reason", async () => {
    const verdicts = await replay({ corpus: CORPUS, pattern: /^/, jobs: 2 });
    assert.equal(verdicts.length, listCases(CORPUS).files.length);
    const wrong = verdicts.filter(({ kind }) => kind === "wrong");
    assert.deepEqual(
        wrong.map(({ id, differences }) => ({
            id,
            differences: differences.filter(({ reason }) => reason === undefined),
        })),
        [],
    );
    assert.ok(verdicts.some(({ kind }) => kind === "equal"));
});

test("docs/ccm-differences.md matches the known differences (make docs)", () => {
    assert.equal(fs.readFileSync(DOCUMENT, "utf8"), renderDifferences());
});
