import type { About, Collector, Diagnostic, FieldPath } from "../../diagnostics";
import { collector, formatPath, MOST_SHOWN, TYPED_SETTINGS } from "../../diagnostics";
import { quote } from "../../net/redact";
import { CCM_SOURCE, CLB_INTRODUCTION } from "../../schema/documents";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import {
    LOAD_BALANCER_CLASSES,
    LOAD_BALANCER_NAMES,
    LOAD_BALANCER_TYPES,
    otherType,
} from "../../schema/load-balancer-type";
import type { SettingName, Settings } from "../../schema/settings";
import { isMasked, refused } from "./codecs";
import { keyOf, keyOfSetting, recognise } from "./keys";
import type { Row } from "./row";
import { anyRowOf, rowOf, settingNames } from "./catalogue";
import { closest, didYouMean } from "./closest";
import { remedyForOtherName } from "./other-names";

export interface ReadSettings {
    readonly settings: Settings;
    /** The path of every given setting, even with a refused value. */
    readonly paths: ReadonlyMap<SettingName, FieldPath>;
    readonly diagnostics: readonly Diagnostic[];
}

const pathOf = (key: string): FieldPath => ["metadata", "annotations", key];

/**
 * Reads the annotations of a Service. Other keys are skipped. All values are read, even after a refusal.
 *
 * @param annotations `metadata.annotations`, whose values may be of any type.
 * @param written returns the text of a value in its file, if it is known.
 * @param type of load balancer that the Service gets: it decides which annotations exist, and their meaning.
 */
export function readAnnotations(
    annotations: Readonly<Record<string, unknown>>,
    written: (path: FieldPath) => string | undefined,
    type: LoadBalancerType = "clb",
): ReadSettings {
    const settings: Record<string, unknown> = {};
    const paths = new Map<SettingName, FieldPath>();
    const report = collector("annotation-value");
    let unknown = 0;
    for (const [key, raw] of Object.entries(annotations)) {
        const path = pathOf(key);
        const recognised = recognise(key, type);
        if (recognised.kind === "unknown" && unknown++ < MOST_SHOWN)
            refuseUnknown(key, raw, recognised.nearest, type, report);
        if (recognised.kind === "elsewhere")
            warnOfOtherType(path, "the annotation", type, recognised.row.source, report);
        if (recognised.kind !== "setting") {
            // The API server refuses the whole Service for it, without a position. It reads null as the empty text.
            if (typeof raw !== "string" && raw !== null) refuseOtherThanText(path, raw, written(path), report);
            continue;
        }
        const { row, legacy } = recognised;
        if (legacy) {
            const shadowed = Object.hasOwn(annotations, keyOf(row));
            warnOfLegacy(key, row, shadowed, report);
            if (shadowed) continue;
        }
        if (raw === "" && row.field !== "id") {
            const cause = "the value is empty, which counts as not set";
            const remedy = "remove the annotation, or give it a value";
            report.warning(path, cause, remedy, { code: "annotation-empty", source: CCM_SOURCE });
            continue;
        }
        paths.set(row.field, path);
        if (raw === "") {
            const cause =
                "the value is empty, as if a template had not been given the id; " +
                "a load balancer would be created instead of the existing one being used";
            const remedy = "write the id of the existing load balancer, or remove the annotation to have one created";
            report.error(row.field, cause, remedy, { source: row.source });
        } else if (typeof raw !== "string") refuseOtherThanText(row.field, raw, written(path), report, row);
        else {
            const value = readValue(row, raw, report);
            if (value !== undefined) settings[row.field] = value;
        }
    }
    if (unknown > MOST_SHOWN) {
        const cause = `${unknown - MOST_SHOWN} more annotations are unknown and not shown`;
        const remedy = "correct the others first";
        report.error(["metadata", "annotations"], cause, remedy, { code: "annotation-unknown" });
    }
    return { settings, paths, diagnostics: report.diagnostics };
}

function readValue({ field, type, source }: Row, text: string, report: Collector): unknown {
    const variable = /\$\{([^{}]*)\}/.exec(text)?.[1];
    if (variable !== undefined) {
        const cause = `${quote(text)} contains the placeholder \${${variable}}, which nothing replaces`;
        const remedy = `substitute \${${variable}} before the manifest is read`;
        report.error(field, cause, remedy, { code: "annotation-placeholder", source });
        return undefined;
    }
    const reading = type.parse(text);
    if (!refused(reading)) return reading.value;
    const placeholder = describePlaceholder(text);
    if (placeholder === undefined) {
        const cause = `${quote(text)} is not valid: ${reading.problem}`;
        report.error(field, cause, reading.remedy, { code: "annotation-value", source });
    } else {
        const remedy = `write the real value: ${type.allowed}`;
        report.error(field, `${quote(text)} ${placeholder}`, remedy, { code: "annotation-placeholder", source });
    }
    return undefined;
}

