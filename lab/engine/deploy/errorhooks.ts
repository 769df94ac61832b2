import * as pb from "@pulumi/pulumi/proto/resource_pb";
import { InitError } from "../plugin";
import { urnName, type ResourceState } from "../state";
import { encodeStruct } from "../value";
import type { StepContext } from "./context";
import { HOOK_WIRE, hookOptions, type HookFacts } from "./hooks";

/** Most tries of one operation, however often its hooks ask for another one. */
const MOST_TRIES = 100;

/** An operation of a provider whose failure error hooks receive. */
export type FailedOperation = "create" | "update" | "delete";

/**
 * Lets a provider act, and asks the error hooks of the resource when that fails: one that says so gets another try.
 *
 * Half-made objects are not retried: they are on record with their errors. A program that is not running (destroy) has no hooks.
 *
 * @throws the last error
 */
export async function withErrorHooks<T>(
    d: StepContext,
    s: ResourceState,
    operation: FailedOperation,
    facts: HookFacts,
    act: () => Promise<T>,
): Promise<T> {
    const errors: string[] = [];
    for (;;) {
        try {
            return await act();
        } catch (e) {
            if (d.options.preview || e instanceof InitError) throw e;
            errors.unshift(e instanceof Error ? e.message : String(e));
            if (errors.length >= MOST_TRIES || !(await askForRetry(d, s, operation, facts, errors))) throw e;
        }
    }
}

async function askForRetry(
    d: StepContext,
    s: ResourceState,
    operation: FailedOperation,
    facts: HookFacts,
    errors: readonly string[],
): Promise<boolean> {
    let retry = false;
    for (const name of s.resourceHooks["OnError"] ?? []) {
        const hook = d.hooks.get(name);
        if (!hook) continue;
        try {
            const answer = pb.ErrorHookResponse.deserializeBinary(
                await d.callbacks.invoke(hook.callback, question(s, operation, facts, errors).serializeBinary()),
            );
            if (answer.getError() !== "") throw new Error(answer.getError());
            retry ||= answer.getRetry();
        } catch (e) {
            d.diag.warning(s.urn, `error hook "${name}" failed: ${(e as Error).message}`);
        }
    }
    return retry;
}

function question(
    s: ResourceState,
    operation: FailedOperation,
    facts: HookFacts,
    errors: readonly string[],
): pb.ErrorHookRequest {
    const q = new pb.ErrorHookRequest();
    q.setUrn(s.urn);
    q.setId(s.id);
    q.setName(urnName(s.urn));
    q.setType(s.type);
    q.setFailedOperation(operation);
    q.setErrorsList([...errors]);
    if (facts.newInputs) q.setNewInputs(encodeStruct(facts.newInputs, HOOK_WIRE));
    if (facts.oldInputs) q.setOldInputs(encodeStruct(facts.oldInputs, HOOK_WIRE));
    if (facts.oldOutputs) q.setOldOutputs(encodeStruct(facts.oldOutputs, HOOK_WIRE));
    if (facts.newState) q.setNewOptions(hookOptions(facts.newState));
    if (facts.oldState) q.setOldOptions(hookOptions(facts.oldState));
    return q;
}
