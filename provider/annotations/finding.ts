/** What a rule found, before it is known where in the file that is. */

import type { IssueCode, Severity } from "../diagnostics/issue";
import type { EntryPart, FieldPath } from "../diagnostics/path";
import type { SettingName, Settings } from "../schema/settings";

/** An issue that names a setting or a field of the Service instead of a position. */
export interface Finding {
    readonly code: IssueCode;
    readonly severity: Severity;
    /** The setting, wherever it was set, or the path of a field of the Service. */
    readonly at: SettingName | FieldPath;
    /** Whether the key or the value of the entry is meant. Default: the value. */
    readonly part?: EntryPart;
    readonly message: string;
    readonly remedy: string;
    readonly source?: string;
}

/** Where a setting was set. */
export interface Place {
    /** For people: `metadata.annotations["…"]` or `settings.bandwidth`. */
    readonly path: string;
    /** For looking up the position; empty for typed settings. */
    readonly field: FieldPath;
}

/** Settings as they were read, with everything that is needed to talk about them. */
export interface ReadSettings {
    readonly settings: Settings;
    /** The place of every setting that somebody tried to set, whether its value was good or not. */
    readonly places: ReadonlyMap<SettingName, Place>;
    readonly findings: readonly Finding[];
}
