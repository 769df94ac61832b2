import { expect, test } from "@jest/globals";
import {
    collector,
    type Diagnostic,
    diagnostic,
    DiagnosticsError,
    formatCause,
    formatDiagnostic,
    formatDiagnostics,
    formatLogged,
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
    expect(formatDiagnostic(wrong)).toBe(
        "svc.yaml:7:5: error[annotation-value]: Service default/web: spec.ports[0].port: must be a " +
            "port\n    remedy: write one\n    source: A document",
    );
});

test("a log that prints the severity does not print it twice", () => {
    expect(formatLogged({ ...wrong, severity: "warning" })).toBe(
        "svc.yaml:7:5: [annotation-value] Service default/web: spec.ports[0].port: must be a " +
            "port\n    remedy: write one\n    source: A document",
    );
});

test("what is absent is left out", () => {
    const { source, ...rest } = wrong;
    const { position, ...place } = wrong.place;
    expect([position?.line, source]).toStrictEqual([7, "A document"]);
    expect(formatDiagnostic({ ...rest, place: { ...place, path: [] } })).toBe(
        "error[annotation-value]: Service default/web: must be a port\n    remedy: write one",
    );
    expect(formatDiagnostic({ ...rest, place: { position: { line: 1, col: 2 } } }).split(" ")[0]).toBe("1:2:");
    expect(formatDiagnostic({ code: "no-backends", severity: "info", place: {}, cause: "no pod is ready" })).toBe(
        "info[no-backends]: no pod is ready",
    );
});

test("on one line, cause, remedy and source are sentences", () => {
    expect(formatSentences(wrong)).toBe("must be a port. Remedy: write one. Source: A document.");
    expect(formatSentences({ cause: "no pod is ready" })).toBe("no pod is ready.");
    expect(formatCause(wrong)).toBe("spec.ports[0].port: must be a port");
    expect(formatCause({ place: {}, cause: "must be a port" })).toBe("must be a port");
});

test("the error carries every diagnostic, as data and as text", () => {
    const error = new DiagnosticsError([wrong, { ...wrong, severity: "warning" }]);
    expect(error.message).toBe(formatDiagnostics(error.diagnostics));
    expect(error.message.match(/annotation-value/g)?.length).toBe(2);
    expect(error.name).toBe("DiagnosticsError");
    expect(error.diagnostics.map(isError)).toStrictEqual([true, false]);
});

test("a collector keeps the order, and its code and source unless a diagnostic has others", () => {
    const report = collector("annotation-exclusion", { source: "A document" });
    report.error("ip", "cannot be", "remove it");
    report.warning(["spec", "type"], "has no effect", "remove it", { code: "annotation-effect", source: "Another" });
    report.error({ subject: "cluster facts", path: ["vpcId"] }, "cannot be", "remove it", { part: "key" });
    report.add(wrong);
    expect(report.diagnostics).toStrictEqual([
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
    expect(locate(about("ip"), origin).place).toStrictEqual({ subject, path: key, position: { line: 4, col: 1 } });
    expect(locate(about(["kind"]), origin).place).toStrictEqual({
        subject,
        path: ["kind"],
        position: { line: 2, col: 1 },
    });
    expect(locate(wrong, origin)).toStrictEqual(wrong);
    expect(locate(about("spec"), { subject }).place).toStrictEqual({ subject, path: ["spec"] });
    const typed = diagnostic({ code: "annotation-value", severity: "error", about: "weight", cause: "c", remedy: "r" });
    expect(locate(typed, origin).place).toStrictEqual({ subject, path: ["settings", "weight"] });
});

test("diagnostics are in file order, those without position first, equal ones in their order", () => {
    const at = (line: number, col: number, cause: string): Diagnostic => ({
        ...wrong,
        cause,
        place: line === 0 ? {} : { position: { line, col } },
    });
    const list = [at(7, 2, "e"), at(2, 9, "c"), at(2, 9, "d"), at(0, 0, "a"), at(2, 1, "b")];
    expect(
        inFileOrder(list)
            .map(({ cause }) => cause)
            .join(""),
    ).toBe("abcde");
});
