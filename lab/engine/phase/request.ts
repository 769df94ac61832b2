import type { DeployOptions, SaveSnapshot } from "../deploy";
import type { EventSink } from "../events";
import type { StackAccess } from "../plugin";
import type { Snapshot } from "../state";

/** A configuration value in clear. */
export interface RunConfigValue {
    text: string;
    secret: boolean;
}

/** One phase of an operation: a preview, or the real thing. */
export interface RunRequestOptions {
    project: string;
    stack: string;
    root: string;
    pwd: string;
    main: string;
    runtimeOptions: Readonly<Record<string, unknown>>;
    providerPaths: readonly { name: string; path: string }[];
    config: ReadonlyMap<string, RunConfigValue>;
    options: DeployOptions;
    snapshot: Snapshot;
    /** Stores states; undefined in previews. */
    save: SaveSnapshot | undefined;
    packs: readonly { path: string; settings: string | undefined }[];
    events: EventSink;
    access: Pick<StackAccess, "outputsOf">;
    /** Address of a program that runs elsewhere (Automation API). */
    client: string | undefined;
}

/** How a phase has ended. */
export interface RunResult {
    ok: boolean;
    /** Error that is not a diagnostic of the run: shown at the very end. */
    error: Error | undefined;
    changes: Record<string, number>;
    /** True if anything was or would be changed. */
    hasChanges: boolean;
}

/** A running phase. */
export interface RunningPhase {
    result: Promise<RunResult>;
    /** Lets running calls end and starts nothing new. */
    cancel(): void;
    /** Stops recording: what happens from now on is not stored. */
    terminate(): void;
}
