import { blindingCrypter } from "../secrets";
import { serializeMap, type JsonMap, type ResourceState } from "../state";
import type { DetailedDiff } from "../value";
import { packKey, type EngineEvent, type StepFacts } from "./events";

type Json = JsonMap[string];

function stateJson(s: ResourceState | undefined): Json {
    if (!s) return null;
    const out: JsonMap = { type: s.type, urn: s.urn };
    if (s.custom) out["custom"] = true;
    if (s.delete) out["delete"] = true;
    out["id"] = s.id;
    out["parent"] = s.parent;
    if (s.protect) out["protect"] = true;
    if (s.taint) out["taint"] = true;
    if (s.retainOnDelete) out["retainOnDelete"] = true;
    out["inputs"] = serializeMap(s.inputs, blindingCrypter);
    out["outputs"] = serializeMap(s.outputs, blindingCrypter);
    if (s.provider !== "") out["provider"] = s.provider;
    if (s.initErrors.length > 0) out["initErrors"] = [...s.initErrors];
    if (s.hideDiff.length > 0) out["hideDiff"] = [...s.hideDiff];
    return out;
}

/** Property paths with their kind of change, in the form of events. */
export function detailedDiffJson(d: DetailedDiff): JsonMap {
    return Object.fromEntries(
        [...d].map(([k, p]) => [
            k,
            p.inputDiff ? { diffKind: p.kind, inputDiff: true } : { diffKind: p.kind, inputDiff: false },
        ]),
    );
}

function stepJson(s: StepFacts): JsonMap {
    const out: JsonMap = { op: s.op, urn: s.urn, type: s.type, old: stateJson(s.old), new: stateJson(s.now) };
    if (s.keys.length > 0) out["keys"] = [...s.keys];
    if (s.diffs.length > 0) out["diffs"] = [...s.diffs];
    if (s.detailedDiff && s.detailedDiff.size > 0) out["detailedDiff"] = detailedDiffJson(s.detailedDiff);
    if (s.logical) out["logical"] = true;
    out["provider"] = s.provider;
    return out;
}

const STATUS = { ok: 0, partial: 1, unknown: 2 };

/** An event in the public form: what `--event-log` and the Automation API deliver. Secrets are not readable in it. */
export function eventJson(e: EngineEvent): JsonMap {
    const policy = (p: { policy?: string; pack: string; packVersion: string }) => ({
        ...(p.policy === undefined ? {} : { policyName: p.policy }),
        policyPackName: p.pack,
        policyPackVersion: p.packVersion,
        policyPackVersionTag: p.packVersion,
    });
    const list = (key: string, v: readonly string[]): JsonMap => (v.length > 0 ? { [key]: [...v] } : {});
    switch (e.kind) {
        case "prelude":
            return { preludeEvent: { config: e.config } };
        case "diagnostic":
            return {
                diagnosticEvent: {
                    ...(e.urn === "" ? {} : { urn: e.urn }),
                    ...(e.severity.startsWith("info") ? {} : { prefix: `${e.severity}: ` }),
                    message: e.message,
                    color: "never",
                    severity: e.severity,
                    ...(e.ephemeral ? { ephemeral: true } : {}),
                },
            };
        case "begin":
            return { resourcePreEvent: { metadata: stepJson(e.step), ...(e.planning ? { planning: true } : {}) } };
        case "outputs":
            return { resOutputsEvent: { metadata: stepJson(e.step), ...(e.planning ? { planning: true } : {}) } };
        case "failed":
            return { resOpFailedEvent: { metadata: stepJson(e.step), status: STATUS[e.status], steps: e.steps } };
        case "policyLoad":
            return { policyLoadEvent: {} };
        case "violation":
            return {
                policyEvent: {
                    ...(e.urn === "" ? {} : { resourceUrn: e.urn }),
                    message: e.violation.message,
                    color: "never",
                    ...policy(e.violation),
                    enforcementLevel: e.violation.level,
                    ...(e.violation.severity === "" ? {} : { severity: e.violation.severity }),
                },
            };
        case "remediation":
            return {
                policyRemediationEvent: {
                    resourceUrn: e.urn,
                    color: "never",
                    ...policy(e.remediation),
                    before: serializeMap(e.before, blindingCrypter),
                    after: serializeMap(e.after, blindingCrypter),
                },
            };
        case "analyzeSummary":
            return {
                policyAnalyzeSummaryEvent: {
                    resourceUrn: e.urn,
                    ...policy(e.summary),
                    ...list("passed", e.summary.passed),
                    ...list("failed", e.summary.failed),
                },
            };
        case "remediateSummary":
            return {
                policyRemediateSummaryEvent: {
                    resourceUrn: e.urn,
                    ...policy(e.summary),
                    ...list("passed", e.summary.passed),
                    ...list("failed", e.summary.failed),
                },
            };
        case "stackSummary":
            return {
                policyAnalyzeStackSummaryEvent: {
                    ...policy(e.summary),
                    ...list("passed", e.summary.passed),
                    ...list("failed", e.summary.failed),
                },
            };
        case "summary":
            return {
                summaryEvent: {
                    maybeCorrupt: e.maybeCorrupt,
                    durationSeconds: Math.floor(e.seconds),
                    resourceChanges: e.changes,
                    PolicyPacks: Object.fromEntries(e.packs.map((p) => [packKey(p), p.version])),
                    result: e.result,
                },
            };
        case "stdout":
            return { stdoutEvent: { message: e.message, color: "never" } };
        case "cancel":
            return { cancelEvent: {} };
    }
}
