/** Typed settings: the same as annotations, given in code. */

import type { LoadBalancerType } from "../schema/load-balancer-type";
import { anyRowOf, rowOf, settingNames } from "./catalogue";
import { closest } from "./closest";
import { collector, type FieldPath, formatPath, TYPED_SETTINGS } from "../diagnostics";
import { keyOf } from "./keys";
import { otherTypeOnly, type ReadSettings, readValue } from "./read";
import type { SettingName, Settings } from "../schema/settings";

/**
 * The annotations that are equal to these settings. Fields that are absent are left out.
 *
 * @throws TypeError if a value is not of its field's type, which can only happen to programs that are not type-checked.
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

/** Checks typed settings by the rules for annotations: every value is written as its text and read again. */
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
            report.error(
                path,
                `there is no setting "${name}"`,
                nearest === undefined
                    ? "remove it; docs/annotations.md lists all settings"
                    : `did you mean "${nearest}"?`,
                { code: "annotation-unknown" },
            );
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
    return { settings: settings, paths, diagnostics: report.diagnostics };
}

/**
 * Annotations and typed settings of one Service together. The same value twice is allowed; different values are an error,
 * since neither is more important than the other.
 */
export function mergeSettings(annotations: ReadSettings, typed: ReadSettings): ReadSettings {
    const report = collector("setting-conflict");
    report.add(...annotations.diagnostics, ...typed.diagnostics);
    for (const [field, path] of typed.paths) {
        const other = annotations.paths.get(field);
        if (other === undefined) continue;
        const row = anyRowOf(field);
        const [left, right] = [annotations.settings[field], typed.settings[field]];
        if (left === undefined || right === undefined || row.type.print(left) === row.type.print(right)) continue;
        report.error(
            field,
            `${formatPath(path)} and ${formatPath(other)} have different values`,
            "keep one of the two",
            { source: row.source },
        );
    }
    return {
        settings: { ...annotations.settings, ...typed.settings },
        paths: new Map([...typed.paths, ...annotations.paths]),
        diagnostics: report.diagnostics,
    };
}
