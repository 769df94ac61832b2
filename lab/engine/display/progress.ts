import type { EngineEvent } from "../events";
import { ROOT_STACK_TYPE, urnQualifiedType } from "../state";
import type { Display, DisplayOptions } from "./display";
import { diagnosticText, Row } from "./rows";
import { isRoot, shouldShow } from "./shown";
import { outputsText } from "./stackoutputs";
import { policiesText, summaryText } from "./summary";

/** One line per step, then policies, diagnostics, outputs and a summary: what the real CLI writes without a terminal. */
export function progressDisplay(o: DisplayOptions): Display {
    const view = new ProgressView(o);
    return { sink: (e) => view.event(e), finish: () => view.finish() };
}

class ProgressView {
    private readonly rows = new Map<string, Row>();
    private stackUrn = "";
    private readonly violations: Extract<EngineEvent, { kind: "violation" }>[] = [];
    private readonly remediations: Extract<EngineEvent, { kind: "remediation" }>[] = [];
    private summary: Extract<EngineEvent, { kind: "summary" }> | undefined;
    private began = false;

    constructor(private readonly o: DisplayOptions) {}

    private println(text: string): void {
        this.o.write(`${text}\n`);
    }

    private row(urn: string): Row {
        const root = urn !== "" && urnQualifiedType(urn) === ROOT_STACK_TYPE;
        let r = this.rows.get(urn);
        if (!r && root && this.stackUrn === "") {
            this.stackUrn = urn;
            const nameless = this.rows.get("");
            r = new Row(urn, this.o);
            if (nameless) {
                r.diagnostics.push(...nameless.diagnostics);
                this.rows.delete("");
            }
            this.rows.set(urn, r);
        }
        if (!r) this.rows.set(urn, (r = new Row(urn, this.o)));
        return r;
    }

    event(e: EngineEvent): void {
        switch (e.kind) {
            case "prelude":
                this.began = true;
                this.println("");
                break;
            case "policyLoad":
                this.println(`Loading policy packs...: ${e.done ? "done" : "starting"}`);
                break;
            case "stdout":
                this.println(e.message);
                break;
            case "summary":
                this.summary = e;
                break;
            case "begin":
            case "outputs":
            case "failed":
                this.stepEvent(e);
                break;
            case "diagnostic":
                this.diagnostic(e);
                break;
            case "violation": {
                this.violations.push(e);
                const r = this.row(e.urn);
                if (!r.hidden) this.println(r.line(false));
                break;
            }
            case "remediation": {
                this.remediations.push(e);
                const r = this.row(e.urn);
                r.hidden = false;
                this.println(r.line(false));
                break;
            }
        }
    }

    private stepEvent(e: Extract<EngineEvent, { kind: "begin" | "outputs" | "failed" }>): void {
        const { step } = e;
        if (step.internal) return;
        // Reads are an underlying detail; rows are shown for them only when asked for.
        if (!this.o.showReads && (step.op === "read" || step.op === "discard" || step.op === "read-replacement"))
            return;
        const r = this.row(step.urn);
        if (shouldShow(step, { ...this.o, showReplacementSteps: true }) || step.op === "replace" || isRoot(step))
            r.hidden = false;
        if (e.kind === "begin") {
            r.begin(step);
            // An unchanged stack is only worth a line at the end.
            if (isRoot(step) && step.op === "same") return;
        } else if (e.kind === "outputs") {
            const refreshed = r.step?.op === "refresh";
            r.outputs(step);
            const meaningful =
                refreshed || (!this.o.preview && (step.now ?? step.old)?.custom === true && step.op !== "same");
            if (!meaningful) return;
        } else r.failed = true;
        if (!r.hidden) this.println(r.line(false));
    }

    private diagnostic(e: Extract<EngineEvent, { kind: "diagnostic" }>): void {
        if (diagnosticText(e) === "") return;
        const r = this.row(e.urn === "" ? this.stackUrn : e.urn);
        r.hidden = false;
        r.diagnostics.push(e);
        this.println(r.line(false));
    }

    finish(): void {
        if (!this.began && this.rows.size === 0 && !this.summary) return;
        for (const r of [...this.rows.values()].filter((x) => !x.isDone(false) && !x.hidden))
            this.println(r.line(true));
        const policies = policiesText(this.summary, this.violations, this.remediations, this.o);
        this.o.write(policies.text);
        this.printDiagnostics();
        this.printOutputs();
        if (this.summary && !policies.mandatory) this.println(summaryText(this.summary));
    }

    private printDiagnostics(): void {
        let header = false;
        for (const r of this.rows.values()) {
            let heading = false;
            // Lines of one stream (what a program prints) belong together; other messages stand apart.
            const groups = new Map<string, string[]>();
            r.diagnostics
                .filter((d) => !d.ephemeral)
                .forEach((d, i) => {
                    const key = d.stream === undefined ? `#${i}` : d.stream;
                    groups.set(key, [...(groups.get(key) ?? []), diagnosticText(d)]);
                });
            for (const texts of groups.values()) {
                const lines = texts.join("\n").split("\n");
                while (lines.length > 0 && lines[lines.length - 1]?.trim() === "") lines.pop();
                if (lines.length === 0) continue;
                if (!header) this.println("Diagnostics:");
                header = true;
                if (!heading) this.println(`  ${r.heading}:`);
                heading = true;
                for (const l of lines) this.println(`    ${l.replace(/\s+$/, "")}`);
                this.println("");
            }
        }
    }

    private printOutputs(): void {
        const step = this.rows.get(this.stackUrn)?.step;
        if (this.o.suppressOutputs || this.stackUrn === "" || !step) return;
        const text = outputsText(step, {
            indent: 1,
            planning: this.o.preview,
            refresh: false,
            showSames: this.o.showSames,
            showSecrets: this.o.showSecrets,
        });
        if (text !== "") this.println(`Outputs:\n${text}`);
    }
}
