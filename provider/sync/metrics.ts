import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FailureKind } from "../alicloud";

const PREFIX = "ack_loadbalancer_sync_";

/** What the controller measures, for Prometheus. */
export class Metrics {
    readonly registry = new Registry();
    /** Seconds from the change of an endpoint or node to the call that the cloud accepted. */
    readonly latency = new Histogram({
        name: `${PREFIX}latency_seconds`,
        help: "Time from the change of an endpoint or node to the accepted call",
        buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
        registers: [this.registry],
    });
    readonly reconciliations = new Counter({
        name: `${PREFIX}reconciliations_total`,
        help: "Reconciliations of bindings by the reason of their condition",
        labelNames: ["reason"],
        registers: [this.registry],
    });
    readonly queueDepth = new Gauge({
        name: `${PREFIX}queue_depth`,
        help: "Server groups that wait for their turn",
        registers: [this.registry],
    });
    readonly calls = new Counter({
        name: `${PREFIX}calls_total`,
        help: "Calls of the cloud by action and error code (OK where there is none)",
        labelNames: ["action", "code"],
        registers: [this.registry],
    });
    readonly throttled = new Counter({
        name: `${PREFIX}throttled_total`,
        help: "Calls that the cloud has throttled",
        labelNames: ["action"],
        registers: [this.registry],
    });
    readonly members = new Gauge({
        name: `${PREFIX}backends`,
        help: "Managed backends by state",
        labelNames: ["state"],
        registers: [this.registry],
    });
    readonly bindings = new Gauge({
        name: `${PREFIX}bindings`,
        help: "Bindings by the status of their condition Synced",
        labelNames: ["synced"],
        registers: [this.registry],
    });
    readonly leader = new Gauge({
        name: `${PREFIX}leader`,
        help: "1 if this replica holds the lease",
        registers: [this.registry],
    });
    readonly watchErrors = new Counter({
        name: `${PREFIX}watch_errors_total`,
        help: "Watches that ended with an error, by resource",
        labelNames: ["resource"],
        registers: [this.registry],
    });

    /** Counts one try of a call. */
    countCall(action: string, code: string, kind?: FailureKind): void {
        this.calls.inc({ action, code });
        if (kind === "throttled") this.throttled.inc({ action });
    }
}
