/** What the resource hooks of both kinds of load balancer share. */
import * as pulumi from "@pulumi/pulumi";
import type { ObservedListener } from "../../provider/model/observed";
import type { Account } from "../../provider/schema/account";
import { accountDigest, accountKey } from "./account";
import type { RetakenService } from "../../provider/deploy/handlers/contract";
import type { Cluster } from "./cluster";
import { GivenOutputs } from "./outputs";
import { perRun, resourceHook } from "./run";

/** Hooks for each account and region; the same objects for every Service, because hook names are global in a run. None in unit tests, whose mocks know no hooks. */
export function byAccount<Hooks extends object>(
    make: (account: Account) => Hooks,
): (account: Account) => Partial<Hooks> {
    const made = perRun(() => new Map<string, Hooks>());
    return (account) => {
        if (!hooksSupported()) {
            return {};
        }
        const key = accountKey(account);
        const hooks = made().get(key) ?? make(account);
        made().set(key, hooks);
        return hooks;
    };
}

/** Listeners that stand where Services of this program are to have theirs, by account and instance: what was announced may be replaced, nothing else. */
const announced = perRun(() => new Map<string, readonly ObservedListener[]>());

/** Lets the listeners of a reused instance that were announced be replaced. */
export function announceListeners(
    account: Account,
    loadBalancerId: string,
    listeners: readonly ObservedListener[],
): void {
    const key = `${accountKey(account)} ${loadBalancerId}`;
    announced().set(key, [...(announced().get(key) ?? []), ...listeners]);
}

/** The listeners of an instance that were announced. */
export function announcedListeners(account: Account, loadBalancerId: string): readonly ObservedListener[] {
    return announced().get(`${accountKey(account)} ${loadBalancerId}`) ?? [];
}

const checkPorts = perRun(() => new Map<string, string>());

/** Notes which port of its backends a listener checks, by the name of its resource. */
export function noteCheckPort(listener: string, port: string): void {
    checkPorts().set(listener, port);
}

/** The noted port. */
export const checkPortOf = (listener: string): string | undefined => checkPorts().get(listener);

const replaceable = perRun(() => new Set<string>());

/** Addresses of instances whose replacement the program has allowed. */
export function replaceableAddresses(): ReadonlySet<string> {
    return replaceable();
}

/** Lets an instance with one of these addresses stand while another of its name is made. */
export function allowReplacementOf(addresses: readonly string[]): void {
    for (const address of addresses) {
        replaceable().add(address);
    }
}

const serviceHooks = new WeakMap<Cluster, pulumi.ResourceHookBinding>();

/** The hooks of Services that a stack applies: what an interrupted run left goes, and what was created is ready for the preview of its first change. None in unit tests. */
export function appliedServiceHooks(cluster: Cluster): pulumi.ResourceHookBinding | undefined {
    if (!hooksSupported()) {
        return undefined;
    }
    const known = serviceHooks.get(cluster);
    if (known !== undefined) {
        return known;
    }
    const sweep = resourceHook(`ack-loadbalancer-sweep-service-${cluster.name}`, async (args) => {
        const metadata = args.newInputs?.["metadata"] as { namespace: string; name: string };
        await cluster.sweep({ ...metadata, stack: stackMark() });
    });
    const own = resourceHook(`ack-loadbalancer-own-service-${cluster.name}`, ({ newOutputs }) =>
        cluster.ownFields(newOutputs),
    );
    const binding = { beforeCreate: [sweep], afterCreate: [own] };
    serviceHooks.set(cluster, binding);
    return binding;
}

/** The hooks that take Services over again, by their cluster. */
const retakeHooks = new WeakMap<Cluster, pulumi.ResourceHook>();

/** The hook that tells, at preview already, that the Cloud Controller Manager has taken back a Service, and takes it over again before anything of it is changed. */
export function retakeHook(cluster: Cluster): pulumi.ResourceHook {
    const known = retakeHooks.get(cluster);
    if (known !== undefined) return known;
    const hook = resourceHook(
        `ack-loadbalancer-retake-service-${cluster.name}`,
        async ({ newInputs }) => {
            const { retaken } = (newInputs ?? {}) as { retaken?: RetakenService };
            if (retaken === undefined) return;
            const { namespace, name, loadBalancerType, marks } = retaken;
            await pulumi.log.warn(
                `Service ${namespace}/${name}: the Cloud Controller Manager has taken it back since this stack took it over: ${marks.join(", ")}. This run takes it over again.`,
            );
            if (!pulumi.runtime.isDryRun()) await cluster.claim(retaken, loadBalancerType);
        },
        { onDryRun: true },
    );
    retakeHooks.set(cluster, hook);
    return hook;
}

/** The mark of this stack on Services that it applies. */
export function stackMark(): string {
    return `${pulumi.getProject()}/${pulumi.getStack()}`;
}

/** The mock monitor of Pulumi's unit tests has no hooks; registering one there is an unhandled rejection. */
export function hooksSupported(): boolean {
    const monitor: unknown = pulumi.runtime.getMonitor();
    return typeof monitor === "object" && monitor !== null && "registerResourceHook" in monitor;
}

/** End of the names of the hooks of an account, which are global in a run. */
export function hookSuffix(account: Account): string {
    const key = accountKey(account);
    return key === "" ? "" : `-${new GivenOutputs(account).none ? key : accountDigest(account)}`;
}
