import { expect, test } from "@jest/globals";
import { ofShard, refuseLeavingOut, type Shard, shardOf } from "./shard";

const KEYS = Array.from({ length: 1000 }, (_, index) => `ns-${index % 40}/s-${index}`);

test("the assignment is the same in every version: Services would move otherwise", () => {
    const assigned = (by: Shard["by"]) =>
        ["shop/web", "shop/api", "default/web"].map((key) => shardOf(key, { count: 4, by }));
    expect([assigned("hash"), assigned("namespace")]).toStrictEqual([
        [3, 3, 0],
        [0, 0, 3],
    ]);
});

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    "of %i shards, every Service is in one, and they are of about one size",
    (count) => {
        const all = new Map(KEYS.map((key) => [key, key]));
        const shards = Array.from({ length: count }, (_, index) => ofShard(all, { index, count, by: "hash" }));
        expect(shards.flatMap((shard) => [...shard.keys()]).sort()).toStrictEqual([...KEYS].sort());
        for (const { size } of shards) expect(Math.abs(size - 1000 / count)).toBeLessThan(400 / Math.sqrt(count));
    },
);

test("one shard more takes Services from the others, and moves none between those", () => {
    for (const count of [1, 2, 5, 9]) {
        const moved = KEYS.filter(
            (key) => shardOf(key, { count, by: "hash" }) !== shardOf(key, { count: count + 1, by: "hash" }),
        );
        expect(moved.every((key) => shardOf(key, { count: count + 1, by: "hash" }) === count)).toBe(true);
        expect(moved.length).toBeLessThan((1000 / (count + 1)) * 1.4);
    }
});

test("by namespace, the Services of one stay together", () => {
    const shards = new Map<string, Set<number>>();
    for (const key of KEYS) {
        const namespace = key.slice(0, key.indexOf("/"));
        shards.set(namespace, (shards.get(namespace) ?? new Set()).add(shardOf(key, { count: 5, by: "namespace" })));
    }
    expect([...shards.values()].every(({ size }) => size === 1)).toBe(true);
});

test("a Service that this stack applies is not left out; another's is, and one that is not there", () => {
    const shard: Shard = { index: 1, count: 2, by: "hash" };
    const applied = (stack: string) => ({
        metadata: { name: "web", annotations: { "ack-loadbalancer.io/stack": stack } },
    });
    expect(() => refuseLeavingOut(applied("p/a"), "shop/web", shard, "p/a")).toThrow(
        /shop\/web belongs to shard \d of 2 now, and this stack \(shard 1\) still applies it.*pulumi state move/,
    );
    expect(() => refuseLeavingOut(applied("p/b"), "shop/web", shard, "p/a")).not.toThrow();
    expect(() => refuseLeavingOut(undefined, "shop/web", shard, "p/a")).not.toThrow();
});
