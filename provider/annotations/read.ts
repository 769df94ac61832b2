/** Settings out of annotations. */

import { type About, type Collector, collector, type Diagnostic, diagnostic, type FieldPath } from "../diagnostics";
import {
    LOAD_BALANCER_CLASSES,
    LOAD_BALANCER_NAMES,
    type LoadBalancerType,
    otherType,
} from "../schema/load-balancer-type";
import { keyOf, recognise } from "./keys";
import { quote } from "../net/redact";
import { describePlaceholder, templateVariable } from "./placeholder";
import type { Row } from "./row";
import type { SettingName, Settings } from "../schema/settings";
import { CCM_SOURCE, CLB_INTRODUCTION } from "../schema/documents";
import { refused } from "./codecs";
import { defined } from "../schema/defined";

/** Settings as they were read, from annotations or from code. */
export interface ReadSettings {
    readonly settings: Settings;
    /** The path of every setting that was given, whether its value was good or not. */
    readonly paths: ReadonlyMap<SettingName, FieldPath>;
    readonly diagnostics: readonly Diagnostic[];
}

const pathOf = (key: string): FieldPath => ["metadata", "annotations", key];

/**
 * Reads the annotations of a Service. Other keys are skipped. All values are read, whatever is wrong with the others.
 *
 * @param annotations `metadata.annotations` as it was given; values may be of any type.
 * @param written the text of a value as its author wrote it, where that is known.
 * @param type the kind of load balancer that the Service gets: it decides which annotations there are, and what they mean.
 */
export function readAnnotations(
    annotations: Readonly<Record<string, unknown>>,
    written: (path: FieldPath) => string | undefined,
    type: LoadBalancerType = "clb",
): ReadSettings {
    const settings: Record<string, unknown> = {};
    const paths = new Map<SettingName, FieldPath>();
    const report = collector("annotation-value");
    for (const [key, raw] of Object.entries(annotations)) {
        const recognised = recognise(key, type);
        if (recognised.kind === "unknown") report.add(unknownKey(key, raw, recognised.nearest));
        if (recognised.kind === "elsewhere")
            report.add(otherTypeOnly(pathOf(key), "the annotation", type, recognised.row.source));
        if (recognised.kind !== "setting") {
            // The API server refuses the whole Service for it, and names no place in the file. Nothing at all counts as the empty text there.
            if (typeof raw !== "string" && raw !== null) report.add(otherNotText(key, raw, written(pathOf(key))));
            continue;
        }
        const { row, legacy } = recognised;
        if (legacy) {
            const shadowed = Object.hasOwn(annotations, keyOf(row));
            report.add(legacyKey(key, row, shadowed));
            if (shadowed) continue;
        }
        const path = pathOf(key);
        if (raw === "" && row.field !== "id") {
            report.warning(
                path,
                "the value is empty, which counts as not set",
                "remove the annotation, or give it a value",
                { code: "annotation-empty", source: CCM_SOURCE },
            );
            continue;
        }
        paths.set(row.field, path);
        if (raw === "") {
            report.error(
                row.field,
                "the value is empty, as if a template had not been given the id; a load balancer would be created instead of the existing one being used",
                "write the id of the existing load balancer, or remove the annotation to have one created",
                { code: "annotation-value", source: row.source },
            );
            continue;
        }
        if (typeof raw !== "string") {
            report.add(notText(row, raw, written(path)));
            continue;
        }
        const value = readValue(row, raw, report);
        if (value !== undefined) settings[row.field] = value;
    }
    return { settings: settings, paths, diagnostics: report.diagnostics };
}

/** Reads one value; `undefined` if it is refused, which is reported. */
export function readValue(row: Row, text: string, report: Collector): unknown {
    const { source } = row;
    const variable = templateVariable(text);
    if (variable !== undefined) {
        report.error(
            row.field,
            `${quote(text)} contains the placeholder \${${variable}}, which nothing replaces`,
            `substitute \${${variable}} before the manifest is read`,
            { code: "annotation-placeholder", source },
        );
        return undefined;
    }
    const reading = row.type.parse(text);
    if (!refused(reading)) return reading.value;
    const placeholder = describePlaceholder(text);
    if (placeholder === undefined)
        report.error(row.field, `${quote(text)} is not valid: ${reading.problem}`, reading.remedy, {
            code: "annotation-value",
            source,
        });
    else
        report.error(row.field, `${quote(text)} ${placeholder}`, `write the real value: ${row.type.allowed}`, {
            code: "annotation-placeholder",
            source,
        });
    return undefined;
}

