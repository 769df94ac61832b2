/** Typed settings: the same as annotations, said in code. */

import type { LoadBalancerType } from "../schema/load-balancer-type";
import { anyRowOf, rowOf, settingNames } from "./catalogue";
import { closest } from "./closest";
import type { Finding, Place, ReadSettings } from "./finding";
import { keyOf } from "./keys";
import { otherTypeOnly, readValue } from "./read";
import type { SettingName, Settings } from "../schema/settings";
import type { ReadOptions } from "./codecs";

/**
 * The annotations that say the same as these settings. Fields that are absent are left out.
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

/** Checks typed settings by the rules for annotations: every value goes through its text. */
export function readTypedSettings(typed: Settings, options: ReadOptions, type: LoadBalancerType = "clb"): ReadSettings {
    const settings: Record<string, unknown> = {};
    const places = new Map<SettingName, Place>();
    const findings: Finding[] = [];
    for (const [name, value] of Object.entries(typed)) {
        if (value === undefined) continue;
        const known = settingNames.find((field) => field === name);
        if (known === undefined) {
            const nearest = closest(name, settingNames);
            findings.push({
                code: "annotation-unknown",
                severity: "error",
                at: ["settings", name],
                message: `there is no setting "${name}"`,
                remedy:
                    nearest === undefined
                        ? "remove it; docs/annotations.md lists all settings"
                        : `did you mean "${nearest}"?`,
            });
            continue;
        }
        const row = rowOf(known, type);
        if (row === undefined) {
            findings.push(otherTypeOnly(["settings", name], "the setting", type, anyRowOf(known).source));
            continue;
        }
        places.set(row.field, { path: `settings.${name}`, field: [] });
        const text = row.type.print(value);
        if (text === undefined || text === "") {
            findings.push({
                code: "annotation-type",
                severity: "error",
                at: row.field,
                message: `the value is not ${row.type.allowed}`,
                remedy: `give ${row.type.allowed}`,
                source: row.source,
            });
            continue;
        }
        const read = readValue(row, text, options, findings);
        if (read !== undefined) settings[name] = read;
    }
    return { settings: settings as Settings, places, findings };
}

/**
 * Annotations and typed settings of one Service together. Saying the same twice is allowed; saying different things is an error,
 * since neither is more important than the other.
 */
export function mergeSettings(annotations: ReadSettings, typed: ReadSettings): ReadSettings {
    const findings = [...annotations.findings, ...typed.findings];
    for (const [field, place] of typed.places) {
        const other = annotations.places.get(field);
        if (other === undefined) continue;
        const row = anyRowOf(field);
        const [left, right] = [annotations.settings[field], typed.settings[field]];
        if (left === undefined || right === undefined || row.type.print(left) === row.type.print(right)) continue;
        findings.push({
            code: "setting-conflict",
            severity: "error",
            at: field,
            message: `${place.path} and ${other.path} say different things`,
            remedy: "keep one of the two",
            source: row.source,
        });
    }
    return {
        settings: { ...annotations.settings, ...typed.settings },
        places: new Map([...typed.places, ...annotations.places]),
        findings,
    };
}
