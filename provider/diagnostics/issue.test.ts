import assert from "node:assert/strict";
import { test } from "node:test";
import { formatIssue, formatIssues, ManifestError, type Issue } from "./issue";

const issue: Issue = {
    code: "annotation-value",
    severity: "error",
    subject: "Service default/web",
    path: "spec.ports[0].port",
    at: { file: "svc.yaml", line: 7, col: 5 },
    message: "must be a port",
    remedy: "write one",
    source: "A document",
};

test("an issue reads like a compiler message", () => {
    assert.equal(
        formatIssue(issue),
        "svc.yaml:7:5: error[annotation-value]: Service default/web: spec.ports[0].port: must be a port\n    remedy: write one\n    source: A document",
    );
});

test("what is not known is left out", () => {
    const { at, source, ...rest } = issue;
    assert.deepEqual([at?.line, source], [7, "A document"]);
    assert.equal(
        formatIssue({ ...rest, path: "" }),
        "error[annotation-value]: Service default/web: must be a port\n    remedy: write one",
    );
    assert.equal(formatIssue({ ...rest, at: { line: 1, col: 2 } }).split(" ")[0], "1:2:");
});

test("the error carries every issue, as data and as text", () => {
    const error = new ManifestError([issue, { ...issue, severity: "warning" }]);
    assert.equal(error.message, formatIssues(error.issues));
    assert.equal(error.message.match(/annotation-value/g)?.length, 2);
    assert.equal(error.name, "ManifestError");
});
