import type { ValueMap } from "../value";

/** Time limits of one resource in seconds; absent means the provider's default. */
export interface CustomTimeouts {
    create?: number;
    update?: number;
    delete?: number;
}

/** Position in the program, as the SDK reports it; kept for the record only. */
export interface StackFrame {
    sourcePosition?: string;
}

/** Everything the engine remembers of one resource. Names follow the checkpoint format. */
export interface ResourceState {
    urn: string;
    type: string;
    custom: boolean;
    /** An old copy that has been replaced and still has to be deleted. */
    delete: boolean;
    /** Empty for components and before creation. */
    id: string;
    inputs: ValueMap;
    outputs: ValueMap;
    /** Empty for the root stack and for default providers. */
    parent: string;
    protect: boolean;
    taint: boolean;
    /** Read, not managed. */
    external: boolean;
    dependencies: string[];
    initErrors: string[];
    /** `<urn>::<id>`; empty for components and providers. */
    provider: string;
    propertyDependencies: Record<string, string[]>;
    /** Deleted first; the new object has not been made yet. */
    pendingReplacement: boolean;
    additionalSecretOutputs: string[];
    /** The URN under which the old state was found, if another one. */
    aliases: string[];
    customTimeouts: CustomTimeouts;
    importID: string;
    retainOnDelete: boolean;
    deletedWith: string;
    replaceWith: string[];
    /** RFC 3339; undefined in states that never had one. */
    created: string | undefined;
    modified: string | undefined;
    sourcePosition: string;
    stackTrace: StackFrame[];
    ignoreChanges: string[];
    hideDiff: string[];
    replaceOnChanges: string[];
    /** Undefined if the option was not given. */
    replacementTrigger: import("../value").Value | undefined;
    refreshBeforeUpdate: boolean;
    /** Kind of hook to names of hooks. */
    resourceHooks: Record<string, string[]>;
}

/** A state with the given identity and nothing else. */
export function newState(
    identity: Pick<ResourceState, "urn" | "type" | "custom"> & Partial<ResourceState>,
): ResourceState {
    return {
        delete: false,
        id: "",
        inputs: {},
        outputs: {},
        parent: "",
        protect: false,
        taint: false,
        external: false,
        dependencies: [],
        initErrors: [],
        provider: "",
        propertyDependencies: {},
        pendingReplacement: false,
        additionalSecretOutputs: [],
        aliases: [],
        customTimeouts: {},
        importID: "",
        retainOnDelete: false,
        deletedWith: "",
        replaceWith: [],
        created: undefined,
        modified: undefined,
        sourcePosition: "",
        stackTrace: [],
        ignoreChanges: [],
        hideDiff: [],
        replaceOnChanges: [],
        replacementTrigger: undefined,
        refreshBeforeUpdate: false,
        resourceHooks: {},
        ...identity,
    };
}

/** A copy whose lists and maps can be changed without touching the original. Property values are shared. */
export function copyState(s: ResourceState): ResourceState {
    return {
        ...s,
        inputs: { ...s.inputs },
        outputs: { ...s.outputs },
        dependencies: [...s.dependencies],
        initErrors: [...s.initErrors],
        propertyDependencies: Object.fromEntries(Object.entries(s.propertyDependencies).map(([k, v]) => [k, [...v]])),
        replaceWith: [...s.replaceWith],
        aliases: [...s.aliases],
    };
}

/** An operation that had begun when the record was written and whose end is not known. */
export interface PendingOperation {
    resource: ResourceState;
    type: "creating" | "updating" | "deleting" | "reading" | "importing";
}

/** The URN part of a provider reference `<urn>::<id>`. */
export function providerUrn(reference: string): string {
    return reference.slice(0, reference.lastIndexOf("::"));
}
/** The id part of a provider reference. */
export function providerId(reference: string): string {
    return reference.slice(reference.lastIndexOf("::") + 2);
}

/** Id of a provider that will be known only after the run. */
export const UNKNOWN_ID = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
