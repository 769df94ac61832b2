/** Requirements: G39, I56, X15. */
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { diagnose, diagnoses } from "../../provider/cloud/diagnose";
import { renderErrors, shownCode, shownMessage } from "./errors";

test("docs/errors.md matches the table of errors (node dist/tools/docs/errors.js)", () => {
    expect(readFileSync("docs/errors.md", "utf8")).toBe(renderErrors());
});

test("every error on the page is recognized by its code and message", () => {
    for (const { code: id, codes = [], messages = [] } of diagnoses) {
        for (const known of codes)
            expect([known, diagnose({ code: shownCode(known) })?.code]).toStrictEqual([known, id]);
        for (const pattern of messages)
            expect([pattern, diagnose({ message: shownMessage(pattern) })?.code]).toStrictEqual([pattern, id]);
    }
});
