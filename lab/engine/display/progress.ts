import type { EngineEvent, StepFacts } from "../events";
import { ROOT_STACK_TYPE, urnName, urnQualifiedType } from "../state";
import type { Display, DisplayOptions } from "./display";
import { Heartbeat } from "./heartbeat";
import { noStep, Row } from "./rows";
import { shouldShow } from "./shown";
import { outputsText } from "./stackoutputs";
import { policiesText, preludeText, summaryText } from "./summary";
import { displayType } from "./words";

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
    private readonly heartbeat: Heartbeat;

    constructor(private readonly o: DisplayOptions) {
        this.heartbeat = new Heartbeat(o.heartbeat, (text) => o.write(text));
    }

    private println(text: string): void {
        this.heartbeat.reset();
        this.o.write(`${text}\n`);
    }

    /**
     * The row of a resource. Messages without a resource that come before the stack's registration have a row that the
     * stack then takes over; the deletion of the stack leaves that row alone.
     */
    private row(urn: string, step?: StepFacts): Row {
        const known = this.rows.get(urn);
        if (known) return known;
        if (urn !== "" && urnQualifiedType(urn) === ROOT_STACK_TYPE) {
            this.stackUrn = urn;
            const nameless = this.rows.get("");
            if (nameless && step?.op !== "delete") {
                this.rows.delete("");
                this.rows.set(urn, nameless);
                nameless.step = step ?? noStep(urn);
                return nameless;
            }
        }
        const row = new Row(urn, this.o);
        this.rows.set(urn, row);
        this.ensureStackRow();
        return row;
    }
    private ensureStackRow(): void {
        if (!this.rows.has(this.stackUrn)) this.rows.set(this.stackUrn, new Row(this.stackUrn, this.o, false));
    }

    private print(row: Row): void {
        if (!row.hidden) this.println(row.line(false));
    }

    event(e: EngineEvent): void {
        switch (e.kind) {
            case "prelude":
                this.began = true;
                this.println(preludeText(e, this.o));
                break;
            case "policyLoad":
                this.ensureStackRow();
                this.println(`Loading policy packs...: ${e.done ? "done" : "starting"}`);
                break;
            case "stdout":
                this.ensureStackRow();
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
            case "violation":
                this.violations.push(e);
                this.print(this.row(e.urn));
                break;
            case "remediation": {
                this.remediations.push(e);
                const r = this.row(e.urn);
                r.hidden = false;
                this.print(r);
                break;
            }
            case "analyzeSummary":
            case "cancel":
            case "remediateSummary":
            case "stackSummary":
                break;
        }
    }

    private stepEvent(e: Extract<EngineEvent, { kind: "begin" | "outputs" | "failed" }>): void {
        const { step } = e;
        if (step.internal) return;
        if (!this.o.showReads && (step.op === "discard" || step.op === "read-replacement")) return;
        if (!this.o.showReads && step.op === "read") return this.readNotice(step);
        // The stack's first event does not count as one: an unchanged stack gets a line only when something happens to it.
        const ofStack = step.urn === this.stackUrn;
        const r = this.row(step.urn, step);
        if (ofStack || shouldShow(step, { ...this.o, showReplacementSteps: true })) r.hidden = false;
        if (e.kind === "begin") r.begin(step);
        else if (e.kind === "outputs") {
            const refreshed = r.step.op === "refresh";
            r.outputs(step);
            const custom = (step.now ?? step.old)?.custom === true;
            if (!refreshed && (this.o.preview || !custom || step.op === "same")) return;
        } else r.failed = true;
        this.print(r);
    }

    /** Reads are an underlying detail: they have no row, but the stack's row tells of them while they go on. */
    private readNotice(step: StepFacts): void {
        this.diagnostic({
            kind: "diagnostic",
            severity: "info",
            urn: "",
            message: `read ${displayType(step.type)} ${urnName(step.urn)}`,
            ephemeral: true,
            stream: 0,
        });
    }

    private diagnostic(e: Extract<EngineEvent, { kind: "diagnostic" }>): void {
        const r = this.row(e.urn === "" ? this.stackUrn : e.urn);
        r.hidden = false;
        r.diagnostics.push(e);
        this.print(r);
    }

    finish(): void {
        this.heartbeat.stop();
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
            for (const lines of r.paragraphs()) {
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
        const row = this.rows.get(this.stackUrn);
        if (this.o.suppressOutputs || this.stackUrn === "" || !row) return;
        const text = outputsText(row.step, {
            indent: 1,
            planning: this.o.preview,
            refresh: false,
            showSames: this.o.showSames,
            showSecrets: this.o.showSecrets,
            truncate: this.o.truncate,
        });
        if (text !== "") this.println(`Outputs:\n${text}`);
    }
}
