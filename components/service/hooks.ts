/** What the resource hooks of both kinds of load balancer share. */
import * as pulumi from "@pulumi/pulumi";
import type { ObservedListener } from "../../provider/model/observed";
import type { Cluster } from "./cluster";

/** Hooks for each region; the same objects for every Service, because hook names are global in a run. None in unit tests, whose mocks know no hooks. */
export function byRegion<Hooks extends object>(
    make: (region: string | undefined) => Hooks,
): (region: string | undefined) => Partial<Hooks> {
    const made = new Map<string, Hooks>();
    return (region) => {
        if (!hooksSupported()) {
            return {};
        }
        const hooks = made.get(region ?? "") ?? make(region);
        made.set(region ?? "", hooks);
        return hooks;
    };
}

/** Listeners that stand where Services of this program are to have theirs, by region and instance: what was announced may be replaced, nothing else. */
const announced = new Map<string, readonly ObservedListener[]>();

/** Lets the listeners of a reused instance that were announced be replaced. */
export function announceListeners(
    region: string | undefined,
    loadBalancerId: string,
    listeners: readonly ObservedListener[],
): void {
    const key = `${region ?? ""} ${loadBalancerId}`;
    announced.set(key, [...(announced.get(key) ?? []), ...listeners]);
}

/** The listeners of an instance that were announced. */
export function announcedListeners(region: string | undefined, loadBalancerId: string): readonly ObservedListener[] {
    return announced.get(`${region ?? ""} ${loadBalancerId}`) ?? [];
}

const replaceable = new Set<string>();

/** Addresses of instances whose replacement a program has allowed. */
export const replaceableAddresses: ReadonlySet<string> = replaceable;

/** Lets an instance with one of these addresses stand while another of its name is made. */
export function allowReplacementOf(addresses: readonly string[]): void {
    for (const address of addresses) {
        replaceable.add(address);
    }
}

const serviceHooks = new WeakMap<Cluster, pulumi.ResourceHookBinding>();

/** The hook of Services that a stack applies; none in unit tests. */
export function sweepServiceHook(cluster: Cluster): pulumi.ResourceHookBinding | undefined {
    if (!hooksSupported()) {
        return undefined;
    }
    const known = serviceHooks.get(cluster);
    if (known !== undefined) {
        return known;
    }
    const hook = new pulumi.ResourceHook(`ack-loadbalancer-sweep-service-${cluster.facts.clusterId}`, async (args) => {
        const metadata = args.newInputs?.["metadata"] as { namespace: string; name: string };
        await cluster.sweep({ ...metadata, stack: stackMark() });
    });
    const binding = { beforeCreate: [hook] };
    serviceHooks.set(cluster, binding);
    return binding;
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
