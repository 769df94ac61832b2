import type { EngineEvent } from "../events";
import { urnName, urnType } from "../state";
import { diffMaps } from "../value";
import type { DisplayOptions } from "./display";
import { OPS, plural, PREFIX, WORDS } from "./words";

type Summary = Extract<EngineEvent, { kind: "summary" }>;
type Violation = Extract<EngineEvent, { kind: "violation" }>;
type Remediation = Extract<EngineEvent, { kind: "remediation" }>;

const UNCOUNTED = new Set(["same", "read", "discard", "read-replacement"]);

/** The "Resources:" section, and the duration of real runs. */
export function summaryText(e: Summary): string {
    let out = "Resources:\n";
    let [kinds, changes] = [0, 0];
    for (const op of OPS) {
        const n = e.changes[op] ?? 0;
        if (UNCOUNTED.has(op) || n === 0) continue;
        kinds++;
        changes += n;
        out += `    ${PREFIX[op]}${n} ${e.preview ? `to ${op}` : WORDS[op].past}\n`;
    }
    const pieces: string[] = [];
    if (kinds >= 2) pieces.push(plural(changes, "change"));
    if (e.changes["same"]) pieces.push(`${e.changes["same"]} unchanged`);
    if (e.result === "failed" && e.errors > 0 && !e.preview) pieces.push(`${e.errors} errored`);
    if (pieces.length > 0) out += `    ${pieces.join(". ")}\n`;
    if (!e.preview) out += `\nDuration: ${duration(Math.ceil(e.seconds))}\n`;
    return out;
}

/** Whole seconds as Go prints a duration. */
function duration(seconds: number): string {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return `${h > 0 ? `${h}h` : ""}${h > 0 || m > 0 ? `${m}m` : ""}${s}s`;
}

/** One violation with its message, indented. */
export function violationText(e: Violation, first: string, rest: string): string {
    const head = `${first}[${e.violation.level}]  ${e.violation.policy}  (${urnType(e.urn)}: ${urnName(e.urn)})\n`;
    return (
        head +
        e.violation.message
            .replace(/\n+$/, "")
            .split("\n")
            .map((l) => `${rest}${l}\n`)
            .join("")
    );
}

/** One remediation with the properties it changed. */
export function remediationText(e: Remediation, first: string): string {
    const d = diffMaps(e.before, e.after);
    const group = (sign: string, keys: Iterable<string>) => {
        const list = [...keys].sort();
        return list.length > 0 ? sign + list.join(",") : "";
    };
    const diff = d
        ? ` [diff: ${group("+", d.adds.keys())}${group("-", d.deletes.keys())}${group("~", d.updates.keys())}]`
        : "";
    return `${first}[remediate]  ${e.remediation.policy}  (${urnType(e.urn)}: ${urnName(e.urn)})${diff}\n`;
}

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
        const mine = violations.filter((v) => `${v.violation.pack}@v${v.violation.packVersion}` === key);
        const fixed = remediations.filter((r) => `${r.remediation.pack}@v${r.remediation.packVersion}` === key);
        const paths = (packs.get(key) ?? [])
            .filter((p) => p !== "")
            .sort()
            .join("; ");
        const bad = mine.some((v) => v.violation.level === "mandatory");
        mandatory = mandatory || bad;
        text += `    ${bad ? "❌" : mine.length > 0 ? "⚠️" : "✅"} ${key}${paths === "" ? "" : ` (local: ${paths})`}\n`;
        if (o.showPolicyRemediations) for (const r of fixed) text += remediationText(r, "        - ");
        else {
            for (const name of [...new Set(fixed.map((r) => r.remediation.policy))].sort()) {
                text += `        - [remediate]  ${name}  (${plural(fixed.filter((r) => r.remediation.policy === name).length, "resource")})\n`;
            }
        }
        const order = (v: Violation) =>
            [v.violation.level === "mandatory" ? 0 : 1, v.violation.level, v.violation.policy, v.urn] as const;
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
        for (const { v } of sorted) text += violationText(v, "        - ", "          ");
    }
    return { text: `${text}\n`, mandatory };
}
