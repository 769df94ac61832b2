/** Pods with readiness gates, as a real watch of an API server shows them. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { waitFor } from "../../lab";
import { Client } from "../../provider/cluster/client";
import type { EndpointSliceObject } from "../../provider/service/objects";
import { systemClock } from "../../provider/net";
import { LiveCluster, type LiveClusterOptions } from "../../provider/sync/live/cluster";
import { binding, endpoint, gatedPod, node, podSpec, service, slice } from "../support/sync-world";
import { FakeApiServer } from "../support/fake-api-server";
import type { RigReplica } from "../support/rig-replica";
import { RIG_GROUPS, SyncRig } from "../support/sync-rig";

const PODS = "/api/v1/namespaces/shop/pods";
const PATHS = {
    services: "/api/v1/services",
    slices: "/apis/discovery.k8s.io/v1/endpointslices",
    bindings: "/apis/ack-loadbalancer.io/v1alpha1/servergroupbindings",
} as const;
const BOUND = binding(podSpec({ serverGroup: { id: RIG_GROUPS.addresses, type: "Ip" }, drainSeconds: 0 }));

let api: FakeApiServer;
let replica: RigReplica;
let options: LiveClusterOptions;
let cluster: LiveCluster;

beforeEach(async () => {
    api = new FakeApiServer();
    await api.up();
    api.put("/api/v1/nodes", node("n0"));
    const rig = await SyncRig.create();
    replica = rig.replica();
    options = {
        client: new Client({ kubeconfig: api.kubeconfig, backoff: { attempts: 1 } }),
        store: replica.store,
        clock: systemClock,
        metrics: replica.metrics,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        readinessGates: true,
        watchNamespaces: [],
        changed: (groups) => replica.controller.enqueue(groups),
    };
    cluster = new LiveCluster(options);
    api.put(PATHS.services, service());
    api.put(PATHS.bindings, BOUND);
    await cluster.start();
});

afterEach(async () => {
    cluster.stop();
    await api.down();
});

/**
 * Creates a pod of the Service with a closed gate, as the API server shows it, also after a change of the Service's
 * selector.
 */
function start(ip: string, colour: string): void {
    const pod = gatedPod(ip);
    api.put(PODS, { ...pod, metadata: { ...pod.metadata, labels: { app: "web", colour } } } as never);
    api.put(PATHS.slices, slice(endpoint(ip, "n0", "waiting")));
}

const gateOf = (ip: string) =>
    waitFor(`the gate of the pod ${ip} is set`, async () => {
        await replica.settle();
        return replica.gates.find(([name]) => name === `pod-${ip}`);
    });

const watches = (paths: readonly string[]) =>
    waitFor(
        `pods are watched at ${paths.join()}`,
        () => {
            const pods = api.watched.filter((path) => path.endsWith("/pods"));
            return Promise.resolve(pods.join() === paths.join() ? true : undefined);
        },
        { state: () => api.watched.join() },
    );

const selecting = (colour: string) => {
    const { metadata, spec } = service();
    return { metadata, spec: { ...spec, selector: { app: "web", colour } } };
};

test("after a change of the selector the gates of the selected pods are set", async () => {
    api.put(PATHS.services, selecting("blue"));
    start("10.0.0.1", "blue");
    expect(await gateOf("10.0.0.1")).toStrictEqual(["pod-10.0.0.1", "True"]);
    api.put(PATHS.services, selecting("green"));
    start("10.0.0.2", "green");
    expect(await gateOf("10.0.0.2")).toStrictEqual(["pod-10.0.0.2", "True"]);
});

test("the watch of a namespace's pods ends with its last gated Service, and starts again", async () => {
    start("10.0.0.1", "blue");
    await gateOf("10.0.0.1");
    await watches([PODS]);
    api.remove(PATHS.bindings, BOUND);
    await watches([]);
    expect(replica.store.observe("shop/web").gatedPods.size).toBe(0);
    replica.gates.length = 0;
    api.put(PATHS.bindings, BOUND);
    await gateOf("10.0.0.1");
    api.remove(PATHS.services, service());
    await watches([]);
});

