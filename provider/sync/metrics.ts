import { Counter, Gauge, Histogram, Registry } from "prom-client";
import * as http from "node:http";
import type { AddressInfo } from "node:net";

export class Metrics {
    readonly registry = new Registry();
    /** Seconds from the change of an endpoint or node to the call that the cloud accepted. */
    readonly latency = new Histogram({
        ...this.#named("latency_seconds", "Time from the change of an endpoint or node to the accepted call"),
        buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    });
    readonly reconciliations = new Counter(
        this.#named("reconciliations_total", "Reconciliations of bindings by the reason of their condition", "reason"),
    );
    readonly queueDepth = new Gauge(this.#named("queue_depth", "Server groups that wait for their turn"));
    readonly calls = new Counter(
        this.#named(
            "calls_total",
            "Calls of the cloud by action and error code (OK where there is none)",
            "action",
            "code",
        ),
    );
    readonly throttled = new Counter(this.#named("throttled_total", "Calls that the cloud has throttled", "action"));
    readonly members = new Gauge(this.#named("backends", "Managed backends by state", "state"));
    readonly bindings = new Gauge(
        this.#named("bindings", "Bindings by the status of their condition Synced", "synced"),
    );
    readonly leader = new Gauge(this.#named("leader", "1 if this replica holds the lease"));
    readonly watchErrors = new Counter(
        this.#named("watch_errors_total", "Watches that ended with an error, by resource", "resource"),
    );

    #named<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
        return { name: `ack_loadbalancer_sync_${name}`, help, labelNames, registers: [this.registry] };
    }
}

interface Probes {
    readonly metrics: Metrics;
    /** True once every resource was listed. A replica that waits for the lease is ready too. */
    readonly ready: () => boolean;
    /** False for a process that must be restarted. */
    readonly healthy: () => boolean;
}

/** Serves `/healthz`, `/readyz` and `/metrics`. @param port 0 for any free port. */
export async function serveProbes(port: number, probes: Probes) {
    const server = http.createServer((request, response) => {
        answer(probes, request.url ?? "/").then(
            ({ status, text, type }) => response.writeHead(status, { "content-type": type }).end(text),
            () => response.writeHead(500).end(),
        );
    });
    await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, resolve);
    });
    return {
        port: (server.address() as AddressInfo).port,
        close: () =>
            new Promise<void>((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections();
            }),
    };
}

async function answer({ metrics, ready, healthy }: Probes, url: string) {
    const type = "text/plain";
    const state = (good: boolean) => ({ status: good ? 200 : 503, text: good ? "ok\n" : "not yet\n", type });
    switch (url.split("?", 1)[0]) {
        case "/healthz":
            return state(healthy());
        case "/readyz":
            return state(ready());
        case "/metrics":
            return { status: 200, text: await metrics.registry.metrics(), type: metrics.registry.contentType };
        default:
            return { status: 404, text: "not found\n", type };
    }
}
