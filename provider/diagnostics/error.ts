import type { Diagnostic } from "./diagnostic";
import { formatDiagnostics } from "./format";

/** Thrown once, at the edge, with everything that was collected. Its message is {@link formatDiagnostics}. */
export class DiagnosticsError extends Error {
    constructor(readonly diagnostics: readonly Diagnostic[]) {
        super(formatDiagnostics(diagnostics));
        this.name = "DiagnosticsError";
    }
}
