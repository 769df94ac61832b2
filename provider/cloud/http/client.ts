import * as http from "node:http";
import type { Cloud } from "./cloud";
import * as https from "node:https";
import * as net from "../../net";
import type { Account, AssumeRole } from "../../schema/account";
import { defaultRate, type Rate } from "../../quotas";
import { keySource, type Keys, type KeySource, roleKeys } from "./credentials";
import { CloudError, type CloudFailure } from "./error";
import { defaultBackoff, isIdempotent, classifyResponse, classifyNoResponse, type FailureKind } from "./failure";
import type { Json } from "./answer";
import { RateLimiter } from "./limiter";
import { apiVersions, endpointOf, regionOf, type Product } from "./product";
import { defined } from "../../schema/defined";

/** Access to the cloud. Every field has a working default, taken from the environment. */
export interface CloudOptions extends Account {
    /** If absent, the standard credential chain is used. See {@link keySource}. */
    readonly keys?: Keys;
    /** Default "https". Plain "http" sends signatures in the clear, and is only for tests on this machine. */
    readonly protocol?: "https" | "http";
    /** Milliseconds until a connection must stand. Default 5000. */
    readonly connectTimeoutMs?: number;
    /** Milliseconds from then until the whole answer must be there, per try. Default 20000. */
    readonly readTimeoutMs?: number;
    /** Milliseconds from the first try of a call to the start of its last. Default 300000. */
    readonly totalTimeoutMs?: number;
    /** Tries and waits by kind of failure. Absent values keep their defaults. */
    readonly backoff?: Readonly<Partial<Record<Exclude<FailureKind, "final">, Partial<net.Backoff>>>>;
    /** Rate of an action. If absent, the limits published by Alibaba Cloud apply. */
    readonly rate?: (product: Product, action: string) => Rate;
    /** If absent, the limiter of the whole process is used. */
    readonly limiter?: RateLimiter;
    /** Owner of the quota of the calls. Accounts do not wait for each other. If absent, there is one account. */
    readonly quotaOwner?: string;
    readonly clock?: net.Clock;
    /** If absent, the environment of the process, which the rest of the credential chain always reads. */
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** Exchanges a request for its response. If absent, Node's HTTP client is used. */
    readonly transport?: typeof net.exchange;
}

const agents = (keepAlive: boolean) => ({
    http: new http.Agent({ keepAlive }),
    https: new https.Agent({ keepAlive, proxyEnv: process.env }),
});

// Sockets outlive a client, because a dynamic provider opens a client per operation, and a TLS handshake for each would
// cost more than the call. Idle pooled sockets do not keep the process alive. HTTPS_PROXY and NO_PROXY count, as for
// the alicloud plugin.
const pooled = agents(true);

// A server may close an idle socket at the moment of its reuse, and then the result of the call is unknown. A call gets
// a new connection if it must not be repeated.
const fresh = agents(false);

/** Limiter of all clients of a process that have no other, since they share the account's allowance. */
const processLimiter = new RateLimiter();

/** Opens a client. Nothing is sent, read or loaded before the first call. */
export function createCloud(options: CloudOptions = {}): Cloud {
    const env = options.env ?? process.env;
    const region = regionOf(options.region, env);
    const keys = options.assumeRole === undefined ? keySource(env, options.keys, options.profile) : assume(options);
    const protocol = options.protocol ?? "https";
    const clock = options.clock ?? net.systemClock;
    const limiter = options.limiter ?? processLimiter;
    const transport = options.transport ?? net.exchange;
    const rate = options.rate ?? defaultRate;

    return {
        region,
        async call(product, action, params = {}, { idempotent = isIdempotent(action), signal } = {}) {
            const host = endpointOf(product, region, { ...options, env });
            // The counting unit of the cloud, and its owner, because accounts do not wait for each other.
            const limitKey = [host, region, product, action, options.quotaOwner ?? ""].join(" ");
            const tries: Partial<Record<FailureKind, number>> = {};
            let deadline = Infinity;
            for (let attempts = 1; ; attempts++) {
                await limiter.take(limitKey, rate(product, action), clock, signal);
                // Waiting in the queue of a large update is not a failure, so the time counts from the first try.
                if (attempts === 1) deadline = clock.now() + (options.totalTimeoutMs ?? 300_000);
                const pair = await keys();
                const signed = await sign(host, product, action, { RegionId: region, ...params }, pair);
                const outcome = await attempt(transport, {
                    url: new URL(`${protocol}://${host}/`),
                    method: "POST",
                    ...signed,
                    agent: (idempotent ? pooled : fresh)[protocol],
                    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
                    readTimeoutMs: options.readTimeoutMs ?? 20_000,
                    ...(signal ? { signal } : {}),
                });
                if ("answer" in outcome) return outcome.answer;

                const { kind } = outcome;
                const secrets = [
                    pair.accessKeySecret,
                    pair.securityToken,
                    pair.accessKeyId,
                    signed.headers["authorization"],
                ];
                const giveUp = (): CloudError => new CloudError({ ...outcome, action, attempts, secrets });
                if (kind === "final" || (kind === "uncertain" && !idempotent)) throw giveUp();
                // Tries count by kind, so a long wait for a busy group does not use up the tries for a short outage.
                const count = (tries[kind] = (tries[kind] ?? 0) + 1);
                const limits = { ...defaultBackoff[kind], ...options.backoff?.[kind] };
                const wait = net.waitBefore(limits, count, clock.random(), outcome.retryAfterMs);
                if (count >= limits.attempts || clock.now() + wait >= deadline) throw giveUp();
                // A throttled action is throttled for all callers, so the others wait too.
                if (kind === "throttled") limiter.hold(limitKey, wait, clock);
                await clock.sleep(wait, signal);
            }
        },
    };
}

