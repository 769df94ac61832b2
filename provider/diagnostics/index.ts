/** Diagnostics: what they are, how they are collected, located and formatted. */
export type { AnnotationCode, BackendCode, InputCode, PlanCode, PolicyCode, ReuseCode, ServiceCode } from "./code";
export { type About, type Collector, collector, type Details, diagnostic, type Parts } from "./collector";
export {
    type Diagnostic,
    type DiagnosticCode,
    type Information,
    isError,
    type DiagnosticPlace,
    type Position,
    type Problem,
    type Severity,
} from "./diagnostic";
export { alignColumns, printable, printableJson } from "./printable";
export {
    DiagnosticsError,
    formatCause,
    formatDiagnostic,
    formatDiagnostics,
    formatPosition,
    formatSentences,
} from "./format";
export { inFileOrder, locate, type Origin, TYPED_SETTINGS } from "./locate";
export { type EntryPart, type FieldPath, formatPath, isMapping, valueAt } from "./path";
