import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";

const withoutStack = {};

/** What is kept for one run of a program: several can run in one process, one after the other or at once. Hooks are: they are registered with the engine of their run. */
export function perRun<Kept extends object>(make: () => Kept): () => Kept {
    const kept = new WeakMap<object, Kept>();
    return () => {
        const run = pulumi.runtime.getStackResource() ?? withoutStack;
        const known = kept.get(run) ?? make();
        kept.set(run, known);
        return known;
    };
}

/** A hook that runs as a part of the run that makes it: what it logs goes to that run's engine, and what is kept for the run is found. The engine calls hooks from outside of it. */
export function resourceHook(
    name: string,
    callback: pulumi.ResourceHookFunction,
    options?: pulumi.ResourceHookOptions,
): pulumi.ResourceHook {
    return new pulumi.ResourceHook(name, AsyncResource.bind(callback), options);
}

/** Likewise, for a hook that the engine calls after an error. */
export function errorHook(name: string, callback: pulumi.ErrorHookFunction): pulumi.ErrorHook {
    return new pulumi.ErrorHook(name, AsyncResource.bind(callback));
}
