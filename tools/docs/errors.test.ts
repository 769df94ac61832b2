import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { diagnose, diagnoses } from "../../provider/alicloud/diagnose";
import { renderErrors, shownCode, shownMessage } from "./errors";

test("docs/errors.md is what the tables say (node dist/tools/docs/errors.js)", () => {
    assert.equal(readFileSync("docs/errors.md", "utf8"), renderErrors());
});

test("what the page shows of an error is found as that error", () => {
    for (const { code: id, codes = [], messages = [] } of diagnoses) {
        for (const known of codes) assert.equal(diagnose({ code: shownCode(known) })?.code, id, shownCode(known));
        for (const pattern of messages)
            assert.equal(diagnose({ message: shownMessage(pattern) })?.code, id, shownMessage(pattern));
    }
});
