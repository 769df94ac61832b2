/** Health and metrics over HTTP. */
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../metrics";

interface Probes {
    readonly metrics: Metrics;
    /** True once every resource was listed; a replica that waits for the lease is ready too. */
    readonly ready: () => boolean;
    /** False for a process that must be restarted. */
    readonly healthy: () => boolean;
}

/** Serves `/healthz`, `/readyz` and `/metrics`. @param port 0 = a free one. */
export async function serveProbes(
    port: number,
    probes: Probes,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
    const server = http.createServer((request, response) => {
        answer(probes, request.url ?? "/").then(
            ({ status, text, type = "text/plain" }) => response.writeHead(status, { "content-type": type }).end(text),
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
            new Promise((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections();
            }),
    };
}

async function answer(
    { metrics, ready, healthy }: Probes,
    url: string,
): Promise<{ readonly status: number; readonly text: string; readonly type?: string }> {
    const state = (good: boolean) => ({ status: good ? 200 : 503, text: good ? "ok\n" : "not yet\n" });
    switch (url.split("?", 1)[0]) {
        case "/healthz":
            return state(healthy());
        case "/readyz":
            return state(ready());
        case "/metrics":
            return { status: 200, text: await metrics.registry.metrics(), type: metrics.registry.contentType };
        default:
            return { status: 404, text: "not found\n" };
    }
}
