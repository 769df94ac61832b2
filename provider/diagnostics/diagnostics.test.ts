import assert from "node:assert/strict";
import { test } from "node:test";
import {
    collector,
    type Diagnostic,
    diagnostic,
    DiagnosticsError,
    formatCause,
    formatDiagnostic,
    formatDiagnostics,
    formatSentences,
    inFileOrder,
    isError,
    locate,
} from ".";

const wrong: Diagnostic = {
    code: "annotation-value",
    severity: "error",
    place: {
        subject: "Service default/web",
        path: ["spec", "ports", 0, "port"],
        position: { file: "svc.yaml", line: 7, col: 5 },
    },
    cause: "must be a port",
    remedy: "write one",
    source: "A document",
};

test("a diagnostic reads like a compiler message", () => {
    assert.equal(
        formatDiagnostic(wrong),
        "svc.yaml:7:5: error[annotation-value]: Service default/web: spec.ports[0].port: must be a port\n    remedy: write one\n    source: A document",
    );
});

test("what is absent is left out", () => {
    const { source, ...rest } = wrong;
    const { position, ...place } = wrong.place;
    assert.deepEqual([position?.line, source], [7, "A document"]);
    assert.equal(
        formatDiagnostic({ ...rest, place: { ...place, path: [] } }),
        "error[annotation-value]: Service default/web: must be a port\n    remedy: write one",
    );
    assert.equal(formatDiagnostic({ ...rest, place: { position: { line: 1, col: 2 } } }).split(" ")[0], "1:2:");
    assert.equal(
        formatDiagnostic({ code: "no-backends", severity: "info", place: {}, cause: "no pod is ready" }),
        "info[no-backends]: no pod is ready",
    );
});

test("on one line, cause, remedy and source are sentences", () => {
    assert.equal(formatSentences(wrong), "must be a port. Remedy: write one. Source: A document.");
    assert.equal(formatSentences({ cause: "no pod is ready" }), "no pod is ready.");
    assert.equal(formatCause(wrong), "spec.ports[0].port: must be a port");
    assert.equal(formatCause({ place: {}, cause: "must be a port" }), "must be a port");
});

test("the error carries every diagnostic, as data and as text", () => {
    const error = new DiagnosticsError([wrong, { ...wrong, severity: "warning" }]);
    assert.equal(error.message, formatDiagnostics(error.diagnostics));
    assert.equal(error.message.match(/annotation-value/g)?.length, 2);
    assert.equal(error.name, "DiagnosticsError");
    assert.deepEqual(error.diagnostics.map(isError), [true, false]);
});

test("a collector keeps the order, and its code and source unless a diagnostic has others", () => {
    const report = collector("annotation-exclusion", { source: "A document" });
    report.error("ip", "cannot be", "remove it");
    report.warning(["spec", "type"], "has no effect", "remove it", { code: "annotation-effect", source: "Another" });
    report.error({ subject: "cluster facts", path: ["vpcId"] }, "cannot be", "remove it", { part: "key" });
    report.add(wrong);
    assert.deepEqual(report.diagnostics, [
        {
            code: "annotation-exclusion",
            severity: "error",
            setting: "ip",
            place: {},
            cause: "cannot be",
            remedy: "remove it",
            source: "A document",
        },
        {
            code: "annotation-effect",
            severity: "warning",
            place: { path: ["spec", "type"] },
            cause: "has no effect",
            remedy: "remove it",
            source: "Another",
        },
        {
            code: "annotation-exclusion",
            severity: "error",
            place: { subject: "cluster facts", path: ["vpcId"], part: "key" },
            cause: "cannot be",
            remedy: "remove it",
            source: "A document",
        },
        wrong,
    ]);
});

const about = (where: "ip" | "spec" | readonly string[]): Diagnostic =>
    diagnostic({ code: "annotation-value", severity: "error", about: where, cause: "c", remedy: "r" });

test("a place is completed with subject, the path of the setting and the position", () => {
    const key = ["metadata", "annotations", "the-ip"];
    const origin = {
        subject: "Service default/web",
        settings: new Map([
            ["ip", key],
            ["weight", ["settings", "weight"]],
        ] as const),
        locate: (path: readonly (string | number)[]) => ({ line: path.length + 1, col: 1 }),
    };
    const { subject } = origin;
    assert.deepEqual(locate(about("ip"), origin).place, { subject, path: key, position: { line: 4, col: 1 } });
    assert.deepEqual(locate(about(["kind"]), origin).place, { subject, path: ["kind"], position: { line: 2, col: 1 } });
    assert.deepEqual(locate(wrong, origin), wrong, "what is known already stays");
    assert.deepEqual(
        locate(about("spec"), { subject }).place,
        { subject, path: ["spec"] },
        "a setting that is not set",
    );
    const typed = diagnostic({ code: "annotation-value", severity: "error", about: "weight", cause: "c", remedy: "r" });
    assert.deepEqual(
        locate(typed, origin).place,
        { subject, path: ["settings", "weight"] },
        "settings in code have no position",
    );
});

test("in the order of the file, those without position come first and equal ones keep their order", () => {
    const at = (line: number, col: number, cause: string): Diagnostic => ({
        ...wrong,
        cause,
        place: line === 0 ? {} : { position: { line, col } },
    });
    const list = [at(7, 2, "e"), at(2, 9, "c"), at(2, 9, "d"), at(0, 0, "a"), at(2, 1, "b")];
    assert.equal(
        inFileOrder(list)
            .map(({ cause }) => cause)
            .join(""),
        "abcde",
    );
});
