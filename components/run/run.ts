/** State of a run: hooks, and the order in which its Services change. */
import { AsyncResource } from "node:async_hooks";
import * as os from "node:os";
import * as pulumi from "@pulumi/pulumi";
import type { ServiceKey } from "../../provider/resources/handlers/claim";
import type { ServiceContract } from "../../provider/resources";
import { Turns } from "../../provider/net";
import { defined, once } from "../../provider/schema/defined";
import type { ObservedListener } from "../../provider/schema/observed";
import { promiseOf, rawOf } from "./outputs";

/** Runs of a process without a stack resource, as the plugin is, by the address of their engine. */
const runs = new Map<string, object>();

function runByEngine(): object {
    const monitor = pulumi.runtime.getMonitor() as { getChannel?: () => { getTarget(): string } } | undefined;
    // Mocks of unit tests have no engine: each of them is a run.
    if (monitor !== undefined && monitor.getChannel === undefined) return monitor;
    return once(runs, monitor?.getChannel?.().getTarget() ?? "", () => ({}));
}

/** Returns a function that creates a value once per run: a process can run several programs, even at the same time. */
export function perRun<Kept extends object>(make: () => Kept): () => Kept {
    const kept = new WeakMap<object, Kept>();
    return () => once(kept, pulumi.runtime.getStackResource() ?? runByEngine(), make);
}

/** Service and instance of a component. */
export interface EventSubject extends ServiceKey {
    readonly loadBalancerId: string;
}

export const runFacts = perRun(() => ({
    /** Observed listeners of reused instances that Services of this program may replace, by account and instance. */
    announcedListeners: new Map<string, readonly ObservedListener[]>(),
    /** Health check ports of listeners, by the name of the resource. */
    checkPorts: new Map<string, string>(),
    /** Addresses of Services whose instance may be replaced, by ownership tag: another of its name may exist. */
    replaceable: new Map<string, readonly string[]>(),
    /** Subjects of events by component, none for a load balancer of several Services. */
    subjects: new Map<string, pulumi.Output<EventSubject>>(),
}));

const PROPERTIES = ["oldInputs", "newInputs", "oldOutputs", "newOutputs"] as const;
type WithProperties = { readonly [Name in (typeof PROPERTIES)[number]]?: Record<string, unknown> };

/** Returns a hook that gets the values of properties that are or have secrets, of which the SDK makes Outputs. */
export const withValues =
    <Args extends WithProperties, Result>(callback: (args: Args) => Result | Promise<Result>) =>
    async (args: Args): Promise<Result> => {
        const found = PROPERTIES.map(async (name) => [name, args[name] && (await valuesOf(args[name]))]);
        return callback({ ...args, ...defined(Object.fromEntries(await Promise.all(found)) as WithProperties) });
    };

async function valuesOf(properties: object): Promise<object> {
    const found = Object.entries(properties).map(async ([name, value]: [string, unknown]) => [
        name,
        pulumi.Output.isInstance(value) ? await rawOf(value) : value,
    ]);
    return Object.fromEntries(await Promise.all(found)) as object;
}

/** Creates a hook bound to the async context of its run, for logs and {@link perRun}: the engine calls without it. */
export function resourceHook(
    name: string,
    callback: pulumi.ResourceHookFunction,
    options?: pulumi.ResourceHookOptions,
): pulumi.ResourceHook {
    return new pulumi.ResourceHook(name, AsyncResource.bind(withValues(callback)), options);
}

/** Creates an error hook bound to its run, like {@link resourceHook}. */
export function errorHook(name: string, callback: pulumi.ErrorHookFunction): pulumi.ErrorHook {
    return new pulumi.ErrorHook(name, AsyncResource.bind(withValues(callback)));
}

/**
 * Number of Services that a run changes at once: the engine's parallel steps (`--parallel`, by default four per
 * processor), at least 8. Without a bound all Services wait for the write quota of the same action.
 */
function servicesAtOnce(): number {
    const steps = Number(process.env["PULUMI_NODEJS_PARALLEL"]);
    return Math.max(8, steps > 0 ? steps : 4 * os.availableParallelism());
}

/** Turns of the Services that wait for nothing else of the program. */
const turns = perRun(() => new Turns(servicesAtOnce()));

/** Passes a Service's turn on once its last resource is registered or has failed. */
export function endTurn(independent: boolean, last: pulumi.Resource): void {
    if (!independent || pulumi.runtime.isDryRun()) return;
    const release = () => turns().release();
    promiseOf(last.urn).then(release, release);
}

/** Contracts of a run that wait for nothing else of the program. */
const contracts = perRun(() => {
    const independent: ServiceContract[] = [];
    let registered: Promise<void> | undefined;
    /** Resolves once all contracts are registered that the program makes before it first waits. */
    const all = (): Promise<void> =>
        (registered ??= new Promise((resolve) => setImmediate(resolve)).then(async () => {
            await Promise.all(independent.map(({ urn }) => promiseOf(urn)));
            if (pulumi.log.hasErrors()) throw new pulumi.RunError("no Service was changed, because the program failed");
        }));
    return { independent, all };
});

/** Records a contract, unless it may wait for another component, which would wait for it in turn. */
export function noteContract(independent: boolean, contract: ServiceContract): void {
    if (independent) contracts().independent.push(contract);
}

/**
 * Delays a value until all contracts are registered and it is this Service's turn: without a preview, too, a refused
 * Service prevents all changes. The wait is no dependency in the state, so single Services can still be targeted.
 */
export function afterAllChecks<Value>(independent: boolean, value: Value): pulumi.Output<pulumi.Unwrap<Value>> {
    if (pulumi.runtime.isDryRun()) return pulumi.output(value);
    const turn = contracts()
        .all()
        .then(() => (independent ? turns().take() : undefined));
    return pulumi.output(turn.then(() => value));
}
