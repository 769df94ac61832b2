import { expect, test } from "@jest/globals";
import { formatIssue, formatIssues, ManifestError, type Issue } from "./issues";

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
    expect(formatIssue(issue)).toBe(
        "svc.yaml:7:5: error[annotation-value]: Service default/web: spec.ports[0].port: must be a port\n    remedy: write one\n    source: A document",
    );
});

test("what is not known is left out", () => {
    const { at, source, ...rest } = issue;
    expect([at?.line, source]).toStrictEqual([7, "A document"]);
    expect(formatIssue({ ...rest, path: "" })).toBe(
        "error[annotation-value]: Service default/web: must be a port\n    remedy: write one",
    );
    expect(formatIssue({ ...rest, at: { line: 1, col: 2 } }).split(" ")[0]).toBe("1:2:");
});

test("the error carries every issue, as data and as text", () => {
    const error = new ManifestError([issue, { ...issue, severity: "warning" }]);
    expect(error.message).toBe(formatIssues(error.issues));
    expect(error.message.match(/annotation-value/g)?.length).toBe(2);
    expect(error.name).toBe("ManifestError");
});
