import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as sweep from "../provider/deploy/clb/sweep";
import { createCloud } from "../provider/alicloud";
import type { ObservedListener } from "../provider/model/observed";
import { ownerInReason, OWNER_TAG } from "../provider/model/names";
import { clbProtocol } from "../provider/schema/protocols";
import type { Cluster } from "./cluster";
import { diagnoseHook } from "./explain";

/**
 * Hooks that make an interrupted create repeatable.
 *
 * CLB calls take no idempotency token, and the engine repeats a create whose end it did not see. Each hook runs only when the engine is about to create, looks for our
 * own half-made object by its deterministic name, and removes it if it carries no traffic. There are no delete hooks: they would make `pulumi destroy` need the program.
 */
export interface SweepHooks {
    /** For what needs no sweeping: errors are explained, as with all others. */
    readonly other: pulumi.ResourceHookBinding;
    readonly loadBalancer: pulumi.ResourceHookBinding;
    readonly serverGroup: pulumi.ResourceHookBinding;
    readonly listener: pulumi.ResourceHookBinding;
    readonly acl: pulumi.ResourceHookBinding;
}

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

/** The hooks of CLB resources in a region. */
export const sweepHooks = byRegion(makeHooks);

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

/** Addresses of instances whose replacement a program has allowed. */
const replaceable = new Set<string>();

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

function makeHooks(region: string | undefined): SweepHooks {
    const cloud = () => createCloud({ region });
    // Instances made in this run are empty: what would be looked for in them cannot be there.
    const fresh = new Set<string>();
    // Ports with one nodePort have groups of one name: what the first of them has made in this run is not looked for again.
    const swept = new Map<string, Promise<void>>();
    const sweepGroup = (id: string, name: string): Promise<void> => {
        const key = `${id} ${name}`;
        const running = swept.get(key) ?? sweep.serverGroup(cloud(), id, name);
        swept.set(key, running);
        return running;
    };
    const suffix = region === undefined ? "" : `-${region}`;
    const hook = (name: string, run: pulumi.ResourceHookFunction) =>
        new pulumi.ResourceHook(`ack-loadbalancer-${name}${suffix}`, run);
    const onError = [diagnoseHook()];
    const text = (inputs: Record<string, unknown> | undefined, key: string) => String(inputs?.[key] ?? "");
    return {
        other: { onError },
        loadBalancer: {
            onError,
            beforeCreate: [
                hook("sweep-load-balancer", (args) =>
                    sweep.loadBalancer(cloud(), {
                        name: text(args.newInputs, "loadBalancerName"),
                        owner:
                            text(args.newInputs?.["tags"], OWNER_TAG) ||
                            (ownerInReason(text(args.newInputs, "modificationProtectionReason")) ?? ""),
                        replaced: replaceable,
                    }),
                ),
            ],
            afterCreate: [hook("note-load-balancer", (args) => void fresh.add(args.id))],
        },
        serverGroup: {
            onError,
            beforeCreate: [
                hook("sweep-server-group", async (args) => {
                    const id = text(args.newInputs, "loadBalancerId");
                    await (fresh.has(id) ? undefined : sweepGroup(id, text(args.newInputs, "name")));
                }),
            ],
        },
        acl: { onError, beforeCreate: [hook("sweep-acl", (args) => sweep.acl(cloud(), text(args.newInputs, "name")))] },
        listener: {
            onError,
            beforeCreate: [
                hook("sweep-listener", async (args) => {
                    const id = text(args.newInputs, "loadBalancerId");
                    const listener = {
                        port: Number(args.newInputs?.["frontendPort"]),
                        protocol: clbProtocol(text(args.newInputs, "protocol")),
                        description: text(args.newInputs, "description"),
                    };
                    await (fresh.has(id)
                        ? undefined
                        : sweep.listener(cloud(), id, listener, announced.get(`${region ?? ""} ${id}`)));
                }),
            ],
            afterUpdate: [
                hook("start-listener", async (args) => {
                    // An update that changes nothing is the engine's second try at an object whose creation failed halfway; others cost no call more.
                    const listener = {
                        port: Number(args.newInputs?.["frontendPort"]),
                        protocol: clbProtocol(text(args.newInputs, "protocol")),
                    };
                    await (isDeepStrictEqual(args.oldInputs, args.newInputs)
                        ? sweep.ensureStarted(cloud(), text(args.newInputs, "loadBalancerId"), listener)
                        : undefined);
                }),
            ],
        },
    };
}
