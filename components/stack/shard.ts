/** Several stacks that share the Services of one folder: which of them each Service belongs to. */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { ServiceObject } from "../../provider/kubernetes";
import { STACK_ANNOTATION } from "../../provider/kubernetes/service/service";

/** One of several stacks with the same folder. */
export interface Shard {
    /** From 0. */
    readonly index: number;
    /** Of all stacks, at least 1. */
    readonly count: number;
    /** What stays together: all Services of a namespace, or nothing. Default `hash`. */
    readonly by: "namespace" | "hash";
}

/**
 * The shard of a Service, `namespace/name`: of all shards the one with the greatest hash of its index and the key (rendezvous hashing). One shard more so takes
 * its share evenly from all others, and moves nothing else.
 */
export function shardOf(service: string, { count, by }: Pick<Shard, "count" | "by">): number {
    const key = by === "namespace" ? service.slice(0, service.indexOf("/")) : service;
    const weights = Array.from({ length: count }, (_, index) =>
        createHash("sha256").update(`${index}\n${key}`).digest("hex"),
    );
    return weights.indexOf(weights.reduce((one, other) => (other > one ? other : one)));
}

/** The part of the folder's Services that is a shard's; all of them without one. */
export function ofShard<Value>(services: ReadonlyMap<string, Value>, shard: Shard | undefined): Map<string, Value> {
    return new Map([...services].filter(([key]) => shard === undefined || shardOf(key, shard) === shard.index));
}

/**
 * Refuses a run that would leave out a Service which this stack still applies, because it belongs to another shard now: left out, it would be deleted together with its
 * load balancer.
 *
 * @param live a Service of another shard, as it is in the cluster.
 * @throws RunError with how the Service moves
 */
export function refuseLeavingOut(live: ServiceObject | undefined, key: string, shard: Shard, stack: string): void {
    if (live?.metadata.annotations?.[STACK_ANNOTATION] !== stack) return;
    throw new pulumi.RunError(
        `Service ${key} belongs to shard ${shardOf(key, shard)} of ${shard.count} now, and this stack (shard ${shard.index}) still applies it: to leave it out would delete it with its load balancer. ` +
            `Remedy: move it with pulumi state move to the stack of shard ${shardOf(key, shard)}, run that stack, then this one (docs/scale.md#move-a-service); or set shard back.`,
    );
}
