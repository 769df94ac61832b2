import { existsSync, readFileSync } from "node:fs";
import type { Json, JsonMap, Step } from "./case";
import { cutTrace, type Normaliser } from "./normalise";

const isDelete = (op: Json | undefined) =>
    op === "delete" || op === "delete-replaced" || op === "discard" || op === "discard-replaced";
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byJson = (a: Json, b: Json) => compareText(JSON.stringify(a), JSON.stringify(b));

interface Observed {
    begin: number;
    before: JsonMap;
    end?: number;
    after?: JsonMap;
    failed?: boolean;
    outputsOnly?: boolean;
}
interface Phase {
    steps: Observed[];
    diagnostics: JsonMap[];
    policy: JsonMap[];
    other: JsonMap[];
    summary?: JsonMap;
    config?: JsonMap;
}

function jsonLines(file: string): JsonMap[] {
    return existsSync(file)
        ? readFileSync(file, "utf8")
              .split("\n")
              .filter((l) => l !== "")
              .map((l) => JSON.parse(l) as JsonMap)
        : [];
}

/** Splits an event log into its phases (a preview and what follows it). */
function phasesOf(file: string, norm: Normaliser): Phase[] {
    const phases: Phase[] = [];
    let cur: Phase = { steps: [], diagnostics: [], policy: [], other: [] };
    let preludes = 0;
    const meta = (b: JsonMap) => b["metadata"] as JsonMap;
    for (const e of jsonLines(file)) {
        const kind = Object.keys(e).find((k) => k.endsWith("Event")) ?? "";
        const b = e[kind] as JsonMap;
        const at = Number(e["sequence"]);
        if (kind === "preludeEvent") {
            if (preludes++ > 0) {
                phases.push(cur);
                cur = { steps: [], diagnostics: [], policy: [], other: [] };
            }
            cur.config = (b["config"] ?? {}) as JsonMap;
        } else if (kind === "diagnosticEvent") {
            if (b["severity"] === "debug" || b["ephemeral"]) continue;
            cur.diagnostics.push({
                severity: b["severity"] ?? "",
                ...(b["urn"] ? { urn: b["urn"] } : {}),
                message: cutTrace(norm.text(String(b["message"]))),
            });
        } else if (kind === "resourcePreEvent") cur.steps.push({ begin: at, before: b });
        else if (kind === "resOutputsEvent" || kind === "resOpFailedEvent") {
            const m = meta(b);
            const open = cur.steps.filter((s) => !s.after && meta(s.before)["urn"] === m["urn"]);
            let s = open.find((x) => meta(x.before)["op"] === m["op"]) ?? open[0];
            if (!s) cur.steps.push((s = { begin: at, before: b, outputsOnly: true }));
            s.after = b;
            s.end = at;
            s.failed = kind === "resOpFailedEvent";
        } else if (kind === "summaryEvent") cur.summary = b;
        else if (kind.startsWith("policy")) cur.policy.push({ kind: kind.replace(/Event$/, ""), ...b });
        else if (kind !== "cancelEvent" && kind !== "progressEvent") cur.other.push({ kind, ...b });
    }
    return [...phases, cur];
}

const STATE_FIELDS = [
    "id",
    "custom",
    "delete",
    "parent",
    "protect",
    "taint",
    "retainOnDelete",
    "hideDiff",
    "initErrors",
];

function stateOf(s: Json | undefined, urn: Json | undefined, withProperties: boolean): Json {
    if (s === null || s === undefined) return null;
    const from = s as JsonMap;
    const out: JsonMap = {};
    for (const f of STATE_FIELDS) {
        const v = from[f];
        if (v !== undefined && v !== "" && v !== false) out[f] = v;
    }
    if (withProperties) {
        out["inputs"] = from["inputs"] ?? null;
        out["outputs"] = from["outputs"] ?? null;
    }
    if (from["urn"] !== urn) out["urn"] = from["urn"] ?? null;
    return out;
}

