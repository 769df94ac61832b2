import type { EngineEvent, EventSink, StepFacts } from "../events";
import { providerId, providerUrn, UNKNOWN_ID, urnName } from "../state";
import type { Display, DisplayOptions } from "./display";
import { detailedTree } from "./detailed";
import { indentation } from "./layout";
import { PropertyPrinter } from "./properties";
import { visibleDiff } from "./visible";
import { isRoot, shouldShow, withRetain } from "./shown";
import { outputsText } from "./stackoutputs";
import { packsText, preludeText, remediationText, summaryText, violationText } from "./summary";
import { PREFIX } from "./words";

/** Property by property, step by step: `--diff`. */
export function diffDisplay(o: DisplayOptions): Display {
    const view = new DiffView(o);
    const sink: EventSink = (e) => {
        (e.kind === "diagnostic" ? o.writeError : o.write)(view.render(e));
    };
    return { sink, finish: () => undefined };
}

class DiffView {
    private readonly seen = new Map<string, StepFacts>();

    constructor(private readonly o: DisplayOptions) {}

    /** How values are written. */
    private get form(): { showSecrets: boolean; truncate: boolean } {
        return { showSecrets: this.o.showSecrets, truncate: this.o.truncate };
    }

    render(e: EngineEvent): string {
        switch (e.kind) {
            case "begin":
                if (e.step.internal) return "";
                this.seen.set(e.step.urn, e.step);
                if (e.step.op === "refresh" || e.step.op === "import") return "";
                return this.visible(e.step) ? this.step(e.step, e.planning, false) : "";
            case "outputs":
                return e.step.internal ? "" : this.outputs(e.step, e.planning);
            case "diagnostic":
                return (e.severity.startsWith("info") ? "" : `${e.severity}: `) + e.message;
            case "violation":
                return violationText(e);
            case "remediation":
                return remediationText(e);
            case "prelude":
                return preludeText(e, this.o);
            case "summary":
                return summaryText(e, packsText(e));
            case "stdout":
                return e.message;
            default:
                return "";
        }
    }

    private visible(s: StepFacts): boolean {
        return shouldShow(s, this.o) || isRoot(s);
    }

    /** Depth of a step below the shown parents. */
    private depth(s: StepFacts): number {
        let n = 0;
        for (let p = (s.now ?? s.old)?.parent ?? ""; p !== "";) {
            const parent = this.seen.get(p);
            if (!parent) break;
            if (this.visible(parent)) n++;
            p = (parent.now ?? parent.old)?.parent ?? "";
        }
        return n;
    }

    private header(s: StepFacts, indent: number): string {
        const pad = indentation(indent + 1, s.op, false);
        const lock = s.now && !s.now.protect && s.old?.protect ? " 🔓" : s.now?.protect || s.old?.protect ? " 🔒" : "";
        let out = `${indentation(indent, s.op, false)}${PREFIX[s.op]}${s.type}: (${withRetain(s.op, s)})${lock}\n`;
        if (s.old && s.old.id !== "") out += `${pad}[id=${s.old.id}]\n`;
        out += `${pad}[urn=${s.urn}]\n`;
        if (s.provider !== "") {
            if (s.old && s.now && s.old.provider !== s.now.provider)
                out += `${pad}[provider: ${s.old.provider} => ${providerText(s.now.provider)}]\n`;
            else if (urnName(providerUrn(s.provider)) !== "default") out += `${pad}[provider=${s.provider}]\n`;
        }
        return out;
    }

    private step(s: StepFacts, planning: boolean, refresh: boolean): string {
        const indent = this.depth(s);
        return this.header(s, indent) + this.details(s, indent, planning, refresh);
    }

    private details(s: StepFacts, indent: number, planning: boolean, refresh: boolean): string {
        // Options of an unchanged resource may differ, its properties never do.
        if (s.op === "same") return "";
        const style = { indent: indent + 1, op: s.op, planning, ...this.form };
        const [old, now] = [s.old, s.now];
        if (s.detailedDiff && old && now) {
            const { diff, hidden } = detailedTree(s, refresh, now.hideDiff);
            const p = PropertyPrinter.create({ ...style, op: "same", prefix: true });
            p.hiddenPaths(hidden);
            if (diff) p.objectDiff(diff);
            else if (hidden.length === 0) p.object(old.inputs);
            return p.text;
        }
        if (!old && now) {
            const p = PropertyPrinter.create(style);
            p.object(Object.keys(now.outputs).length > 0 ? now.outputs : now.inputs);
            return p.text;
        }
        if (old && !now) {
            const p = PropertyPrinter.create(style);
            p.object(old.inputs);
            return p.text;
        }
        if (!old || !now) return "";
        const useOutputs = Object.keys(now.outputs).length > 0 && s.op !== "import" && s.op !== "import-replacement";
        const [a, b] = useOutputs ? [old.outputs, now.outputs] : [old.inputs, now.inputs];
        const { diff, hidden } = visibleDiff(a, b, now.hideDiff);
        const p = PropertyPrinter.create({ ...style, op: "same", prefix: true });
        p.hiddenPaths(hidden);
        if (diff) p.objectDiff(diff, useOutputs || s.diffs.length === 0 ? undefined : s.diffs);
        else p.object(b);
        return p.text;
    }

    private outputs(s: StepFacts, planning: boolean): string {
        if (!this.visible(s)) return "";
        const refresh = this.seen.get(s.urn)?.op === "refresh";
        if (s.op === "import" || s.op === "import-replacement" || (refresh && s.op === "update"))
            return this.step(s, planning, refresh);
        const indent = this.depth(s);
        const text = this.o.suppressOutputs
            ? ""
            : outputsText(s, {
                  indent: indent + 1,
                  planning,
                  refresh,
                  showSames: this.o.showSames,
                  ...this.form,
              });
        const outputs = text === "" ? "" : `${indentation(indent + 1, s.op, false)}--outputs:--\n${text}`;
        // A refresh before something else is only worth a heading if it found a difference.
        const heading = refresh && (s.op !== "refresh" || text !== "" || isRoot(s));
        return (heading ? this.header(s, indent) : "") + outputs;
    }
}

/** A reference to a provider; one that the run has yet to make has no id. */
function providerText(reference: string): string {
    return providerId(reference) === UNKNOWN_ID ? `${providerUrn(reference)}::[unknown]` : reference;
}
