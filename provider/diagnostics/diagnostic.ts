/** Diagnostics: problems and information as data. Bad input never throws: all its diagnostics are collected. */
import type { SettingName } from "../schema/settings";
import type { AnnotationCode, BackendCode, InputCode, PlanCode, PolicyCode, ReuseCode, ServiceCode } from "./code";
import { defined } from "../schema/defined";

export type DiagnosticCode = InputCode | ServiceCode | AnnotationCode | ReuseCode | PlanCode | BackendCode | PolicyCode;

/** An `error` stops the work, a `warning` is advice and stops nothing, an `info` asks for nothing. */
export type Severity = "error" | "warning" | "info";

/** A position in a text file. Lines and columns count from 1, and `file` is absent for text without a name. */
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

/** Keys and list indexes from the root of an object down to a field. */
export type FieldPath = readonly (string | number)[];

/** Half of a mapping entry that a position refers to. */
export type EntryPart = "key" | "value";

/** `["metadata", "annotations", "a/b", 0]` as `metadata.annotations["a/b"][0]`. */
export function formatPath(path: FieldPath): string {
    let text = "";
    for (const part of path) {
        if (typeof part === "number") text += `[${part}]`;
        else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(part)) text += text === "" ? part : `.${part}`;
        else text += `[${JSON.stringify(part)}]`;
    }
    return text;
}

/** Returns the value at a path of a plain JSON object, or `undefined` if there is none. Skips inherited properties. */
export function valueAt(object: unknown, path: FieldPath): unknown {
    let value = object;
    for (const part of path) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
        value = (value as Record<string | number, unknown>)[part];
    }
    return value;
}

/** First part of the path of a typed setting: `settings.bandwidth`. */
export const TYPED_SETTINGS = "settings";

export interface Origin {
    /** For example `Service default/web`. */
    readonly subject: string;
    /** The path of every setting that was set, as an annotation or in code. */
    readonly settings?: ReadonlyMap<SettingName, FieldPath>;
    /** The position of a field or of its intended parent, or `undefined` for objects that did not come from text. */
    readonly locate?: (path: FieldPath, part?: EntryPart) => Position | undefined;
}

/** Completes a diagnostic with its subject, the path of its setting, and its position. */
export function locate(diagnostic: Diagnostic, origin: Origin): Diagnostic {
    const { setting, place } = diagnostic;
    const found = setting === undefined ? undefined : origin.settings?.get(setting);
    const path = place.path ?? found ?? (setting === undefined ? [] : [setting]);
    const position = place.position ?? (path[0] === TYPED_SETTINGS ? undefined : origin.locate?.(path, place.part));
    return {
        ...diagnostic,
        place: { subject: origin.subject, ...place, path, ...defined({ position }) },
    };
}

/** Sorts diagnostics by position. Those without a position come first. */
export function inFileOrder(list: readonly Diagnostic[]): Diagnostic[] {
    const at = ({ place }: Diagnostic): Pick<Position, "line" | "col"> => place.position ?? { line: 0, col: 0 };
    return list.toSorted((a, b) => at(a).line - at(b).line || at(a).col - at(b).col);
}

/** Subject of a diagnostic: a setting, a field of the object, or a place. */
export type About = SettingName | FieldPath | DiagnosticPlace;

interface Parts<Code extends DiagnosticCode> extends Pick<Problem<Code>, "code" | "cause" | "remedy"> {
    readonly severity: Severity;
    readonly about: About;
    /** Default: the value. */
    readonly part?: EntryPart | undefined;
    readonly source?: string | undefined;
}

export function diagnostic<Code extends DiagnosticCode>(parts: Parts<Code>): Diagnostic<Code> {
    const { code, severity, about, part, cause, remedy, source } = parts;
    return {
        code,
        severity,
        ...(typeof about === "string" ? { setting: about } : {}),
        place: { ...placeOf(about), ...defined({ part }) },
        cause,
        remedy,
        ...defined({ source }),
    };
}

export type Details<Code extends DiagnosticCode = DiagnosticCode> = Partial<
    Pick<Parts<Code>, "code" | "part" | "source">
>;

type Take<Code extends DiagnosticCode> = (about: About, cause: string, remedy: string, details?: Details<Code>) => void;

export interface Collector<Code extends DiagnosticCode = DiagnosticCode> {
    readonly diagnostics: readonly Diagnostic<Code>[];
    readonly error: Take<Code>;
    readonly warning: Take<Code>;
    add(...more: readonly Diagnostic<Code>[]): void;
}

/** Makes a collector of diagnostics with the same code and source, unless {@link Details} differ. */
export function collector<Code extends DiagnosticCode = DiagnosticCode>(
    code: NoInfer<Code>,
    defaults: Pick<Details, "source"> = {},
): Collector<Code> {
    const diagnostics: Diagnostic<Code>[] = [];
    const take =
        (severity: Severity) =>
        (about: About, cause: string, remedy: string, details: Details<Code> = {}): void => {
            diagnostics.push(diagnostic({ code, severity, about, cause, remedy, ...defaults, ...details }));
        };
    return {
        diagnostics,
        error: take("error"),
        warning: take("warning"),
        add: (...more: readonly Diagnostic<Code>[]): void => more.forEach((one) => diagnostics.push(one)),
    };
}

function placeOf(about: About): DiagnosticPlace {
    if (typeof about === "string") return {};
    return isPath(about) ? { path: about } : about;
}

const isPath = (about: FieldPath | DiagnosticPlace): about is FieldPath => Array.isArray(about);
