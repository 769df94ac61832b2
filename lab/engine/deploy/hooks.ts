import * as pb from "@pulumi/pulumi/proto/resource_pb";
import { urnName, type ResourceState } from "../state";
import { encodeStruct, type ValueMap } from "../value";
import type { StepContext } from "./context";

export type HookKind = "BeforeCreate" | "AfterCreate" | "BeforeUpdate" | "AfterUpdate" | "BeforeDelete" | "AfterDelete";

/** How values travel to hooks. */
export const HOOK_WIRE = { keepSecrets: true, keepOutputs: true, keepResources: true };

/** What a hook receives. */
export interface HookFacts {
    newInputs?: ValueMap;
    oldInputs?: ValueMap;
    newOutputs?: ValueMap;
    oldOutputs?: ValueMap;
    newState?: ResourceState;
    oldState?: ResourceState;
}

/** The options of a resource, as hooks receive them. */
export function hookOptions(s: ResourceState): pb.ResourceOptions {
    const o = new pb.ResourceOptions();
    o.setDependsOnList(s.dependencies);
    o.setProtect(s.protect);
    o.setIgnoreChangesList(s.ignoreChanges);
    o.setReplaceOnChangesList(s.replaceOnChanges);
    o.setProvider(s.provider);
    o.setRetainOnDelete(s.retainOnDelete);
    o.setDeletedWith(s.deletedWith);
    o.setAdditionalSecretOutputsList(s.additionalSecretOutputs);
    o.setImport(s.importID);
    o.setHideDiffList(s.hideDiff);
    o.setReplaceWithList(s.replaceWith);
    o.setParent(s.parent);
    return o;
}

/** Runs the hooks of one kind, one after the other. @throws Error of the first one that fails */
async function run(d: StepContext, s: ResourceState, kind: HookKind, facts: HookFacts): Promise<void> {
    for (const name of s.resourceHooks[kind] ?? []) {
        const hook = d.hooks.get(name);
        if (!hook) throw new Error(`resource hook not registered for ${name}`);
        if (d.options.preview && !hook.onDryRun) continue;
        const q = new pb.ResourceHookRequest();
        q.setUrn(s.urn);
        q.setId(s.id);
        q.setName(urnName(s.urn));
        q.setType(s.type);
        if (facts.newInputs) q.setNewInputs(encodeStruct(facts.newInputs, HOOK_WIRE));
        if (facts.oldInputs) q.setOldInputs(encodeStruct(facts.oldInputs, HOOK_WIRE));
        if (facts.newOutputs) q.setNewOutputs(encodeStruct(facts.newOutputs, HOOK_WIRE));
        if (facts.oldOutputs) q.setOldOutputs(encodeStruct(facts.oldOutputs, HOOK_WIRE));
        if (facts.newState) q.setNewOptions(hookOptions(facts.newState));
        if (facts.oldState) q.setOldOptions(hookOptions(facts.oldState));
        let error: string;
        try {
            error = pb.ResourceHookResponse.deserializeBinary(
                await d.callbacks.invoke(hook.callback, q.serializeBinary()),
            ).getError();
        } catch (e) {
            error = (e as Error).message;
        }
        if (error !== "")
            throw new Error(`${kind.startsWith("Before") ? "before" : "after"} hook "${name}" failed: ${error}`);
    }
}

/** Hooks before an operation: if one fails, the operation does not take place. */
export async function beforeHooks(d: StepContext, s: ResourceState, kind: HookKind, facts: HookFacts): Promise<void> {
    await run(d, s, kind, facts);
}

/** Hooks after an operation: if one fails, the run fails, but what has been done stays. */
export async function afterHooks(d: StepContext, s: ResourceState, kind: HookKind, facts: HookFacts): Promise<void> {
    try {
        await run(d, s, kind, facts);
    } catch (e) {
        d.diag.error(s.urn, (e as Error).message);
        d.postStepError = e as Error;
    }
}
