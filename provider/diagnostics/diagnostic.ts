/**
 * One thing that is wrong or worth knowing, as data: which rule, where, why, and what to do about it.
 * Reading bad input never throws; it collects diagnostics, so that all of them can be shown at once.
 */

import type { SettingName } from "../schema/settings";
import type { CloudErrorCode } from "./cloud-code";
import type { AnnotationCode, BackendCode, InputCode, PlanCode, PolicyCode, ReuseCode, ServiceCode } from "./code";
import type { EntryPart, FieldPath } from "./path";

/** Every rule that a diagnostic can belong to. */
export type DiagnosticCode =
    InputCode | ServiceCode | AnnotationCode | ReuseCode | PlanCode | BackendCode | PolicyCode | CloudErrorCode;

/** An `error` stops the work; a `warning` is advice and stops nothing; an `info` asks for nothing. */
export type Severity = "error" | "warning" | "info";

/** A position in a text file. Lines and columns count from 1; `file` is absent for text without a name. */
export interface Position {
    readonly file?: string;
    readonly line: number;
    readonly col: number;
}

/** Where a diagnostic belongs. A rule fills in what it knows; {@link locate} completes it. */
export interface DiagnosticPlace {
    /** The object, for example `Service default/web`. */
    readonly subject?: string;
    /** The field of the object. Absent or empty: the whole object. */
    readonly path?: FieldPath;
    /** Whether the key or the value of the entry is meant. Default: the value. */
    readonly part?: EntryPart;
    /** Where the field is in a file; absent for objects that did not come from text. */
    readonly position?: Position;
}

interface Common<Code extends DiagnosticCode> {
    readonly code: Code;
    /** The setting in question, wherever it was set. */
    readonly setting?: SettingName;
    readonly place: DiagnosticPlace;
    /** What is wrong and why. */
    readonly cause: string;
    /** The document and section that the rule follows. */
    readonly source?: string;
}

/** What is wrong; it always says what to do. */
export interface Problem<Code extends DiagnosticCode = DiagnosticCode> extends Common<Code> {
    readonly severity: "error" | "warning";
    readonly remedy: string;
}

/** What is worth knowing; there may be nothing to do. */
export interface Information<Code extends DiagnosticCode = DiagnosticCode> extends Common<Code> {
    readonly severity: "info";
    readonly remedy?: string;
}

/** One thing that is wrong or worth knowing. */
export type Diagnostic<Code extends DiagnosticCode = DiagnosticCode> = Problem<Code> | Information<Code>;

/** True for diagnostics that stop the work. */
export const isError = ({ severity }: Pick<Diagnostic, "severity">): boolean => severity === "error";
