/**
 * Faults of the API server: the sync controller keeps its data, removes nothing for lack of data, and follows missed
 * changes.
 */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "../../lab";
import { Client } from "../../provider/cluster/client";
import { systemClock } from "../../provider/net";
import { LiveCluster, type LiveClusterOptions } from "../../provider/sync/live/cluster";
import { Store } from "../../provider/sync/store";
import { binding, endpoint, node, service, slice, spec } from "../support/sync-world";
import { onTestFinished } from "../support/finished";
import { FakeApiServer, type Misbehaviour } from "../support/fake-api-server";
import { RIG_GROUPS, SyncRig } from "../support/sync-rig";
import type { RigReplica } from "../support/rig-replica";

const PATHS = {
    nodes: "/api/v1/nodes",
    services: "/api/v1/services",
    slices: "/apis/discovery.k8s.io/v1/endpointslices",
    bindings: "/apis/ack-loadbalancer.io/v1alpha1/servergroupbindings",
} as const;

/** Returns a slice with a pod on each of these nodes. */
const onNodes = (...names: readonly string[]) =>
    slice(...names.map((name, index) => endpoint(`10.0.0.${index + 1}`, name)));

let api: FakeApiServer;
let rig: SyncRig;
let replica: RigReplica;
let cluster: LiveCluster;
let options: LiveClusterOptions;
/** Messages of the log about lists and watches that fail. */
let warnings: string[];

beforeEach(async () => {
    warnings = [];
    api = new FakeApiServer();
    await api.up();
    for (const name of ["n0", "n1", "n2", "n3"]) api.put(PATHS.nodes, node(name));
    api.put(PATHS.services, service());
    api.put(PATHS.slices, onNodes("n0", "n1"));
    api.put(PATHS.bindings, binding(spec({ serverGroup: { id: RIG_GROUPS.nodes, type: "VServer" } })));
    rig = await SyncRig.create();
    replica = rig.replica();
    options = {
        client: new Client({ kubeconfig: api.kubeconfig, backoff: { attempts: 1 } }),
        store: replica.store,
        clock: systemClock,
        metrics: replica.metrics,
        log: {
            info: () => undefined,
            warn: (fields) => void warnings.push(JSON.stringify(fields)),
            error: () => undefined,
        },
        readinessGates: true,
        watchNamespaces: [],
        changed: (groups) => replica.controller.enqueue(groups),
    };
    cluster = new LiveCluster(options);
    await cluster.start();
    await weighs("i-n0 1, i-n1 1");
});

afterEach(async () => {
    cluster.stop();
    await api.down();
});

const weights = (): string =>
    Object.entries(rig.nodeWeights())
        .map(([id, weight]) => `${id} ${weight}`)
        .join(", ");

/** Waits until the group has these members. */
async function weighs(desired: string): Promise<void> {
    await waitFor(
        `members ${desired}`,
        async () => {
            await replica.settle();
            return weights() === desired ? true : undefined;
        },
        { state: weights },
    );
}

for (const [what, fault] of Object.entries<() => void>({
    "ends its watches": () => api.dropWatches(true),
    "breaks its watches off in the middle of a line": () => api.dropWatches(false),
    "has forgotten the version of its watches (410 Gone)": () => api.compact(),
}))
    test(`changes before and after are followed: the API server ${what}`, async () => {
        fault();
        api.put(PATHS.slices, onNodes("n1", "n2"));
        await weighs("i-n1 1, i-n2 1");
        fault();
        api.remove(PATHS.nodes, node("n1"));
        await weighs("i-n2 1");
        api.put(PATHS.slices, onNodes("n2", "n3"));
        await weighs("i-n2 1, i-n3 1");
    });

test("members stay while the API server is down, and all changes follow after it", async () => {
    await api.down();
    await pause(1_500);
    replica.controller.resync();
    await weighs("i-n0 1, i-n1 1");
    api.remove(PATHS.nodes, node("n0"));
    api.put(PATHS.slices, onNodes("n0", "n1", "n2"));
    api.compact();
    await api.up();
    await weighs("i-n1 1, i-n2 1");
});

const refusal =
    (status: number): Misbehaviour =>
    () => ({ status, text: JSON.stringify({ kind: "Status", code: status }) });