function stepOf(s: Observed, preview: boolean): JsonMap {
    const m = s.before["metadata"] as JsonMap;
    const last = (s.after ?? s.before)["metadata"] as JsonMap;
    const out: JsonMap = { op: m["op"] ?? "" };
    if (last["op"] !== m["op"]) out["resultOp"] = last["op"] ?? "";
    out["urn"] = m["urn"] ?? "";
    out["status"] = s.outputsOnly ? "outputs-only" : s.failed ? "failed" : s.after ? "done" : "started";
    if (last["provider"]) out["provider"] = last["provider"];
    out["old"] = stateOf(last["old"], m["urn"], preview);
    out["new"] = stateOf(last["new"], m["urn"], preview);
    for (const k of ["keys", "diffs"]) if (Array.isArray(last[k])) out[k] = [...(last[k] as string[])].sort();
    if (last["detailedDiff"]) out["detailedDiff"] = last["detailedDiff"];
    out["logical"] = m["logical"] === true;
    if (s.after?.["planning"]) out["planning"] = true;
    return out;
}

/** Who depends on whom, from the states after and before the step. */
function dependencies(checkpoints: readonly Json[]): Map<string, Set<string>> {
    const deps = new Map<string, Set<string>>();
    for (const c of checkpoints) {
        for (const r of ((c as JsonMap | null)?.["resources"] ?? []) as JsonMap[]) {
            const urn = String(r["urn"]);
            const set = deps.get(urn) ?? new Set<string>();
            deps.set(urn, set);
            for (const d of (r["dependencies"] ?? []) as string[]) set.add(d);
            for (const list of Object.values((r["propertyDependencies"] ?? {}) as JsonMap))
                for (const d of (list ?? []) as string[]) set.add(d);
            for (const k of ["parent", "deletedWith"]) if (r[k]) set.add(String(r[k]));
            if (r["provider"]) set.add(String(r["provider"]).slice(0, String(r["provider"]).lastIndexOf("::")));
        }
    }
    return deps;
}

/** Pairs "A < B" of related steps of which the first had ended before the second began. */
function orderOf(p: Phase, deps: ReadonlyMap<string, ReadonlySet<string>>): string[] {
    const pairs = new Set<string>();
    for (const a of p.steps) {
        for (const b of p.steps) {
            if (a === b || a.end === undefined || a.end >= b.begin) continue;
            const [A, B] = [a.before["metadata"] as JsonMap, b.before["metadata"] as JsonMap];
            const made = A["new"] as JsonMap | null;
            if (made && !made["custom"] && !isDelete(A["op"])) continue;
            if ((A["op"] === "refresh" || B["op"] === "refresh") && A["urn"] !== B["urn"]) continue;
            const [ua, ub] = [String(A["urn"]), String(B["urn"])];
            const [da, db] = [isDelete(A["op"]), isDelete(B["op"])];
            const related = ua === ub || (!da && !db && deps.get(ub)?.has(ua)) || (da && deps.get(ua)?.has(ub));
            if (related) pairs.add(`${String(A["op"])} ${ua} < ${String(B["op"])} ${ub}`);
        }
    }
    return [...pairs].sort();
}

function phaseFacts(
    p: Phase,
    preview: boolean,
    deps: ReadonlyMap<string, ReadonlySet<string>>,
    norm: Normaliser,
): JsonMap {
    const out: JsonMap = {};
    const ops = (s: Observed) => (s.before["metadata"] as JsonMap)["op"];
    const deletes = p.steps.filter((s) => isDelete(ops(s)));
    const others = p.steps.filter(
        (s) =>
            !isDelete(ops(s)) &&
            s.end !== undefined &&
            (s.before["metadata"] as JsonMap)["type"] !== "pulumi:pulumi:Stack",
    );
    if (p.config && Object.keys(p.config).length > 0) out["config"] = norm.value(p.config);
    out["steps"] = (norm.value(p.steps.map((s) => stepOf(s, preview))) as JsonMap[]).sort((a, b) =>
        compareText(String(a["urn"]), String(b["urn"])),
    );
    out["order"] = norm.value(orderOf(p, deps));
    if (deletes.length > 0 && others.length > 0) {
        out["deletesAfterEverythingElse"] =
            Math.min(...deletes.map((s) => s.begin)) > Math.max(...others.map((s) => s.end ?? 0));
    }
    const diagnostics = norm.value(p.diagnostics) as JsonMap[];
    out["diagnostics"] = diagnostics
        .filter((d) => !(String(d["severity"]).startsWith("info") && /^\s*at <stack>\s*$/.test(String(d["message"]))))
        .sort(byJson);
    if (p.policy.length > 0) {
        out["policyEvents"] = (
            norm.value(p.policy.map(({ color: _c, durationSeconds: _d, ...rest }) => rest)) as Json[]
        ).sort(byJson);
    }
    if (p.summary) {
        const packs = (p.summary["PolicyPacks"] ?? {}) as JsonMap;
        out["summary"] = norm.value({
            result: p.summary["result"] ?? null,
            resourceChanges: p.summary["resourceChanges"] ?? {},
            ...(Object.keys(packs).length > 0 ? { policyPacks: packs } : {}),
            ...(p.summary["maybeCorrupt"] ? { maybeCorrupt: true } : {}),
        });
    }
    if (p.other.length > 0) out["otherEvents"] = norm.value(p.other);
    return out;
}

