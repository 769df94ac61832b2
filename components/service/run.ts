import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";

const withoutStack = {};

/** Returns a function that creates a value once per run: a process can run several programs, even at the same time. */
export function perRun<Kept extends object>(make: () => Kept): () => Kept {
    const kept = new WeakMap<object, Kept>();
    return () => {
        const run = pulumi.runtime.getStackResource() ?? withoutStack;
        const known = kept.get(run) ?? make();
        kept.set(run, known);
        return known;
    };
}

/** Creates a hook bound to the async context of its run, for logs and {@link perRun}: the engine calls without it. */
export function resourceHook(
    name: string,
    callback: pulumi.ResourceHookFunction,
    options?: pulumi.ResourceHookOptions,
): pulumi.ResourceHook {
    return new pulumi.ResourceHook(name, AsyncResource.bind(callback), options);
}

/** Creates an error hook bound to its run, like {@link resourceHook}. */
export function errorHook(name: string, callback: pulumi.ErrorHookFunction): pulumi.ErrorHook {
    return new pulumi.ErrorHook(name, AsyncResource.bind(callback));
}
