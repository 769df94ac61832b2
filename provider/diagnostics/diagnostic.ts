/** Diagnostics: problems and information as data. Bad input never throws: all its diagnostics are collected. */

import type { SettingName } from "../schema/settings";
import type { AnnotationCode, BackendCode, InputCode, PlanCode, PolicyCode, ReuseCode, ServiceCode } from "./code";
import type { EntryPart, FieldPath } from "./path";

export type DiagnosticCode = InputCode | ServiceCode | AnnotationCode | ReuseCode | PlanCode | BackendCode | PolicyCode;

/** An `error` stops the work; a `warning` is advice and stops nothing; an `info` asks for nothing. */
export type Severity = "error" | "warning" | "info";

/** A position in a text file. Lines and columns count from 1; `file` is absent for text without a name. */
export interface Position {
    readonly file?: string;
    readonly line: number;
    readonly col: number;
}

/** Place of a diagnostic. {@link locate} completes it. */
export interface DiagnosticPlace {
    /** The object, for example `Service default/web`. */
    readonly subject?: string;
    /** The field of the object. Absent or empty: the whole object. */
    readonly path?: FieldPath;
    /** Default: the value. */
    readonly part?: EntryPart;
    /** Absent for objects that were not read from text. */
    readonly position?: Position;
}

interface Common<Code extends DiagnosticCode> {
    readonly code: Code;
    readonly setting?: SettingName;
    readonly place: DiagnosticPlace;
    readonly cause: string;
    readonly source?: string;
}

export interface Problem<Code extends DiagnosticCode = DiagnosticCode> extends Common<Code> {
    readonly severity: "error" | "warning";
    readonly remedy: string;
}

export interface Information<Code extends DiagnosticCode = DiagnosticCode> extends Common<Code> {
    readonly severity: "info";
    readonly remedy?: string;
}

export type Diagnostic<Code extends DiagnosticCode = DiagnosticCode> = Problem<Code> | Information<Code>;

/** True for diagnostics that stop the work. */
export const isError = ({ severity }: Pick<Diagnostic, "severity">): boolean => severity === "error";