function describePlaceholder(text: string): string | undefined {
    if (/\*{2,}/.test(text)) return "is masked with asterisks, as values in the documents are";
    return isMasked(text) || /<[^<>]+>/.test(text)
        ? "is a placeholder, as in the examples of the documents"
        : undefined;
}

/** Warns of a name that only the other type of load balancer has. The Cloud Controller Manager ignores it too. */
function warnOfOtherType(about: About, what: string, type: LoadBalancerType, source: string, report: Collector): void {
    const [own, other] = [LOAD_BALANCER_NAMES[type], LOAD_BALANCER_NAMES[otherType(type)]];
    const cause = `${what} applies to ${other} only, but the Service gets ${own}; it has no effect`;
    const remedy =
        type === "clb"
            ? "remove it, or ask for an NLB: spec.loadBalancerClass decides, and only when the Service is created"
            : "remove it";
    report.warning(about, cause, remedy, { code: "annotation-scope", part: "key", source });
}

/** @param type of load balancer that the Service gets. */
function refuseUnknown(
    key: string,
    value: unknown,
    nearest: string | undefined,
    type: LoadBalancerType,
    report: Collector,
): void {
    // A value that names a type of load balancer, under a misspelt key.
    const named = LOAD_BALANCER_TYPES.find((one) => typeof value === "string" && one === value.toLowerCase());
    const remedy =
        named === undefined
            ? (remedyForOtherName(key, type, keyOfSetting) ??
              didYouMean(nearest, "remove it; docs/annotations.md lists all annotations"))
            : "spec.loadBalancerClass decides on the kind of load balancer: " +
              `"${LOAD_BALANCER_CLASSES[named]}" is for ${LOAD_BALANCER_NAMES[named]}`;
    const details = { code: "annotation-unknown", part: "key", source: CLB_INTRODUCTION } as const;
    report.error(pathOf(key), `there is no annotation "${key}": it would have no effect`, remedy, details);
}

function warnOfLegacy(key: string, row: Row, shadowed: boolean, report: Collector): void {
    const current = keyOf(row);
    const cause = shadowed
        ? `the legacy key is ignored, since "${current}" is set too`
        : `"${key}" is the legacy name of "${current}"`;
    const details = { code: "annotation-legacy", part: "key", source: CLB_INTRODUCTION } as const;
    report.warning(pathOf(key), cause, shadowed ? "remove the legacy key" : "rename the key", details);
}

function typeName(value: unknown): string {
    if (value === null) return "nothing";
    if (Array.isArray(value)) return "a list";
    return typeof value === "object" ? "a mapping" : `a YAML ${typeof value}`;
}

/** @param row of the setting, absent for an annotation of others. */
function refuseOtherThanText(about: About, raw: unknown, written: string | undefined, report: Collector, row?: Row) {
    // A boolean or a number only lacks quotes.
    const text = typeof raw === "boolean" || typeof raw === "number" ? (written ?? String(raw)) : undefined;
    const suffix = text === undefined ? "" : ` (${text})`;
    const cause = `the value is ${typeName(raw)}${suffix}, but Kubernetes takes strings only`;
    report.error(about, cause, textRemedy(text, raw === true, row), { code: "annotation-type", source: row?.source });
}

function textRemedy(text: string | undefined, on: boolean, row: Row | undefined): string {
    if (row === undefined) return text === undefined ? "write a string" : `quote it: "${text}"`;
    const accepted = (value: string): boolean => !refused(row.type.parse(value));
    const word = on ? "on" : "off";
    if (text !== undefined && accepted(text)) return `quote it: "${text}"`;
    return text !== undefined && accepted(word) ? `write "${word}", in quotes` : `write a string: ${row.type.allowed}`;
}

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
            const remedy =
                remedyForOtherName(name, type, (one) => one) ??
                didYouMean(closest(name, settingNames), "remove it; docs/annotations.md lists all settings");
            report.error(path, `there is no setting "${name}"`, remedy, { code: "annotation-unknown" });
            continue;
        }
        const row = rowOf(known, type);
        if (row === undefined) {
            warnOfOtherType(path, "the setting", type, anyRowOf(known).source, report);
            continue;
        }
        paths.set(row.field, path);
        const text = row.type.print(value);
        if (text === undefined || text === "") {
            const { allowed } = row.type;
            report.error(row.field, `the value is not ${allowed}`, `give ${allowed}`, { source: row.source });
            continue;
        }
        const read = readValue(row, text, report);
        if (read !== undefined) settings[name] = read;
    }
    return { settings, paths, diagnostics: report.diagnostics };
}

/** Merges annotations and typed settings of a Service. Two different values are an error: neither has priority. */
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
