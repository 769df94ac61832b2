import { newState, type ResourceState } from "../state";
import type { Goal, ReadEvent, RegisterEvent } from "./goal";

/** A registration between the moments at which the generator has to wait for something else. */
export interface Registration {
    event: RegisterEvent;
    urn: string;
    old: ResourceState | undefined;
    now: ResourceState;
    /** Something has been reported that lets it fail once everything else has been looked at. */
    invalid: boolean;
}

/**
 * The state a goal asks for, before a provider has looked at it.
 * @param aliases URNs under which the resource was found, if not under its own
 */
export function stateOfGoal(urn: string, goal: Goal, aliases: string[], old: ResourceState | undefined): ResourceState {
    return newState({
        urn,
        type: goal.type,
        custom: goal.custom,
        inputs: goal.properties,
        parent: goal.parent,
        protect: goal.protect ?? false,
        dependencies: goal.dependencies,
        provider: goal.provider,
        propertyDependencies: goal.propertyDependencies,
        additionalSecretOutputs: goal.additionalSecretOutputs,
        aliases,
        customTimeouts: goal.customTimeouts,
        importID: goal.importId,
        retainOnDelete: goal.retainOnDelete ?? false,
        deletedWith: goal.deletedWith,
        replaceWith: goal.replaceWith,
        created: old?.created,
        modified: old?.modified,
        sourcePosition: goal.sourcePosition,
        stackTrace: goal.stackTrace,
        ignoreChanges: goal.ignoreChanges,
        hideDiff: goal.hideDiff,
        replaceOnChanges: goal.replaceOnChanges,
        replacementTrigger: goal.replacementTrigger,
        resourceHooks: goal.resourceHooks,
        refreshBeforeUpdate: old?.refreshBeforeUpdate ?? false,
    });
}

/** The state of a resource that is only read. */
export function stateOfRead(urn: string, e: ReadEvent): ResourceState {
    return newState({
        urn,
        type: e.type,
        custom: true,
        id: e.id,
        inputs: e.properties,
        parent: e.parent,
        external: true,
        dependencies: e.dependencies,
        provider: e.provider,
        additionalSecretOutputs: e.additionalSecretOutputs,
        sourcePosition: e.sourcePosition,
        stackTrace: e.stackTrace,
    });
}