for (const [what, misbehaves] of Object.entries<Misbehaviour>({
    "refuses everything (503)": refusal(503),
    "has too much to do (429)": refusal(429),
    "lets nobody in (401)": refusal(401),
    "forbids (403)": refusal(403),
    "does not know the resources any more (404)": refusal(404),
    "answers nonsense": () => ({ status: 200, text: "<html>" }),
    "answers lists without items": () => ({ status: 200, text: "{}" }),
    "refuses watches alone": (watches) => (watches ? refusal(500)(watches) : undefined),
}))
    test(`members stay for a while and changes follow: the API server ${what}`, async () => {
        api.misbehaves = misbehaves;
        const before = api.asked.length;
        api.compact();
        await waitFor("the server is asked in vain", () =>
            Promise.resolve(api.asked.length >= before + 8 ? true : undefined),
        );
        replica.controller.resync();
        await weighs("i-n0 1, i-n1 1");
        api.put(PATHS.slices, onNodes("n0", "n1", "n2"));
        api.remove(PATHS.nodes, node("n0"));
        api.misbehaves = () => undefined;
        await weighs("i-n1 1, i-n2 1");
    });

test("with namespaces to watch, nothing but nodes is listed or watched outside of them", async () => {
    const within = (path: string, namespace: string) => path.replace(/[^/]+$/, `namespaces/${namespace}/$&`);
    const { nodes, services, slices, bindings } = PATHS;
    api.put(within(services, "shop"), service());
    const since = api.asked.length;
    const store = new Store();
    const narrow = new LiveCluster({ ...options, store, changed: () => undefined, watchNamespaces: ["shop", "web"] });
    onTestFinished(() => narrow.stop());
    await narrow.start();
    expect(store.observe("shop/web").service).toBeDefined();
    api.put(within(slices, "shop"), onNodes("n1"));
    await waitFor("the slice is read", () =>
        Promise.resolve(store.observe("shop/web").endpointSlices.length === 1 ? true : undefined),
    );
    const listed = api.asked.slice(since).filter((one) => one.startsWith("list "));
    const expected = ["shop", "web"].flatMap((one) => [services, slices, bindings].map((path) => within(path, one)));
    expect(listed.sort()).toStrictEqual([nodes, ...expected].map((path) => `list ${path}`).sort());
});

