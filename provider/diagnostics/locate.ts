import type { SettingName } from "../schema/settings";
import type { Diagnostic, Position } from "./diagnostic";
import type { EntryPart, FieldPath } from "./path";
import { defined } from "../schema/defined";

/** First part of the path of a typed setting: `settings.bandwidth`. */
export const TYPED_SETTINGS = "settings";

export interface Origin {
    /** For example `Service default/web`. */
    readonly subject: string;
    /** The path of every setting that was set, as an annotation or in code. */
    readonly settings?: ReadonlyMap<SettingName, FieldPath>;
    /** The position of a field, or of what should hold it; `undefined` for objects that did not come from text. */
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

/** Sorts diagnostics by position; those without one come first. */
export function inFileOrder(list: readonly Diagnostic[]): Diagnostic[] {
    const at = ({ place }: Diagnostic): Pick<Position, "line" | "col"> => place.position ?? { line: 0, col: 0 };
    return list.toSorted((a, b) => at(a).line - at(b).line || at(a).col - at(b).col);
}