/** The contents of an event log, in the form of the corpus. */
export function observeEvents(file: string, step: Step, norm: Normaliser, checkpoints: readonly Json[]): JsonMap {
    const deps = dependencies(checkpoints);
    const preview = step.command === "preview" || (step.flags ?? []).includes("--preview-only");
    const facts = phasesOf(file, norm).map((p) => phaseFacts(p, preview, deps, norm));
    const last = facts[facts.length - 1] ?? {};
    return facts.length > 1 ? { ...last, previewPhase: facts[0] as JsonMap } : last;
}

/** Provider calls by label, in order. */
export function observeCalls(file: string, norm: Normaliser): JsonMap {
    const byLabel = new Map<string, JsonMap[]>();
    const open = new Map<string, JsonMap>();
    for (const l of jsonLines(file)) {
        const id = String(l["call"]);
        const known = open.get(id);
        if (l["args"] && !known) {
            const entry: JsonMap = {
                op: l["op"] ?? "",
                ...(l["args"] as JsonMap),
                outcome: l["result"] === undefined ? "<no answer>" : l["result"],
            };
            open.set(id, entry);
            const label = String(l["label"]);
            byLabel.set(label, [...(byLabel.get(label) ?? []), entry]);
        } else if (known && l["error"]) {
            delete known["outcome"];
            known["error"] = l["error"];
        } else if (known) known["outcome"] = l["result"] ?? null;
    }
    return Object.fromEntries(
        [...byLabel.keys()].sort().map((k) => [k, (byLabel.get(k) ?? []).map((e) => norm.value(e))]),
    );
}

/** A checkpoint file's content with resources in canonical order, and the version of its format. */
export function observeCheckpoint(file: string, norm: Normaliser): { checkpoint: Json; format: JsonMap | undefined } {
    if (!existsSync(file)) return { checkpoint: null, format: undefined };
    const raw = JSON.parse(readFileSync(file, "utf8")) as JsonMap;
    const latest = (raw["checkpoint"] as JsonMap)["latest"];
    const format =
        raw["version"] === 3
            ? undefined
            : { version: raw["version"] ?? null, ...(raw["features"] ? { features: raw["features"] } : {}) };
    if (!latest) return { checkpoint: null, format };
    const c = norm.value(latest) as JsonMap;
    if (c["manifest"])
        c["manifest"] = { time: "<time>", magic: "<hash>", version: (c["manifest"] as JsonMap)["version"] ?? null };
    const state = (c["secrets_providers"] as JsonMap | undefined)?.["state"] as JsonMap | undefined;
    if (state?.["salt"]) state["salt"] = "<salt>";
    if (Array.isArray(c["resources"])) {
        const key = (r: JsonMap) => (r["type"] === "pulumi:pulumi:Stack" ? "0" : "1") + String(r["urn"]);
        c["resources"] = (c["resources"] as JsonMap[])
            .map((r, i) => ({ r, i }))
            .sort((a, b) => compareText(key(a.r), key(b.r)) || a.i - b.i)
            .map((x) => x.r);
    }
    return { checkpoint: c, format };
}

/** The root stack's outputs in a normalised checkpoint. */
export function stackOutputs(checkpoint: Json): Json {
    const resources = ((checkpoint as JsonMap | null)?.["resources"] ?? []) as JsonMap[];
    return resources.find((r) => r["type"] === "pulumi:pulumi:Stack" && !r["delete"])?.["outputs"] ?? {};
}