const JUNK: Readonly<Record<string, () => string>> = {
    "a change without an object": () => '{"type":"MODIFIED","object":null}',
    "a change without a type": () => '{"object":{"metadata":{"name":"web-1"}}}',
    "an empty object": () => '{"type":"ADDED","object":{}}',
    "an object without metadata": () => '{"type":"ADDED","object":{"metadata":null}}',
    "a text": () => '"x"',
    nothing: () => "null",
    "half of a change": () => '{"type":"MODIFIED","object":{"metadata":{"na',
    "a page of a proxy": () => "<html><body>502 Bad Gateway</body></html>",
    "a slice whose endpoints are a number": () =>
        JSON.stringify({ type: "MODIFIED", object: { ...onNodes(), endpoints: 5 } }),
    "a deletion of nobody": () => '{"type":"DELETED","object":{"metadata":{}}}',
    "an error without a reason": () => '{"type":"ERROR","object":{}}',
    "a line without an end, of more than 64 MB": () => "x".repeat(65 * 1024 * 1024),
};
for (const [what, text] of Object.entries(JUNK))
    test(`members stay, the log says why, and changes follow: the API server sends ${what}`, async () => {
        api.say(PATHS.slices, text());
        await waitFor("the list is read again", () =>
            Promise.resolve(api.asked.filter((one) => one === `list ${PATHS.slices}`).length > 1 ? true : undefined),
        );
        await weighs("i-n0 1, i-n1 1");
        expect(warnings.join()).toMatch(/"resource":"endpointslices","error":"watch endpointslices failed: /);
        api.put(PATHS.slices, onNodes("n1", "n2"));
        await weighs("i-n1 1, i-n2 1");
    });

test("a connection on which nothing comes any more is replaced, and changes follow", async () => {
    cluster.stop();
    cluster = new LiveCluster({ ...options, silenceMs: 300 });
    await cluster.start();
    await waitFor("watches", () => Promise.resolve(api.open === 4 ? true : undefined));
    api.freeze();
    api.put(PATHS.slices, onNodes("n1", "n2"));
    await weighs("i-n1 1, i-n2 1");
    expect(warnings).toStrictEqual([]);
});

test("an API server that redirects to another host is not followed there, and members stay", async () => {
    const elsewhere: unknown[] = [];
    const thief = http.createServer((request, response) => {
        elsewhere.push(request.headers);
        response.end('{"metadata":{"resourceVersion":"9"},"items":[]}');
    });
    await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void thief.close());
    const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/api/v1/nodes`;
    api.misbehaves = () => ({ status: 307, text: "", location });
    api.dropWatches(true);
    await waitFor("watches and lists complain", () =>
        Promise.resolve(/list nodes failed: HTTP 307/.test(warnings.join()) ? true : undefined),
    );
    await weighs("i-n0 1, i-n1 1");
    expect(elsewhere).toStrictEqual([]);
    api.misbehaves = () => undefined;
    api.put(PATHS.slices, onNodes("n1", "n2"));
    await weighs("i-n1 1, i-n2 1");
});

test("a watch that breaks off now and then is soon there again, however often it did", async () => {
    cluster.stop();
    const waits: number[] = [];
    const clock = {
        ...systemClock,
        random: () => 1,
        sleep: (ms: number, signal?: AbortSignal) => {
            waits.push(ms);
            return systemClock.sleep(ms / 50, signal);
        },
    };
    const store = new Store();
    cluster = new LiveCluster({ ...options, clock, store });
    await cluster.start();
    for (let break_ = 1; break_ <= 6; break_++) {
        await waitFor("watches", () => Promise.resolve(api.open === 4 ? true : undefined));
        api.put(PATHS.nodes, node(`m${break_}`));
        await waitFor("the event", () =>
            Promise.resolve(store.observe("shop/web").nodes.length === 4 + break_ ? true : undefined),
        );
        api.dropWatches(false, PATHS.nodes);
    }
    expect([...new Set(waits)]).toStrictEqual([500]);
});

test("an unserved version of the custom resource is reported with a remedy", async () => {
    api.misbehaves = () => ({ status: 404, text: "404 page not found\n" });
    api.dropWatches(true);
    const bindings =
        "the API server does not serve servergroupbindings of ack-loadbalancer.io/v1alpha1: " +
        "install the CustomResourceDefinition of this version of the controller";
    await waitFor("watches complain", () =>
        Promise.resolve(warnings.some((warning) => warning.includes(bindings)) ? true : undefined),
    );
    warnings.length = 0;
    api.misbehaves = () => undefined;
    await waitFor("the server is asked again", () => Promise.resolve(api.open === 4 ? true : undefined));
    api.compact();
    api.misbehaves = () => ({ status: 404, text: "404 page not found\n" });
    await waitFor("lists complain", () =>
        Promise.resolve(warnings.some((warning) => warning.includes(bindings)) ? true : undefined),
    );
    api.misbehaves = () => undefined;
    api.put(PATHS.slices, onNodes("n1", "n2"));
    await weighs("i-n1 1, i-n2 1");
});

test("a watch continues after the cluster's credentials were unavailable", async () => {
    cluster.stop();
    const token = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "credentials-")), "token");
    onTestFinished(() => fs.rmSync(path.dirname(token), { recursive: true }));
    fs.writeFileSync(token, "fake");
    const kubeconfig = api.kubeconfig.replace("token: fake", `tokenFile: ${token}`);
    const store = new Store();
    cluster = new LiveCluster({ ...options, client: new Client({ kubeconfig }), store });
    await cluster.start();
    fs.rmSync(token);
    api.dropWatches(true);
    await waitFor("watches complain", () =>
        Promise.resolve(warnings.some((text) => text.includes("get credentials failed")) ? true : undefined),
    );
    expect(store.observe("shop/web").nodes).toHaveLength(4);
    fs.writeFileSync(token, "fake");
    api.put(PATHS.nodes, node("n4"));
    await waitFor("the event", () => Promise.resolve(store.observe("shop/web").nodes.length === 5 ? true : undefined));
});

test("an API server with empty lists, as after a loss of data, removes no member", async () => {
    for (const name of ["n0", "n1", "n2", "n3"]) api.remove(PATHS.nodes, node(name));
    api.remove(PATHS.slices, onNodes());
    api.remove(PATHS.services, service());
    await waitFor("the replica knows no Service", () =>
        Promise.resolve(replica.store.observe("shop/web").service === undefined ? true : undefined),
    );
    replica.controller.resync();
    await replica.settle();
    expect(weights()).toBe("i-n0 1, i-n1 1");
    api.remove(PATHS.bindings, binding(spec()));
    await waitFor("the replica knows no binding", () =>
        Promise.resolve(replica.store.groups().length === 0 ? true : undefined),
    );
    replica.controller.resync();
    await replica.settle();
    expect(weights()).toBe("i-n0 1, i-n1 1");
});