test("pods are watched only for Services with gates, and only gated pods are stored", async () => {
    const { spec: _, ...without } = gatedPod("10.0.0.3");
    api.put(PODS, without);
    start("10.0.0.1", "blue");
    await gateOf("10.0.0.1");
    expect([...replica.store.observe("shop/web").gatedPods.keys()]).toStrictEqual(["uid-10.0.0.1"]);
});

test("a pod that cannot be read is read again, though nothing else happens", async () => {
    cluster.stop();
    const sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal);
    cluster = new LiveCluster({ ...options, clock: { ...systemClock, sleep } });
    await cluster.start();
    api.misbehaves = (watches) => (watches ? undefined : { status: 503, text: "{}" });
    start("10.0.0.1", "blue");
    await waitFor("the pod is asked for in vain", () =>
        Promise.resolve(api.asked.includes(`list ${PODS}/pod-10.0.0.1`) ? true : undefined),
    );
    api.misbehaves = () => undefined;
    expect(await gateOf("10.0.0.1")).toStrictEqual(["pod-10.0.0.1", "True"]);
});

test.each([
    "../../kube-system/secrets/x",
    "../pods?watch=true&timeoutSeconds=600",
    "../../../pods?limit=500",
    "%2e%2e/%2e%2e",
    "..",
    "",
    "a/b",
    "Upper",
])("an endpoint that names the pod %j asks the API server for nothing, and others are read", async (name) => {
    const evil = endpoint("10.0.0.9", "n0", "waiting");
    const targetRef = { kind: "Pod", uid: "u-1", name };
    api.asked.length = 0;
    api.put(PATHS.slices, slice({ ...evil, targetRef }));
    start("10.0.0.1", "blue");
    api.put(PATHS.slices, slice({ ...evil, targetRef }, endpoint("10.0.0.1", "n0", "waiting")));
    expect(await gateOf("10.0.0.1")).toStrictEqual(["pod-10.0.0.1", "True"]);
    const asked = new Set(api.asked.filter((one) => !Object.values(PATHS).some((path) => one === `watch ${path}`)));
    expect([...asked].sort()).toStrictEqual([`list ${PODS}`, `list ${PODS}/pod-10.0.0.1`, `watch ${PODS}`]);
});

test("without readiness gates no pod is read", async () => {
    const other = new LiveCluster({ ...options, readinessGates: false });
    await other.start();
    cluster.stop();
    api.asked.length = 0;
    start("10.0.0.1", "blue");
    await waitFor("the slice is noticed", () =>
        Promise.resolve(replica.store.observe("shop/web").endpointSlices.length > 0 ? true : undefined),
    );
    await replica.settle();
    expect(api.asked.filter((path) => path.includes("pods"))).toStrictEqual([]);
    other.stop();
});

test("a slice moves with its Service label, and leaves without one", () => {
    const { store } = replica;
    const ofService = (name: string): readonly EndpointSliceObject[] => store.observe(`shop/${name}`).endpointSlices;
    const moved = slice(endpoint("10.0.0.1", "n0"));
    store.put("slice", moved);
    expect(
        store.put("slice", {
            ...moved,
            metadata: { ...moved.metadata, labels: { "kubernetes.io/service-name": "other" } },
        }),
    ).toStrictEqual([`cn-hangzhou/${RIG_GROUPS.addresses}`]);
    expect([ofService("web"), ofService("other")]).toMatchObject([[], [{ metadata: { name: "web-1" } }]]);
    expect(store.put("slice", moved)).toStrictEqual([`cn-hangzhou/${RIG_GROUPS.addresses}`]);
    store.put("slice", { ...moved, metadata: { ...moved.metadata, labels: {} } });
    expect([ofService("web"), ofService("other")]).toStrictEqual([[], []]);
});
