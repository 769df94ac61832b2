import { expect, test } from "@jest/globals";
import { ClusterError, type ClusterErrorKind } from "./error";
import { LIST_FROM, SharedReads } from "./shared-reads";
import type { EndpointSliceObject, ServiceObject } from "../service/objects";

const service = (namespace: string, name: string): ServiceObject => ({ metadata: { namespace, name } });

const slice = (namespace: string, name: string, address: string): EndpointSliceObject => ({
    metadata: { namespace, name: `${name}-1`, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    endpoints: [{ addresses: [address] }],
});

/** A cluster with shop/s-0, shop/s-1 …, which counts what it is asked for. */
function cluster(count: number, refused: Readonly<Record<string, ClusterErrorKind>> = {}) {
    const asked: string[] = [];
    const names = Array.from({ length: count }, (_, index) => `s-${index}`);
    const answer = <Value>(request: string, value: Value): Promise<Value> => {
        asked.push(request);
        const kind = Object.entries(refused).find(([start]) => request.startsWith(start))?.[1];
        return kind === undefined
            ? Promise.resolve(value)
            : Promise.reject(new ClusterError({ kind, action: request, detail: "no" }));
    };
    let reads = 0;
    const reader = {
        getService: (namespace: string, name: string) =>
            answer(`get ${name}`, names.includes(name) ? service(namespace, name) : undefined),
        listServices: (namespace?: string) =>
            answer(
                `list services ${namespace ?? "everywhere"}`,
                names.map((name) => service("shop", name)),
            ),
        listEndpointSlices: (namespace: string, name: string) =>
            answer(`slices of ${name}`, [slice(namespace, name, `10.0.0.${(reads += 1)}`)]),
        listSlicesOfServices: (namespace?: string) => {
            const all = names.map((name) => slice("shop", name, `10.0.0.${(reads += 1)}`));
            return answer(`list slices ${namespace ?? "everywhere"}`, all);
        },
    };
    const clock = { now: 0 };
    return { asked, names, clock, reads: new SharedReads(reader, { now: () => clock.now }) };
}

const readAll = (reads: SharedReads, names: readonly string[], namespace = "shop") =>
    Promise.all(names.map((name) => reads.service(namespace, name)));

const slicesOf = (reads: SharedReads, names: readonly string[]) =>
    Promise.all(names.map((name) => reads.endpointSlices("shop", name, { fresh: false })));

test("five hundred Services take one list of Services and one of EndpointSlices", async () => {
    const { reads, names, asked } = cluster(500);
    expect((await readAll(reads, names)).map((found) => found?.metadata.name)).toStrictEqual(names);
    await readAll(reads, names);
    const slices = await slicesOf(reads, names);
    expect(slices.map((found) => found[0]?.metadata.name)).toStrictEqual(names.map((name) => `${name}-1`));
    expect(asked).toStrictEqual(["list services shop", "list slices shop"]);
});

test("a Service of a list has its kind, as one that is read alone", async () => {
    const { reads, names } = cluster(LIST_FROM);
    expect(await readAll(reads, names)).toStrictEqual(
        names.map((name) => ({ apiVersion: "v1", kind: "Service", metadata: { namespace: "shop", name } })),
    );
});

test("a few Services are read one by one, with as many requests as there are objects", async () => {
    const { reads, names, asked } = cluster(LIST_FROM - 1);
    await readAll(reads, names);
    await slicesOf(reads, names.slice(0, 1));
    expect(asked).toStrictEqual([...names.map((name) => `get ${name}`), "slices of s-0"]);
});

test("a Service that is not in the list of its namespace does not exist", async () => {
    const { reads, names, asked } = cluster(6);
    const [listed, other] = await Promise.all([readAll(reads, [...names, "new"]), readAll(reads, ["s-0"], "other")]);
    expect(listed.at(-1)).toBeUndefined();
    expect(other).toStrictEqual([undefined]);
    expect(asked).toStrictEqual(["list services everywhere"]);
});

test("a Service may have no EndpointSlices, and a Service outside the list is read alone", async () => {
    const { reads, names, asked } = cluster(6);
    await readAll(reads, [...names, "empty"]);
    expect(await reads.endpointSlices("shop", "empty", { fresh: false })).toStrictEqual([]);
    await reads.endpointSlices("shop", "unknown", { fresh: false });
    await reads.service("shop", "late");
    await reads.endpointSlices("shop", "late", { fresh: false });
    expect(asked).toStrictEqual([
        "list services shop",
        "list slices shop",
        "slices of unknown",
        "get late",
        "slices of late",
    ]);
});

test("endpoints that may just have changed are read after that, for their Service alone", async () => {
    const { reads, names, asked } = cluster(10);
    await readAll(reads, names);
    const [before] = await reads.endpointSlices("shop", "s-1", { fresh: false });
    const [after] = await reads.endpointSlices("shop", "s-1", { fresh: true });
    expect(after?.endpoints).not.toStrictEqual(before?.endpoints);
    expect(asked.slice(-1)).toStrictEqual(["slices of s-1"]);
});

test("a list that is older than a minute is read again", async () => {
    const { reads, names, asked, clock } = cluster(10);
    await readAll(reads, names);
    for (const now of [0, 60_000, 60_001, 120_000]) {
        clock.now = now;
        await slicesOf(reads, names);
    }
    expect(asked.filter((request) => request.startsWith("list slices"))).toHaveLength(2);
});

for (const kind of ["forbidden", "invalid", "not-found"] as const)
    test(`without a list that can be used (${kind}) each Service is read by itself`, async () => {
        const { reads, names, asked } = cluster(6, { list: kind });
        expect((await readAll(reads, names)).map((found) => found?.metadata.name)).toStrictEqual(names);
        await slicesOf(reads, names);
        await slicesOf(reads, names);
        expect(asked.filter((request) => request.startsWith("list"))).toStrictEqual([
            "list services shop",
            "list slices shop",
        ]);
        expect(asked.filter((request) => request.startsWith("get"))).toHaveLength(6);
    });

test("a cluster that does not answer fails every Service: nothing looks as if it were not there", async () => {
    const { reads, names } = cluster(6, { "list services": "unreachable", "list slices": "failed" });
    const results = await Promise.allSettled(names.map((name) => reads.service("shop", name)));
    expect(results.map(({ status }) => status)).toStrictEqual(names.map(() => "rejected"));
    await expect(reads.endpointSlices("shop", "s-0", { fresh: false })).rejects.toThrow(ClusterError);
});
