import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";
import { WHOLE } from "../../test/support/sample";
import { listCases } from "./case";
import { DOCUMENT, renderDifferences } from "./docs";
import { replay } from "./main";
import { sampleOf } from "./sample";

const CORPUS = path.join(REPOSITORY, "testdata/parity");

/** All cases, or a sample that has every annotation, field, fault and call that any case has. */
const choose = WHOLE ? (files: readonly string[]) => files : sampleOf;

/** Time in milliseconds for all cases on a busy machine. */
const WHOLE_CORPUS = 3_600_000;

test(
    "every recorded case has the recorded result or a known difference",
    async () => {
        const verdicts = await replay({ corpus: CORPUS, choose, jobs: 1 });
        expect(verdicts.length).toBe(choose(listCases(CORPUS).files).length);
        const wrong = verdicts.filter(({ kind }) => kind === "wrong");
        expect(
            wrong.map(({ id, differences }) => ({
                id,
                differences: differences.filter(({ reason }) => reason === undefined),
            })),
        ).toStrictEqual([]);
        expect(verdicts.some(({ kind }) => kind === "equal")).toBeTruthy();
    },
    WHOLE_CORPUS,
);

test("docs/internal/ccm-differences.md matches the known differences (make docs)", () => {
    expect(fs.readFileSync(DOCUMENT, "utf8")).toBe(renderDifferences());
});
