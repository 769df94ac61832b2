import type { CustomTimeouts, ResourceState, StackFrame } from "../state";
import type { Value, ValueMap } from "../value";

/** One alias of a resource, as the program gives it: a whole URN, or parts that replace the resource's own. */
export type AliasSpec =
    { urn: string } | { name: string; type: string; parent: string; noParent: boolean; project: string; stack: string };

/** What a program wants of a resource. */
export interface Goal {
    type: string;
    name: string;
    custom: boolean;
    /** Id of an existing object to import; empty = none. */
    importId: string;
    properties: ValueMap;
    parent: string;
    protect: boolean | undefined;
    dependencies: string[];
    provider: string;
    propertyDependencies: Record<string, string[]>;
    deleteBeforeReplace: boolean | undefined;
    ignoreChanges: string[];
    additionalSecretOutputs: string[];
    aliases: AliasSpec[];
    customTimeouts: CustomTimeouts;
    replaceOnChanges: string[];
    retainOnDelete: boolean | undefined;
    deletedWith: string;
    replaceWith: string[];
    replacementTrigger: Value | undefined;
    hideDiff: string[];
    sourcePosition: string;
    stackTrace: StackFrame[];
    resourceHooks: Record<string, string[]>;
}

/** A goal with nothing but an identity. */
export function newGoal(g: Pick<Goal, "type" | "name" | "custom"> & Partial<Goal>): Goal {
    return {
        importId: "",
        properties: {},
        parent: "",
        protect: undefined,
        dependencies: [],
        provider: "",
        propertyDependencies: {},
        deleteBeforeReplace: undefined,
        ignoreChanges: [],
        additionalSecretOutputs: [],
        aliases: [],
        customTimeouts: {},
        replaceOnChanges: [],
        retainOnDelete: undefined,
        deletedWith: "",
        replaceWith: [],
        replacementTrigger: undefined,
        hideDiff: [],
        sourcePosition: "",
        stackTrace: [],
        resourceHooks: {},
        ...g,
    };
}

/** Options that a child takes over from its parent if it does not set them itself. */
export function inheritOptions(child: Goal, parent: Goal): void {
    if (child.deletedWith === "") child.deletedWith = parent.deletedWith;
    child.protect ??= parent.protect;
    child.retainOnDelete ??= parent.retainOnDelete;
}

/** How a registration ended. */
export interface RegisterResult {
    state: ResourceState;
    result: "success" | "failed" | "skipped";
}

/** A registration waiting for its result. */
export interface RegisterEvent {
    kind: "register";
    goal: Goal;
    done(r: RegisterResult): void;
}

/** A read waiting for its result. */
export interface ReadEvent {
    kind: "read";
    id: string;
    type: string;
    name: string;
    parent: string;
    provider: string;
    properties: ValueMap;
    dependencies: string[];
    additionalSecretOutputs: string[];
    sourcePosition: string;
    stackTrace: StackFrame[];
    done(r: RegisterResult): void;
}

/** Outputs of a component or of the stack. */
export interface OutputsEvent {
    kind: "outputs";
    urn: string;
    outputs: ValueMap;
    done(): void;
}

/** What comes out of a running program. */
export type SourceEvent = RegisterEvent | ReadEvent | OutputsEvent;
