import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { anyRowOf, rowOf, settingNames } from "./catalogue";
import { closest } from "./closest";
import { collector, type FieldPath, formatPath, TYPED_SETTINGS } from "../../diagnostics";
import { keyOf } from "./keys";
import { otherTypeOnly, type ReadSettings, readValue } from "./read";
import type { SettingName, Settings } from "../../schema/settings";

/**
 * Returns the annotations that are equal to these settings.
 *
 * @throws TypeError if a value is not of its field's type, in programs that are not type-checked.
 */
export function settingsToAnnotations(settings: Settings): Record<string, string> {
    const annotations: Record<string, string> = {};
    for (const field of settingNames) {
        const value = settings[field];
        if (value === undefined) continue;
        const row = anyRowOf(field);
        const text = row.type.print(value);
        if (text === undefined) throw new TypeError(`settings.${field} must be ${row.type.allowed}`);
        annotations[keyOf(row)] = text;
    }
    return annotations;
}

/** Checks typed settings like annotations: every value is printed and read again. */
export function readTypedSettings(typed: Settings, type: LoadBalancerType = "clb"): ReadSettings {
    const settings: Record<string, unknown> = {};
    const paths = new Map<SettingName, FieldPath>();
    const report = collector("annotation-type");
    for (const [name, value] of Object.entries(typed)) {
        if (value === undefined) continue;
        const path = [TYPED_SETTINGS, name];
        const known = settingNames.find((field) => field === name);
        if (known === undefined) {
            const nearest = closest(name, settingNames);
            const remedy =
                nearest === undefined
                    ? "remove it; docs/annotations.md lists all settings"
                    : `did you mean "${nearest}"?`;
            report.error(path, `there is no setting "${name}"`, remedy, { code: "annotation-unknown" });
            continue;
        }
        const row = rowOf(known, type);
        if (row === undefined) {
            report.add(otherTypeOnly(path, "the setting", type, anyRowOf(known).source));
            continue;
        }
        paths.set(row.field, path);
        const text = row.type.print(value);
        if (text === undefined || text === "") {
            report.error(row.field, `the value is not ${row.type.allowed}`, `give ${row.type.allowed}`, {
                source: row.source,
            });
            continue;
        }
        const read = readValue(row, text, report);
        if (read !== undefined) settings[name] = read;
    }
    return { settings, paths, diagnostics: report.diagnostics };
}

/** Merges annotations and typed settings of one Service. Two different values are an error: neither has priority. */
export function mergeSettings(annotations: ReadSettings, typed: ReadSettings): ReadSettings {
    const report = collector("setting-conflict");
    report.add(...annotations.diagnostics, ...typed.diagnostics);
    for (const [field, path] of typed.paths) {
        const other = annotations.paths.get(field);
        if (other === undefined) continue;
        const row = anyRowOf(field);
        const [left, right] = [annotations.settings[field], typed.settings[field]];
        if (left === undefined || right === undefined || row.type.print(left) === row.type.print(right)) continue;
        const cause = `${formatPath(path)} and ${formatPath(other)} have different values`;
        report.error(field, cause, "keep one of the two", { source: row.source });
    }
    return {
        settings: { ...annotations.settings, ...typed.settings },
        paths: new Map([...typed.paths, ...annotations.paths]),
        diagnostics: report.diagnostics,
    };
}