/** An annotation or setting that only the other kind of load balancer has. Advice and no error: the Cloud Controller Manager passes over it too. */
export function otherTypeOnly(about: About, what: string, type: LoadBalancerType, source: string): Diagnostic {
    const [mine, other] = [LOAD_BALANCER_NAMES[type], LOAD_BALANCER_NAMES[otherType(type)]];
    const remedy =
        type === "clb"
            ? "remove it, or ask for an NLB: spec.loadBalancerClass decides, and only when the Service is created"
            : "remove it";
    return diagnostic({
        code: "annotation-scope",
        severity: "warning",
        about,
        part: "key",
        cause: `${what} applies to ${other} only, but the Service gets ${mine}; it has no effect`,
        remedy,
        source,
    });
}

/** A value that names a kind of load balancer, under a key that does not. */
const KIND = /^(clb|nlb)$/i;

function unknownKey(key: string, value: unknown, nearest: string | undefined): Diagnostic {
    const kind = typeof value === "string" ? KIND.exec(value)?.[1]?.toLowerCase() : undefined;
    return diagnostic({
        code: "annotation-unknown",
        severity: "error",
        about: pathOf(key),
        part: "key",
        cause: `there is no annotation "${key}", so that it would have no effect`,
        remedy:
            kind === "clb" || kind === "nlb"
                ? `spec.loadBalancerClass decides on the kind of load balancer: "${LOAD_BALANCER_CLASSES[kind]}" is for ${LOAD_BALANCER_NAMES[kind]}`
                : nearest === undefined
                  ? "remove it; docs/annotations.md lists all annotations"
                  : `did you mean "${nearest}"?`,
        source: CLB_INTRODUCTION,
    });
}

function legacyKey(key: string, row: Row, shadowed: boolean): Diagnostic {
    const current = keyOf(row);
    return diagnostic({
        code: "annotation-legacy",
        severity: "warning",
        about: pathOf(key),
        part: "key",
        cause: shadowed
            ? `the legacy key is ignored, since "${current}" is set too`
            : `"${key}" is the legacy name of "${current}"`,
        remedy: shadowed ? "remove the legacy key" : "rename the key",
        source: CLB_INTRODUCTION,
    });
}

/** What kind of value stands where a text belongs, and how its author wrote it if it only lacks quotes. */
function describeValue(raw: unknown, source: string | undefined): { readonly cause: string; readonly text?: string } {
    const kind =
        raw === null
            ? "nothing"
            : Array.isArray(raw)
              ? "a list"
              : typeof raw === "object"
                ? "a mapping"
                : `a YAML ${typeof raw}`;
    const text = typeof raw === "boolean" || typeof raw === "number" ? (source ?? String(raw)) : undefined;
    const cause = `the value is ${kind}${text === undefined ? "" : ` (${text})`}, but Kubernetes takes strings only`;
    return { cause, ...defined({ text }) };
}

/** An annotation that is none of ours. */
function otherNotText(key: string, raw: unknown, source: string | undefined): Diagnostic {
    const { cause, text } = describeValue(raw, source);
    return diagnostic({
        code: "annotation-type",
        severity: "error",
        about: pathOf(key),
        cause,
        remedy: text === undefined ? "write a string" : `quote it: "${text}"`,
    });
}

function notText(row: Row, raw: unknown, source: string | undefined): Diagnostic {
    const { cause, text } = describeValue(raw, source);
    return diagnostic({
        code: "annotation-type",
        severity: "error",
        about: row.field,
        cause,
        remedy: text === undefined ? `write a string: ${row.type.allowed}` : remedyOf(row, text, raw === true),
        source: row.source,
    });
}

/** A text that is accepted next: the value in quotes, what it says in the words of the annotation, or any of those. */
function remedyOf(row: Row, text: string, on: boolean): string {
    const accepted = (value: string): boolean => !refused(row.type.parse(value));
    if (accepted(text)) return `quote it: "${text}"`;
    const word = on ? "on" : "off";
    return accepted(word) ? `write "${word}", in quotes` : `write a string: ${row.type.allowed}`;
}
