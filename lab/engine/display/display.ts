import type { EventSink } from "../events";

/** How results are shown. */
export interface DisplayOptions {
    /** `preview`, `update`, `refresh` or `destroy`. */
    action: "preview" | "update" | "refresh" | "destroy";
    preview: boolean;
    stack: string;
    project: string;
    /** Property by property instead of one line a resource. */
    diff: boolean;
    json: boolean;
    /** URNs in the place of types and names. */
    showUrns: boolean;
    /** Configuration before anything else. */
    showConfig: boolean;
    showSecrets: boolean;
    showSames: boolean;
    showReads: boolean;
    showReplacementSteps: boolean;
    showPolicyRemediations: boolean;
    suppressOutputs: boolean;
    /** Long texts are cut. */
    truncate: boolean;
    /** What the heartbeat says is going on; empty for no heartbeat. */
    heartbeat: string;
    write(text: string): void;
    /** Takes the messages among property diffs. */
    writeError(text: string): void;
}

/** Shows a run. */
export interface Display {
    sink: EventSink;
    /** Called once when the run has ended. */
    finish(): void;
}
