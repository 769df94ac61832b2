import type { CheckFailure, Provider, ProviderRegistry } from "../plugin";
import type { ResourceState } from "../state";
import type { Callbacks, Hook } from "./callbacks";
import type { UrnTargets } from "./targets";

/** What a run is asked to do. */
export interface DeployOptions {
    preview: boolean;
    /** What the run is for. */
    kind: "update" | "refresh" | "destroy";
    /** Compare records with reality before anything else. */
    refresh: boolean;
    /** Run the program in a refresh or destroy. */
    runProgram: boolean;
    parallel: number;
    targets: UrnTargets;
    excludes: UrnTargets;
    replaceTargets: UrnTargets;
    targetDependents: boolean;
    excludeDependents: boolean;
    continueOnError: boolean;
}

/** Receives messages about resources; an empty URN stands for the run as a whole. */
export interface Diagnostics {
    info(urn: string, message: string): void;
    warning(urn: string, message: string): void;
    error(urn: string, message: string): void;
}

/** Where resources of a run belong. */
export interface Target {
    project: string;
    stack: string;
}

/** What the steps of a run need of it. */
export interface StepContext {
    readonly options: DeployOptions;
    readonly providers: ProviderRegistry;
    readonly diag: Diagnostics;
    readonly callbacks: Callbacks;
    /** Hooks by name. */
    readonly hooks: ReadonlyMap<string, Hook>;
    /** The last error of a hook after an operation. */
    postStepError: Error | undefined;
    /** The provider that manages a resource. @throws Error if it has not been loaded */
    providerFor(s: ResourceState): Provider;
    /** Reports what a provider dislikes about inputs. @returns true if there was anything */
    reportCheckFailures(s: ResourceState, failures: readonly CheckFailure[]): boolean;
}
