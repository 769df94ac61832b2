import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { diagnose, diagnoses } from "../../provider/alicloud/diagnose";
import { renderErrors, shownCode, shownMessage } from "./errors";

test("docs/errors.md matches the table of errors (node dist/tools/docs/errors.js)", () => {
    assert.equal(readFileSync("docs/errors.md", "utf8"), renderErrors());
});

test("every error on the page is recognised by its code and message", () => {
    for (const { id, codes = [], messages = [] } of diagnoses) {
        for (const known of codes) assert.equal(diagnose({ code: shownCode(known) })?.id, id, shownCode(known));
        for (const pattern of messages)
            assert.equal(diagnose({ message: shownMessage(pattern) })?.id, id, shownMessage(pattern));
    }
});
