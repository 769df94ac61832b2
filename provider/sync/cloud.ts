/** The cloud as the controller calls it: within its budget, counted, and never without the lease. */
import { accountOfRole, apiVersions, classifyResponse, type Cloud, createCloud, nlb, type Product } from "../alicloud";
import { clockUntil, exchange, parseJsonObject, type Clock, type HttpRequest, type HttpResponse } from "../net";
import type { Budget } from "./budget";
import type { Metrics } from "./metrics";
import type { GroupPlace } from "./ports";
import type { Pause } from "./slots";
import type { AssumeRole } from "../schema/account";
import { defined } from "../schema/defined";

/** What every call goes through. */
export interface CloudGuards {
    /** One for each account and region: the key names both. */
    readonly budget: (key: string) => Budget;
    readonly metrics: Metrics;
    readonly clock: Clock;
    /** @throws LeaseLost if this replica may not call the cloud. */
    readonly assertLeads: () => void;
    /** Once it is aborted, no call waits any more: for its rate, for its next try, or for its job. Default never. */
    readonly leaving?: AbortSignal;
    /** Carries one exchange out. Default: Node's HTTP client. */
    readonly transport?: (request: HttpRequest) => Promise<HttpResponse>;
}

/** Calls are given up soon: what to do is computed anew from what the cluster says by then. */
const TOTAL_TIMEOUT_MS = 30_000;

const BACKOFF = {
    throttled: { attempts: 4 },
    busy: { attempts: 20 },
    unavailable: { attempts: 3 },
    uncertain: { attempts: 3 },
};

/** Opens clients, one for each region and role. Jobs of all groups of a client are watched together. */
export function cloudOpener(guards: CloudGuards): (place: GroupPlace, pause: Pause) => Cloud {
    const clouds = new Map<string, { readonly cloud: Cloud; readonly jobs: nlb.JobWatch }>();
    return (place, pause) => {
        const key = JSON.stringify([place.region, place.assumeRole]);
        const opened = clouds.get(key) ?? open(guards, place);
        clouds.set(key, opened);
        const { cloud, jobs } = opened;
        return { ...cloud, awaitJob: (action, jobId) => pause(() => jobs.wait(action, jobId)) };
    };
}

function open(
    guards: CloudGuards,
    { region, assumeRole }: GroupPlace,
): { readonly cloud: Cloud; readonly jobs: nlb.JobWatch } {
    const clock = guards.leaving === undefined ? guards.clock : clockUntil(guards.leaving, guards.clock);
    const budget = guards.budget(`${region} ${accountOfRole(assumeRole?.roleArn ?? "") ?? ""}`);
    const cloud = createCloud({
        region,
        ...(assumeRole && { assumeRole: asRole(assumeRole) }),
        limiter: budget.limiter,
        clock,
        totalTimeoutMs: TOTAL_TIMEOUT_MS,
        backoff: BACKOFF,
        rate: (product, action) => budget.rate(product, action),
        transport: async (request) => {
            // As late as possible: the call may have waited for its rate, or the process may have been stopped.
            guards.assertLeads();
            const response = await (guards.transport ?? exchange)(request);
            observe(guards, budget, request, response);
            return response;
        },
    });
    return { cloud, jobs: new nlb.JobWatch(cloud, clock) };
}

/** Without the fields that are absent. */
const asRole = ({ roleArn, ...rest }: NonNullable<GroupPlace["assumeRole"]>): AssumeRole => ({
    roleArn,
    ...defined({ sessionName: rest.sessionName, externalId: rest.externalId, policy: rest.policy }),
});

function observe({ metrics }: CloudGuards, budget: Budget, request: HttpRequest, response: HttpResponse): void {
    const action = request.headers["x-acs-action"] ?? "";
    if (response.status >= 200 && response.status < 300) return metrics.countCall(action, "OK");
    const code = codeOf(response.body);
    const kind = classifyResponse(code, response.status);
    metrics.countCall(action, code === "" ? `HTTP ${response.status}` : code, kind);
    if (kind === "throttled") budget.throttled(productOf(request), action);
}

/** Hosts can be set by hand; the version of the API tells the product in any case. */
function productOf({ headers }: HttpRequest): Product {
    const version = headers["x-acs-version"];
    return version === apiVersions.nlb ? "nlb" : version === apiVersions.ecs ? "ecs" : "slb";
}

function codeOf(body: string): string {
    const code = parseJsonObject(body)?.Code;
    return typeof code === "string" ? code : "";
}
