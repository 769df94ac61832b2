/** Settings out of annotations. */

import { formatPath, type FieldPath } from "../diagnostics/path";
import type { Finding, Place, ReadSettings } from "./finding";
import { LOAD_BALANCER_NAMES, type LoadBalancerType, otherType } from "../schema/load-balancer-type";
import { keyOf, recognise } from "./keys";
import { describePlaceholder, templateVariable } from "./placeholder";
import type { Row } from "./row";
import type { SettingName, Settings } from "../schema/settings";
import { CCM_SOURCE, CLB_INTRODUCTION } from "../schema/documents";
import { refused, type ReadOptions } from "./codecs";

const pathOf = (key: string): FieldPath => ["metadata", "annotations", key];

/**
 * Reads the annotations of a Service. Keys that are not ours are skipped. All values are read, whatever is wrong with the others.
 *
 * @param annotations `metadata.annotations` as it was given; values may be of any type.
 * @param written the text of a value as its author wrote it, where that is known.
 * @param type the kind of load balancer that the Service gets: it decides which annotations there are, and what they mean.
 */
export function readAnnotations(
    annotations: Readonly<Record<string, unknown>>,
    written: (path: FieldPath) => string | undefined,
    options: ReadOptions,
    type: LoadBalancerType = "clb",
): ReadSettings {
    const settings: Record<string, unknown> = {};
    const places = new Map<SettingName, Place>();
    const findings: Finding[] = [];
    for (const [key, raw] of Object.entries(annotations)) {
        const recognised = recognise(key, type);
        if (recognised.kind === "unknown") findings.push(unknownKey(key, recognised.nearest));
        if (recognised.kind === "external") {
            findings.push({
                code: "annotation-not-realised",
                severity: "error",
                at: pathOf(key),
                part: "key",
                message: `this annotation is known but not realised by this version: ${recognised.row.doc}`,
                remedy: "remove the annotation",
                source: recognised.row.source,
            });
        }
        if (recognised.kind === "elsewhere")
            findings.push(otherTypeOnly(pathOf(key), "the annotation", type, recognised.row.source));
        if (recognised.kind !== "setting") continue;
        const { row, legacy } = recognised;
        if (legacy) {
            const shadowed = Object.hasOwn(annotations, keyOf(row));
            findings.push(legacyKey(key, row, shadowed));
            if (shadowed) continue;
        }
        const path = pathOf(key);
        if (raw === "") {
            findings.push({
                code: "annotation-empty",
                severity: "warning",
                at: path,
                message: "the value is empty, which counts as not set",
                remedy: "remove the annotation, or give it a value",
                source: CCM_SOURCE,
            });
            continue;
        }
        places.set(row.field, { path: formatPath(path), field: path });
        if (typeof raw !== "string") {
            findings.push(notText(row, raw, written(path)));
            continue;
        }
        const value = readValue(row, raw, options, findings);
        if (value !== undefined) settings[row.field] = value;
    }
    return { settings: settings as Settings, places, findings };
}

/** Reads one value. What is wrong with it is added to the findings. */
export function readValue(row: Row, text: string, options: ReadOptions, findings: Finding[]): unknown {
    const refuse = (code: Finding["code"], message: string, remedy: string): void => {
        findings.push({ code, severity: "error", at: row.field, message, remedy, source: row.source });
    };
    const variable = templateVariable(text);
    if (variable !== undefined) {
        refuse(
            "annotation-placeholder",
            `${quote(text)} contains the placeholder \${${variable}}, which nothing replaces`,
            `substitute \${${variable}} before the manifest is read`,
        );
        return undefined;
    }
    const reading = row.type.parse(text, options);
    if (refused(reading)) {
        const placeholder = describePlaceholder(text);
        if (placeholder === undefined)
            refuse("annotation-value", `${quote(text)} is not valid: ${reading.problem}`, reading.remedy);
        else
            refuse(
                "annotation-placeholder",
                `${quote(text)} ${placeholder}`,
                `write the real value: ${row.type.allowed}`,
            );
        return undefined;
    }
    return reading.value;
}

/** An annotation or setting that only the other kind of load balancer has. Advice and no error: the Cloud Controller Manager passes over it too. */
export function otherTypeOnly(at: Finding["at"], what: string, type: LoadBalancerType, source: string): Finding {
    const [mine, other] = [LOAD_BALANCER_NAMES[type], LOAD_BALANCER_NAMES[otherType(type)]];
    const remedy =
        type === "clb"
            ? "remove it, or ask for an NLB: spec.loadBalancerClass decides, and only when the Service is created"
            : "remove it";
    return {
        code: "annotation-scope",
        severity: "warning",
        at,
        part: "key",
        message: `${what} applies to ${other} only, but the Service gets ${mine}; it has no effect`,
        remedy,
        source,
    };
}

function unknownKey(key: string, nearest: string | undefined): Finding {
    return {
        code: "annotation-unknown",
        severity: "error",
        at: pathOf(key),
        part: "key",
        message: `there is no annotation "${key}", so that it would have no effect`,
        remedy:
            nearest === undefined
                ? "remove it; docs/annotations.md lists all annotations"
                : `did you mean "${nearest}"?`,
        source: CLB_INTRODUCTION,
    };
}

function legacyKey(key: string, row: Row, shadowed: boolean): Finding {
    const current = keyOf(row);
    return {
        code: "annotation-legacy",
        severity: "warning",
        at: pathOf(key),
        part: "key",
        message: shadowed
            ? `the legacy key is ignored, since "${current}" is set too`
            : `"${key}" is the legacy name of "${current}"`,
        remedy: shadowed ? "remove the legacy key" : "rename the key",
        source: CLB_INTRODUCTION,
    };
}

function notText(row: Row, raw: unknown, source: string | undefined): Finding {
    const kind =
        raw === null
            ? "nothing"
            : Array.isArray(raw)
              ? "a list"
              : typeof raw === "object"
                ? "a mapping"
                : `a YAML ${typeof raw}`;
    const quotable = typeof raw === "boolean" || typeof raw === "number";
    return {
        code: "annotation-type",
        severity: "error",
        at: row.field,
        message: `the value is ${kind}${quotable ? ` (${source ?? String(raw)})` : ""}, but Kubernetes takes strings only`,
        remedy: quotable ? `quote it: "${source ?? String(raw)}"` : `write a string: ${row.type.allowed}`,
        source: row.source,
    };
}

const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
