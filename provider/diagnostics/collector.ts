import type { SettingName } from "../schema/settings";
import type { Diagnostic, DiagnosticCode, DiagnosticPlace, Severity } from "./diagnostic";
import type { EntryPart, FieldPath } from "./path";
import { defined } from "../schema/defined";

/** Subject of a diagnostic: a setting, a field of the object, or a place. */
export type About = SettingName | FieldPath | DiagnosticPlace;

/** Input of {@link diagnostic}. */
export interface Parts<Code extends DiagnosticCode = DiagnosticCode> {
    readonly code: Code;
    readonly severity: Severity;
    readonly about: About;
    /** Default: the value. */
    readonly part?: EntryPart | undefined;
    readonly cause: string;
    readonly remedy: string;
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

/** Differences from the defaults of a collector. */
export type Details<Code extends DiagnosticCode = DiagnosticCode> = Partial<
    Pick<Parts<Code>, "code" | "part" | "source">
>;

export interface Collector<Code extends DiagnosticCode = DiagnosticCode> {
    readonly diagnostics: readonly Diagnostic<Code>[];
    error(about: About, cause: string, remedy: string, details?: Details<Code>): void;
    warning(about: About, cause: string, remedy: string, details?: Details<Code>): void;
    add(...diagnostics: readonly Diagnostic<Code>[]): void;
}

/** Makes a collector of diagnostics with one code and one source, unless {@link Details} differ. */
export function collector<Code extends DiagnosticCode = DiagnosticCode>(
    code: NoInfer<Code>,
    defaults: Pick<Details, "source"> = {},
): Collector<Code> {
    const diagnostics: Diagnostic<Code>[] = [];
    const take =
        (severity: Severity): Collector<Code>["error"] =>
        (about, cause, remedy, details = {}) => {
            diagnostics.push(diagnostic({ code, severity, about, cause, remedy, ...defaults, ...details }));
        };
    return {
        diagnostics,
        error: take("error"),
        warning: take("warning"),
        add: (...more) => more.forEach((one) => diagnostics.push(one)),
    };
}

function placeOf(about: About): DiagnosticPlace {
    if (typeof about === "string") return {};
    return isPath(about) ? { path: about } : about;
}

const isPath = (about: FieldPath | DiagnosticPlace): about is FieldPath => Array.isArray(about);
