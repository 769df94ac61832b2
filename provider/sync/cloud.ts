/** Cloud calls of the controller: within a budget, counted, and never without the lease. */
import {
    accountOfRole,
    apiVersions,
    classifyResponse,
    type Cloud,
    createCloud,
    type Product,
    RateLimiter,
} from "../cloud";
import * as nlb from "../nlb";
import type { GroupApi } from "../backends/apply";
import { clockUntil, exchange, parseJsonObject, type Clock, type HttpRequest, type HttpResponse } from "../net";
import { defaultRate, type Rate } from "../quotas";
import type { GroupType } from "../resources/handlers/group";
import { defined, once } from "../schema/defined";
import type { BindingSpec } from "./binding/spec";
import type { Metrics } from "./metrics";
import type { Pause } from "./queue";

/** Region of a server group, and the role of its account if that is not the controller's. */
type GroupPlace = Pick<BindingSpec, "region" | "assumeRole">;

/** Opens the API of a type of server group in a place. Waits for the cloud's jobs go through `pause`. */
export type OpenGroups = (place: GroupPlace, type: GroupType, pause: Pause) => GroupApi;

/** Lowest share of a published quota that a budget falls to. */
const LOWEST = 0.1;

/** Share by which a budget recovers in a minute without throttling. */
const RECOVERY_PER_MINUTE = 0.1;

/**
 * Milliseconds by which a window is stretched, at most a quarter of it: the cloud counts calls when they arrive. A
 * window used to its last call would be overrun, and a throttled call costs far more than a second.
 */
const LATENCY_MS = 1_000;

/**
 * Rate of each action of a product in a region of an account: the published quota, which others use too. Throttling
 * halves it, at most once in the quota's window, and it recovers by a tenth of the quota in a minute.
 */
export class Budget {
    /** Limiter that all clients of the account and region share. */
    readonly limiter = new RateLimiter();
    readonly #reduced = new Map<string, { readonly share: number; readonly at: number }>();

    constructor(readonly clock: Clock) {}

    rate(product: Product, action: string): Rate {
        const { calls, perMs } = defaultRate(product, action);
        return {
            calls: Math.max(1, Math.floor(calls * this.share(product, action))),
            perMs: perMs + Math.min(LATENCY_MS, perMs / 4),
        };
    }

    throttled(product: Product, action: string): void {
        const key = `${product} ${action}`;
        const now = this.clock.now();
        const last = this.#reduced.get(key);
        if (last !== undefined && now - last.at < defaultRate(product, action).perMs) return;
        this.#reduced.set(key, { share: Math.max(LOWEST, this.share(product, action) / 2), at: now });
    }

    /** Returns the usable share of the published quota, 0.1 to 1. */
    share(product: Product, action: string): number {
        const reduced = this.#reduced.get(`${product} ${action}`);
        if (reduced === undefined) return 1;
        const minutes = (this.clock.now() - reduced.at) / 60_000;
        return Math.min(1, reduced.share + minutes * RECOVERY_PER_MINUTE);
    }
}

interface CloudGuards {
    readonly metrics: Metrics;
    readonly clock: Clock;
    /** @throws LeaseLost if this replica may not call the cloud. */
    readonly assertLeads: () => void;
    /** Aborts all waits: for a rate, the next try or a job. */
    readonly leaving: AbortSignal;
    /** Default: Node's HTTP client. */
    readonly transport?: typeof exchange;
}

/** Calls are given up soon: a later reconciliation starts from the cluster as it is by then. */
const TOTAL_TIMEOUT_MS = 30_000;

const BACKOFF = {
    throttled: { attempts: 4 },
    busy: { attempts: 20 },
    unavailable: { attempts: 3 },
    uncertain: { attempts: 3 },
};

/** Returns a function that opens clients, each for a region and role. A client watches all its jobs together. */
export function cloudOpener(guards: CloudGuards): (place: GroupPlace, pause: Pause) => Cloud {
    const clouds = new Map<string, ReturnType<typeof open>>();
    const budgets = new Map<string, Budget>();
    return (place, pause) => {
        const payer = `${place.region} ${accountOfRole(place.assumeRole?.roleArn ?? "") ?? ""}`;
        const budget = once(budgets, payer, () => new Budget(guards.clock));
        const key = JSON.stringify([place.region, place.assumeRole]);
        const { cloud, jobs } = once(clouds, key, () => open(guards, budget, place));
        return { ...cloud, awaitJob: (action, jobId) => pause(() => jobs.wait(action, jobId)) };
    };
}

function open(guards: CloudGuards, budget: Budget, { region, assumeRole }: GroupPlace) {
    const clock = clockUntil(guards.leaving, guards.clock);
    const cloud = createCloud({
        region,
        ...(assumeRole && { assumeRole: defined(assumeRole) }),
        limiter: budget.limiter,
        clock,
        totalTimeoutMs: TOTAL_TIMEOUT_MS,
        backoff: BACKOFF,
        rate: (product, action) => budget.rate(product, action),
        transport: async (request) => {
            // As late as possible: the call may have waited for its rate, or the process may have been stopped.
            guards.assertLeads();
            const response = await (guards.transport ?? exchange)(request);
            count(guards.metrics, budget, request, response);
            return response;
        },
    });
    return { cloud, jobs: new nlb.JobWatch(cloud, clock) };
}

function count(metrics: Metrics, budget: Budget, { headers }: HttpRequest, { status, body }: HttpResponse): void {
    const action = headers["x-acs-action"] ?? "";
    if (status >= 200 && status < 300) return metrics.calls.inc({ action, code: "OK" });
    const answer = parseJsonObject(body)?.Code;
    const code = typeof answer === "string" ? answer : "";
    metrics.calls.inc({ action, code: code === "" ? `HTTP ${status}` : code });
    if (classifyResponse(code, status) !== "throttled") return;
    metrics.throttled.inc({ action });
    budget.throttled(productOf(headers["x-acs-version"]), action);
}

/** The host does not tell the product: it can be configured. */
function productOf(version: string | undefined): Product {
    return version === apiVersions.nlb ? "nlb" : version === apiVersions.ecs ? "ecs" : "slb";
}
