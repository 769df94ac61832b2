import type { EngineEvent, StepFacts } from "../events";
import { rootStackUrn, urnName, urnType } from "../state";
import type { DisplayOptions } from "./display";
import { detailedTree } from "./detailed";
import { isRoot, withRetain } from "./shown";
import { visibleDiff } from "./visible";
import { displayType, plural, PREFIX, previewDoneText, WORDS } from "./words";

type Diagnostic = Extract<EngineEvent, { kind: "diagnostic" }>;

/** The stream of messages that belong to none. */
const DEFAULT_STREAM = 0;

/** The step of a row whose resource has none yet. */
export function noStep(urn: string): StepFacts {
    return {
        op: "same",
        urn,
        type: urn === "" ? "" : urnType(urn),
        provider: "",
        old: undefined,
        now: undefined,
        keys: [],
        diffs: [],
        detailedDiff: undefined,
        logical: false,
        internal: false,
    };
}

/** Everything known of one resource in a run, and its line in the output. */
export class Row {
    failed = false;
    step: StepFacts;
    private readonly outputSteps: StepFacts[] = [];
    readonly diagnostics: Diagnostic[] = [];
    private started: number | undefined;
    private ended: number | undefined;

    /** @param hidden not shown unless something happens to the resource */
    constructor(
        urn: string,
        private readonly o: DisplayOptions,
        public hidden = true,
    ) {
        this.step = noStep(urn);
    }

    begin(s: StepFacts): void {
        this.step = s;
        this.started = Date.now();
        this.ended = undefined;
    }
    outputs(s: StepFacts): void {
        this.step = s;
        this.outputSteps.push(s);
        this.ended = Date.now();
    }

    /** True when the step at hand has ended. The stack has never ended before the whole run has. */
    isDone(runEnded: boolean): boolean {
        return this.failed || runEnded || (!isRoot(this.step) && this.outputSteps.some((s) => s.op === this.step.op));
    }
    get errors(): number {
        return this.diagnostics.filter((d) => d.severity === "error" && !d.ephemeral).length;
    }

    /** URN that the row shows; what belongs to no resource is shown at the stack. */
    private get shownUrn(): string {
        return this.step.urn || rootStackUrn(this.o.stack, this.o.project);
    }
    /** Type and name as headings show them. */
    get heading(): string {
        const urn = this.shownUrn;
        return this.o.showUrns ? urn : `${displayType(urnType(urn))} (${urnName(urn)})`;
    }

    /** Lines of all messages, one list for each stream that has something to say. */
    paragraphs(): string[][] {
        const streams = new Map<number, Diagnostic[]>();
        for (const d of this.diagnostics) streams.set(d.stream, [...(streams.get(d.stream) ?? []), d]);
        return [...streams.values()].map(paragraph).filter((lines) => lines.length > 0);
    }

    /** The row's line. */
    line(runEnded: boolean): string {
        const urn = this.shownUrn;
        const name = this.o.showUrns ? urn : `${displayType(urnType(urn))} ${urnName(urn)}`;
        return ` ${PREFIX[this.step.op]} ${name} ${this.status(runEnded)} ${this.info(runEnded)}`;
    }

    private status(runEnded: boolean): string {
        const s = this.step;
        const failed = this.failed || this.errors > 0;
        let text: string;
        if (this.isDone(runEnded)) {
            if (this.o.preview) text = previewDoneText(s.op);
            else {
                text =
                    (failed ? WORDS[s.op].failed : WORDS[s.op].done) +
                    (s.op !== "same" && this.started !== undefined && this.ended !== undefined
                        ? took(this.ended - this.started)
                        : "");
                if (failed) text = `**${text}**`;
            }
        } else if (isRoot(s) && s.op === "same") text = "running";
        else if (this.o.preview) text = WORDS[s.op].preview;
        else
            text =
                WORDS[s.op].running +
                (s.op !== "same" && this.started !== undefined
                    ? ` (${Math.floor((Date.now() - this.started) / 1000)}s)`
                    : "");
        return withRetain(text, s);
    }

    private info(runEnded: boolean): string {
        const parts: string[] = [];
        const diff = this.diffInfo();
        if (diff !== "") parts.push(`[${diff}]`);
        if (runEnded) {
            const count = (...severities: string[]) =>
                this.diagnostics.filter((d) => severities.includes(d.severity) && !d.ephemeral).length;
            if (this.errors > 0) parts.push(plural(this.errors, "error"));
            if (count("warning") > 0) parts.push(plural(count("warning"), "warning"));
            if (count("info", "info#err") > 0) parts.push(plural(count("info", "info#err"), "message"));
        } else {
            const last = this.diagnostics[this.diagnostics.length - 1];
            if (last) parts.push(diagnosticText(last));
        }
        return parts.join("; ").split("\n")[0] ?? "";
    }

    private diffInfo(): string {
        let s = this.step;
        if (s.op === "create-replacement" || s.op === "delete-replaced")
            s = this.outputSteps.filter((x) => x.op === "replace").at(-1) ?? s;
        if (s.op === "import" || s.op === "import-replacement")
            s = this.outputSteps.filter((x) => x.op === this.step.op).at(-1) ?? s;
        if (!s.old || !s.now) return "";
        const refresh = this.o.action === "refresh";
        const d = (s.detailedDiff ? detailedTree(s, refresh) : visibleDiff(s.old.inputs, s.now.inputs)).diff;
        const updates = new Set(d?.updates.keys() ?? []);
        if (s.old.provider !== s.now.provider) updates.add("provider");
        if (s.old.protect !== s.now.protect) updates.add("protect");
        const diffs = s.diffs;
        const group = (sign: string, keys: Iterable<string>) => {
            const list = [...keys].filter((k) => diffs.length === 0 || diffs.includes(k)).sort();
            return list.length > 0 ? sign + list.join(",") : "";
        };
        const text = group("+", d?.adds.keys() ?? []) + group("-", d?.deletes.keys() ?? []) + group("~", updates);
        return d || updates.size > 0 ? `diff: ${text}` : "";
    }
}

/** ` (0.12s)` or ` (3s)`. */
function took(ms: number): string {
    return ms < 1000 ? ` (${(ms / 1000).toFixed(2)}s)` : ` (${Math.floor(ms / 1000)}s)`;
}

/**
 * Lines of the messages of one stream. Those of the default stream stand alone; those of another are one text, which the
 * first of them begins, and have line ends only where they bring them along.
 */
function paragraph(messages: readonly Diagnostic[]): string[] {
    const first = messages[0];
    if (!first) return [];
    if (first.stream === DEFAULT_STREAM)
        return messages.filter((d) => !d.ephemeral).flatMap((d) => displayableLines(prefix(d) + d.message));
    if (first.ephemeral) return [];
    return displayableLines(prefix(first) + messages.map((d) => d.message.replace(/\n$/, "")).join(""));
}

/** Lines of a text without the blank ones at its end. */
function displayableLines(text: string): string[] {
    const trimmed = text.trimEnd();
    return trimmed === "" ? [] : trimmed.split("\n");
}

function prefix(d: Diagnostic): string {
    return d.severity.startsWith("info") ? "" : `${d.severity}: `;
}

/** A message with its severity, without blanks at its end. */
function diagnosticText(d: Diagnostic): string {
    return (prefix(d) + d.message).trimEnd();
}
