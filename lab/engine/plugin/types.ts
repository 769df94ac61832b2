import type { DetailedDiff, ValueMap } from "../value";

/** Property and reason of something wrong with inputs; the property may be empty. */
export interface CheckFailure {
    property: string;
    reason: string;
}
export interface CheckResult {
    inputs: ValueMap;
    failures: CheckFailure[];
}
/** A provider's verdict on a change. */
export interface DiffResult {
    /** `unknown` = the engine has to compare inputs itself. */
    changes: "unknown" | "none" | "some";
    replaceKeys: string[];
    stableKeys: string[];
    changedKeys: string[];
    /** Undefined if the provider gave none. */
    detailedDiff: DetailedDiff | undefined;
    deleteBeforeReplace: boolean;
}
export interface CreateResult {
    id: string;
    outputs: ValueMap;
    refreshBeforeUpdate: boolean;
}
export interface ReadResult {
    /** Empty if the object does not exist. */
    id: string;
    /** Undefined if the object does not exist. */
    outputs: ValueMap | undefined;
    /** Undefined if the provider does not tell. */
    inputs: ValueMap | undefined;
}

/** Identity of the resource a call is about. */
export interface Identity {
    urn: string;
    name: string;
    type: string;
}

/** What the engine asks of whatever manages resources. Time limits are in seconds, 0 = the provider's default. */
export interface Provider {
    check(r: Identity, olds: ValueMap, news: ValueMap, randomSeed: Uint8Array): Promise<CheckResult>;
    diff(
        r: Identity,
        id: string,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        ignoreChanges: readonly string[],
    ): Promise<DiffResult>;
    create(r: Identity, inputs: ValueMap, timeout: number, preview: boolean): Promise<CreateResult>;
    update(
        r: Identity,
        id: string,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        timeout: number,
        ignoreChanges: readonly string[],
        preview: boolean,
    ): Promise<CreateResult>;
    read(r: Identity, id: string, inputs: ValueMap | undefined, state: ValueMap | undefined): Promise<ReadResult>;
    delete(r: Identity, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void>;
    invoke(token: string, args: ValueMap, preview: boolean): Promise<{ result: ValueMap; failures: CheckFailure[] }>;
}

/** A provider that runs beside the engine and has a configuration of its own. */
export interface Plugin extends Provider {
    checkConfig(r: Identity, olds: ValueMap, news: ValueMap): Promise<CheckResult>;
    diffConfig(
        r: Identity,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        ignoreChanges: readonly string[],
    ): Promise<DiffResult>;
    configure(r: Identity, id: string, inputs: ValueMap): Promise<void>;
    /** Asks the plugin to stop what it is doing. */
    cancel(): Promise<void>;
    /** Ends it. */
    close(): Promise<void>;
}

/** A call to a plugin that failed. */
export class ProviderError extends Error {
    constructor(
        message: string,
        /** gRPC status code. */
        readonly code: number,
        /** True if it is not known what the failed call has done. */
        readonly unknownOutcome: boolean,
    ) {
        super(message);
    }
}

/** A create, update or read after which the object exists but is not in order. */
export class InitError extends Error {
    constructor(
        readonly reasons: string[],
        readonly id: string,
        readonly outputs: ValueMap,
        readonly inputs: ValueMap | undefined,
    ) {
        super(initErrorText(reasons));
    }
}

/** The list of reasons as one text. */
export function initErrorText(reasons: readonly string[]): string {
    return `${reasons.length} error${reasons.length === 1 ? "" : "s"} occurred:\n${reasons.map((r) => `\t* ${r}`).join("\n")}\n\n`;
}

/** A diff() that cannot be made because the provider's configuration is not known yet. */
export class DiffUnavailable extends Error {}
