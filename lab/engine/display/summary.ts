import { isChange } from "../deploy";
import { packKey, type EngineEvent } from "../events";
import { urnName, urnType } from "../state";
import { diffMaps } from "../value";
import type { DisplayOptions } from "./display";
import { widest } from "./layout";
import { PropertyPrinter } from "./properties";
import { OPS, plural, PREFIX, WORDS } from "./words";

type Summary = Extract<EngineEvent, { kind: "summary" }>;
type Violation = Extract<EngineEvent, { kind: "violation" }>;
type Remediation = Extract<EngineEvent, { kind: "remediation" }>;

/** Where the entries of a pack begin. */
const ITEM_INDENT = " ".repeat(8);

/**
 * The "Resources:" section, and the duration of real runs.
 * @param packs what stands between the two
 */
export function summaryText(e: Summary, packs = ""): string {
    let out = "Resources:\n";
    let [kinds, changes] = [0, 0];
    for (const op of OPS) {
        const n = e.changes[op] ?? 0;
        if (!isChange(op) || n === 0) continue;
        kinds++;
        changes += n;
        out += `    ${PREFIX[op]}${n} ${e.preview ? `to ${op}` : WORDS[op].past}\n`;
    }
    const pieces: string[] = [];
    if (kinds >= 2) pieces.push(plural(changes, "change"));
    if (e.changes["same"]) pieces.push(`${e.changes["same"]} unchanged`);
    if (e.result === "failed" && e.errors > 0 && !e.preview) pieces.push(`${e.errors} errored`);
    if (pieces.length > 0) out += `    ${pieces.join(". ")}\n`;
    out += packs;
    if (!e.preview) out += `\nDuration: ${duration(Math.ceil(e.seconds))}\n`;
    return out;
}

/** Whole seconds as Go prints a duration. */
function duration(seconds: number): string {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return `${h > 0 ? `${h}h` : ""}${h > 0 || m > 0 ? `${m}m` : ""}${s}s`;
}

/** What comes before everything else: the configuration, if it is to be shown. */
export function preludeText(e: Extract<EngineEvent, { kind: "prelude" }>, o: DisplayOptions): string {
    if (!o.showConfig) return "";
    const keys = Object.keys(e.config).sort();
    return `Configuration:\n${keys.map((k) => `    ${k}: ${e.config[k]}\n`).join("")}`;
}

/** The packs that have run, as the property diffs list them at their end. */
export function packsText(e: Summary): string {
    if (e.packs.length === 0) return "";
    const rows = [["Name", "Version"], ...e.packs.map((p) => [packKey(p), p.version]).sort()];
    const width = widest(rows.map(([name]) => name as string));
    const lines = rows.map(([name, version]) => `    ${(name as string).padEnd(width)}  ${version}\n`);
    return `\nPolicy Packs run:\n${lines.join("")}`;
}

function violationHead({ violation: v, urn }: Violation): string {
    const severity = v.severity === "" ? "" : ` [severity: ${v.severity}]`;
    return `[${v.level}]${severity}  ${v.policy}  (${urnType(urn)}: ${urnName(urn)})`;
}

/** A violation in the list of its pack. */
function violationItem(e: Violation): string {
    const message = e.violation.message.replace(/\n$/, "").replaceAll("\n", `\n${ITEM_INDENT}  `);
    return `${ITEM_INDENT}- ${violationHead(e)}\n${ITEM_INDENT}  ${message}\n`;
}

/** A violation among property diffs: pack, level, severity and the beginning of the message share a line. */
export function violationText(e: Violation): string {
    return `    ${packName(e.violation)} ${violationHead(e)}${e.violation.message.replace(/\n$/, "")}\n`;
}

/** A remediation in the list of its pack, with the names of the properties it changed. */
function remediationItem(e: Remediation): string {
    const d = diffMaps(e.before, e.after);
    if (!d) return "";
    const group = (sign: string, keys: Iterable<string>) => {
        const list = [...keys].sort();
        return list.length > 0 ? sign + list.join(",") : "";
    };
    const diff = group("+", d.adds.keys()) + group("-", d.deletes.keys()) + group("~", d.updates.keys());
    return `${ITEM_INDENT}- ${remediationHead(e)} [diff: ${diff}]\n`;
}
function remediationHead(e: Remediation): string {
    return `[remediate]  ${e.remediation.policy}  (${urnType(e.urn)}: ${urnName(e.urn)})`;
}

/** A remediation among property diffs, with the properties it changed. */
export function remediationText(e: Remediation): string {
    const d = diffMaps(e.before, e.after);
    if (!d) return "";
    const p = PropertyPrinter.create({ indent: 2, op: "same", prefix: true, summary: true, truncate: true });
    p.objectDiff(d);
    return `    ${packName(e.remediation)} ${remediationHead(e)}\n${p.text}\n`;
}

function packName(p: { pack: string; packVersion: string }): string {
    return `${p.pack}@v${p.packVersion}`;
}

/** Most severe first; a violation without severity comes last. */
const SEVERITIES = ["critical", "high", "medium", "low", ""];

/**
 * The "Policies:" section.
 * @returns its text and whether a mandatory policy was violated
 */
export function policiesText(
    summary: Summary | undefined,
    violations: readonly Violation[],
    remediations: readonly Remediation[],
    o: DisplayOptions,
): { text: string; mandatory: boolean } {
    if (!summary || summary.packs.length === 0) return { text: "", mandatory: false };
    const packs = new Map<string, string[]>();
    for (const p of summary.packs) {
        const key = `${p.name}@v${p.version}`;
        packs.set(key, [...(packs.get(key) ?? []), p.path]);
    }
    let text = "Policies:\n";
    let mandatory = false;
    for (const key of [...packs.keys()].sort()) {
        const mine = violations.filter((v) => packName(v.violation) === key);
        const fixed = remediations.filter((r) => packName(r.remediation) === key);
        const paths = (packs.get(key) ?? [])
            .filter((p) => p !== "")
            .sort()
            .join("; ");
        const bad = mine.some((v) => v.violation.level === "mandatory");
        mandatory = mandatory || bad;
        text += `    ${bad ? "❌" : mine.length > 0 ? "⚠️" : "✅"} ${key}${paths === "" ? "" : ` (local: ${paths})`}\n`;
        if (o.showPolicyRemediations) for (const r of fixed) text += remediationItem(r);
        else {
            for (const name of [...new Set(fixed.map((r) => r.remediation.policy))].sort()) {
                text += `${ITEM_INDENT}- [remediate]  ${name}  (${plural(fixed.filter((r) => r.remediation.policy === name).length, "resource")})\n`;
            }
        }
        const order = (v: Violation) =>
            [
                v.violation.level === "mandatory" ? 0 : 1,
                v.violation.level,
                SEVERITIES.indexOf(v.violation.severity),
                v.violation.policy,
                v.urn,
            ] as const;
        const sorted = mine
            .map((v, i) => ({ v, i }))
            .sort((a, b) => {
                const [x, y] = [order(a.v), order(b.v)];
                for (let k = 0; k < x.length; k++) {
                    const [p, q] = [x[k] as string | number, y[k] as string | number];
                    if (p !== q) return p < q ? -1 : 1;
                }
                return a.i - b.i;
            });
        for (const { v } of sorted) text += violationItem(v);
    }
    return { text: `${text}\n`, mandatory };
}
