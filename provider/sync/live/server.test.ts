import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Metrics, serveProbes } from "../metrics";

const state = { ready: false, healthy: true };
let metrics: Metrics;
let server: Awaited<ReturnType<typeof serveProbes>>;

beforeEach(async () => {
    Object.assign(state, { ready: false, healthy: true });
    metrics = new Metrics();
    server = await serveProbes(0, { metrics, ready: () => state.ready, healthy: () => state.healthy });
});

afterEach(() => server.close());

const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`);

test("a replica is ready once everything was listed, and healthy while it works, each by itself", async () => {
    const probes = async () => [(await ask("/readyz")).status, (await ask("/healthz?verbose")).status];
    expect(await probes()).toStrictEqual([503, 200]);
    state.ready = true;
    expect(await probes()).toStrictEqual([200, 200]);
    state.healthy = false;
    expect(await probes()).toStrictEqual([200, 503]);
});

test("figures are text that Prometheus reads; other paths are not there", async () => {
    metrics.calls.inc({ action: "AddServersToServerGroup", code: "Throttling.User" });
    metrics.throttled.inc({ action: "AddServersToServerGroup" });
    metrics.leader.set(1);
    const answer = await ask("/metrics");
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await answer.text()).split("\n");
    expect(lines).toEqual(
        expect.arrayContaining([
            "# TYPE ack_loadbalancer_sync_latency_seconds histogram",
            "ack_loadbalancer_sync_leader 1",
            'ack_loadbalancer_sync_calls_total{action="AddServersToServerGroup",code="Throttling.User"} 1',
            'ack_loadbalancer_sync_throttled_total{action="AddServersToServerGroup"} 1',
        ]),
    );
    expect((await ask("/")).status).toBe(404);
});

test("a port that is taken is an error, not a replica without probes", async () => {
    await expect(serveProbes(server.port, { metrics, ready: () => true, healthy: () => true })).rejects.toThrow(
        /EADDRINUSE/,
    );
});