/** Returns the keys of the role named by the options. It is assumed with the keys they would have without it. */
function assume({ assumeRole, ...options }: CloudOptions): KeySource {
    const base = createCloud(options);
    const session = `${base.region} ${options.profile ?? ""} ${options.keys?.accessKeyId ?? ""}`;
    // Wall-clock time, because it is compared with the end of the session.
    return roleKeys(assumeRole as AssumeRole, session, Date.now, (params) =>
        base.call("sts", "AssumeRole", params, { idempotent: true }),
    );
}

type Outcome =
    { readonly answer: Json } | (Omit<CloudFailure, "action" | "attempts"> & { readonly retryAfterMs?: number });

async function attempt(transport: typeof net.exchange, request: net.HttpRequest): Promise<Outcome> {
    let response: net.HttpResponse;
    try {
        response = await transport(request);
    } catch (error) {
        if (!(error instanceof net.HttpFailure)) throw error;
        return { code: error.code, message: error.message, kind: classifyNoResponse(error.code, error.sent) };
    }
    const { status } = response;
    const body = net.parseJsonObject(response.body);
    if (status >= 200 && status < 300 && body) return { answer: body };
    const text = (...names: string[]) =>
        names.map((name) => body?.[name]).find((value): value is string => typeof value === "string" && value !== "");
    // A gateway on the way answers in HTML, but its status still says what to do.
    const code = text("Code", "code") ?? (status >= 200 && status < 300 ? "InvalidAnswer" : `HTTP ${status}`);
    const message = text("Message", "message") ?? (body ? "" : "the answer is not JSON");
    const requestId = text("RequestId", "requestId");
    return {
        code,
        message,
        kind: code === "InvalidAnswer" ? "uncertain" : classifyResponse(code, status),
        httpStatus: status,
        ...defined({ requestId, retryAfterMs: throttlingWait(response) }),
    };
}

/** Longest wait imposed by a server, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Returns the requested wait. The OpenAPI gateway's header is in milliseconds, the standard header in seconds. */
function throttlingWait(response: net.HttpResponse): number | undefined {
    const own = Number(response.headers["x-acs-retry-after"] ?? Number.NaN);
    const pauseMs = Number.isFinite(own) ? own : net.retryAfterMs(response.headers);
    return pauseMs === undefined ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, pauseMs));
}

const ALGORITHM = "ACS3-HMAC-SHA256";

/**
 * Signs an RPC-style call (Alibaba Cloud "V3 request structure and signature"). All parameters travel in the form body,
 * because the list of a group's backends can exceed the URL length that proxies allow, and URLs end up in access logs.
 *
 * The SDK core is loaded at the first call (about 100 ms and 30 MB). Programs that only plan never pay for it.
 *
 * @param params business parameters. Lists become `Name.1`, objects `Name.Key`, and undefined values are left out.
 */
async function sign(
    host: string,
    product: Product,
    action: string,
    params: Readonly<Record<string, unknown>>,
    keys: Keys,
): Promise<Pick<net.HttpRequest, "headers"> & { readonly body: string }> {
    const { OpenApiUtil } = await import("@alicloud/openapi-core");
    const body = OpenApiUtil.toForm(params);
    const payloadHash = OpenApiUtil.hash(Buffer.from(body, "utf8"), ALGORITHM).toString("hex");
    const headers: Record<string, string> = {
        host,
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "ack-loadbalancer",
        "x-acs-action": action,
        "x-acs-version": apiVersions[product],
        "x-acs-date": OpenApiUtil.getTimestamp(),
        "x-acs-signature-nonce": OpenApiUtil.getNonce(),
        "x-acs-content-sha256": payloadHash,
    };
    if (keys.securityToken !== undefined) {
        headers["x-acs-accesskey-id"] = keys.accessKeyId;
        headers["x-acs-security-token"] = keys.securityToken;
    }
    const signable = { method: "POST", pathname: "/", query: {}, headers };
    headers["authorization"] = OpenApiUtil.getAuthorization(
        signable as Parameters<typeof OpenApiUtil.getAuthorization>[0],
        ALGORITHM,
        payloadHash,
        keys.accessKeyId,
        keys.accessKeySecret,
    );
    return { headers, body };
}
