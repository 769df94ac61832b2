/** Events of watches, as an API server or a proxy may send them, up to the store of the sync controller. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { WatchOptions } from "../../../../provider/cluster/watch";
import { LiveCluster, type LiveClusterOptions } from "../../../../provider/sync/live/cluster";
import { Metrics } from "../../../../provider/sync/metrics";
import { Store } from "../../../../provider/sync/store";
import { binding, endpoint, node, service, slice, spec } from "../../../../test/support/sync-world";
import { target } from "../target";
import { damaged } from "../values";

const OBJECTS = {
    nodes: node("n0"),
    services: service(),
    endpointslices: slice(endpoint("10.0.0.1", "n0"), endpoint("10.0.0.2", "n0", "waiting")),
    servergroupbindings: binding(spec()),
} as const;

const EVENTS = Object.entries(OBJECTS).map(([of, { metadata, ...rest }]) => ({
    of,
    event: { type: "MODIFIED", object: { ...rest, metadata: { ...metadata, resourceVersion: "2" } } },
}));

/** Makes an API server that lists the objects, sends one event, and is silent. */
function serverOf(text: string, of: string, heard: () => void): LiveClusterOptions["client"] {
    let told = false;
    const watch: WatchOptions<never>["client"]["watch"] = async (_, path, __, { onLine, signal }) => {
        if (path.at(-1) === of && !told) {
            told = true;
            return onLine?.(text);
        }
        if (path.at(-1) === of) heard();
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    };
    return {
        watch,
        get: () => Promise.resolve(undefined),
        listVersion: (_, path, schema) => {
            const listed = OBJECTS[path.at(-1) as keyof typeof OBJECTS] as unknown;
            return Promise.resolve({ items: listed === undefined ? [] : [schema.parse(listed)], version: "1" });
        },
    };
}

async function watched({ of, event }: { readonly of: string; readonly event: unknown }): Promise<void> {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const store = new Store();
    const cluster = new LiveCluster({
        client: serverOf(JSON.stringify(event), of, resolve),
        store,
        clock: { now: () => 0, random: () => 0, sleep: () => Promise.resolve() },
        metrics: new Metrics(),
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        readinessGates: true,
        watchNamespaces: [],
        changed: () => undefined,
    });
    await cluster.start();
    await heard;
    cluster.stop();
    if ((event as { type?: unknown } | null)?.type === "DELETED") return;
    const { service: observed, nodes, endpointSlices } = store.observe("shop/web");
    assert.ok(observed !== undefined && nodes.length > 0);
    assert.ok(of === "endpointslices" || endpointSlices.length > 0);
}

export const WATCH = [
    target({
        name: "events of a watch",
        good: EVENTS[0],
        inputs: fc
            .constantFrom(...EVENTS)
            .chain(({ of, event }) => damaged(event).map((changed) => ({ of, event: changed }))),
        take: (input) => watched(input as (typeof EVENTS)[number]),
    }),
];
