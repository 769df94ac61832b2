import * as net from "../net";
import type { z } from "zod";
import { describeMismatch, page } from "./answers";
import { connect } from "./connection";
import { ClusterError, ignoreKinds, kindOfStatus } from "./error";
import type { ClusterOptions, Connection } from "./kubeconfig";
import { defined } from "../schema/defined";

export interface ClientOptions extends ClusterOptions {
    /** Milliseconds until a connection must be established. Default 5000. */
    readonly connectTimeoutMs?: number;
    /** Milliseconds from then until the answer must be complete, for each try. Default 30000. */
    readonly readTimeoutMs?: number;
    /** Tries if the server is overloaded or silent. Default: 5, with waits of 250 ms doubling to 5 s. */
    readonly backoff?: Partial<net.Backoff>;
    /** Objects per page of a list. Default 500. */
    readonly pageSize?: number;
    readonly clock?: net.Clock;
}

type Query = Readonly<Record<string, string | number | undefined>>;
type JsonObject = Readonly<Record<string, unknown>>;

interface Send {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: string;
    readonly query?: Query;
    readonly object?: unknown;
    /** Content type of the object. Default `application/json`. */
    readonly type?: string;
}

const DEFAULT_BACKOFF: net.Backoff = { attempts: 5, baseMs: 250, capMs: 5_000 };

/** Longest wait, in milliseconds, that a server can ask for. */
const MAX_RETRY_AFTER_MS = 30_000;

/** Client of the API server's JSON, with retries, pages and typed errors. Patches are retried like reads. */
export class Client {
    readonly #clock: net.Clock;
    #connection: Promise<Connection> | undefined;

    constructor(private readonly options: ClientOptions) {
        this.#clock = options.clock ?? net.systemClock;
    }

    async server(): Promise<string> {
        return (await this.#connect()).server;
    }

    async get<T>(action: string, path: string, schema: z.ZodType<T>): Promise<T | undefined> {
        const answer = await ignoreKinds(["not-found"], this.#send(action, { method: "GET", path }));
        return answer && this.#read(action, schema, answer);
    }

    /** Returns all objects of a list. A list that expires between two pages (410 Gone) is read again, up to twice. */
    async list<T>(action: string, path: string, item: z.ZodType<T>, query: Query = {}): Promise<T[]> {
        for (let restarts = 0; ; restarts++) {
            try {
                return await this.#pages(action, path, item, query);
            } catch (error) {
                if (!(error instanceof ClusterError && error.httpStatus === 410) || restarts >= 2) throw error;
            }
        }
    }

    async mergePatch(action: string, path: string, object: unknown): Promise<JsonObject> {
        return this.#send(action, { method: "PATCH", path, object, type: "application/merge-patch+json" });
    }

    /** Applies a strategic merge patch, which merges lists by their keys, and returns the object. */
    async strategicPatch(action: string, path: string, object: unknown): Promise<JsonObject> {
        return this.#send(action, { method: "PATCH", path, object, type: "application/strategic-merge-patch+json" });
    }

    /**
     * Creates an object in a collection.
     *
     * @throws ClusterError of kind "conflict" if the name exists, even from a try whose answer was lost
     */
    async create(action: string, path: string, object: unknown): Promise<JsonObject> {
        return this.#send(action, { method: "POST", path, object });
    }

    /** Deletes an object. One that is gone, or that fails the options' preconditions, is left alone. */
    async delete(action: string, path: string, options: unknown): Promise<void> {
        await unlessGone(this.#send(action, { method: "DELETE", path, object: options }));
    }

    async #pages<T>(action: string, path: string, item: z.ZodType<T>, query: Query): Promise<T[]> {
        const items: T[] = [];
        for (let token: string | undefined; ;) {
            const pageQuery = { ...query, limit: this.options.pageSize ?? 500, continue: token };
            const answer = await this.#send(action, { method: "GET", path, query: pageQuery });
            const { items: onPage, metadata } = await this.#read(action, page(item), answer);
            items.push(...onPage);
            token = metadata?.continue;
            if (!token) return items;
        }
    }

    async #send(action: string, { method, path, query = {}, object, type }: Send): Promise<JsonObject> {
        const { server, access } = await this.#connect();
        const url = new URL(server + path);
        for (const [name, value] of Object.entries(query))
            if (value !== undefined) url.searchParams.set(name, String(value));
        const body = object === undefined ? undefined : JSON.stringify(object);
        const content = defined({
            "content-type": body && (type ?? "application/json"),
            "content-length": body && String(Buffer.byteLength(body)),
        });
        const { connectTimeoutMs = 5_000, readTimeoutMs = 30_000 } = this.options;
        const backoff = { ...DEFAULT_BACKOFF, ...this.options.backoff };

        for (let attempts = 1; ; attempts++) {
            const { agent, headers } = await access();
            let failure: ClusterError;
            let retryAfter = 0;
            try {
                const response = await net.exchange({
                    url,
                    method,
                    headers: { accept: "application/json", "user-agent": "ack-loadbalancer", ...content, ...headers },
                    ...defined({ body }),
                    agent,
                    connectTimeoutMs,
                    readTimeoutMs,
                });
                const answer = net.parseJsonObject(response.body);
                if (isOk(response) && answer) return answer;
                failure = refused(action, server, response, answer, attempts);
                retryAfter = Math.min(net.retryAfterMs(response.headers) ?? 0, MAX_RETRY_AFTER_MS);
            } catch (error) {
                if (!(error instanceof net.HttpFailure)) throw error;
                failure = new ClusterError({ kind: "unreachable", action, server, detail: error.message, attempts });
                if (net.isTlsFault(error.code)) throw failure;
            }
            const canRetry = failure.kind === "failed" || failure.kind === "unreachable";
            if (!canRetry || attempts >= backoff.attempts) throw failure;
            await this.#clock.sleep(net.waitBefore(backoff, attempts, this.#clock.random(), retryAfter));
        }
    }

    async #connect(): Promise<Connection> {
        return (this.#connection ??= connect(this.options).catch((error: unknown) => {
            this.#connection = undefined;
            throw error;
        }));
    }

    async #read<T>(action: string, schema: z.ZodType<T>, answer: JsonObject): Promise<T> {
        const parsed = schema.safeParse(answer);
        if (parsed.success) return parsed.data;
        const server = (await this.#connection)?.server;
        const detail = describeMismatch(parsed.error);
        throw new ClusterError({ kind: "invalid", action, detail, ...defined({ server }) });
    }
}

/** Waits for a write, and ignores that its object is gone or was created again. */
export const unlessGone = <Answer>(write: Promise<Answer>) => ignoreKinds(["not-found", "conflict"], write);

/** Returns undefined for an object that the caller may not read. */
export const unlessForbidden = <Answer>(read: Promise<Answer>) => ignoreKinds(["forbidden"], read);

const isOk = ({ status }: net.HttpResponse): boolean => status >= 200 && status < 300;

function refused(
    action: string,
    server: string,
    response: net.HttpResponse,
    answer: JsonObject | undefined,
    attempts: number,
): ClusterError {
    const { status, body } = response;
    // A 404 without a Status is not from Kubernetes: it does not mean that an object is missing.
    const isOther = status === 404 && answer?.["kind"] !== "Status";
    const noJson = answer ? "" : `, the answer is not JSON: ${net.redact(body.slice(0, 200))}`;
    const message = answer?.["message"];
    return new ClusterError({
        kind: isOk(response) ? "failed" : isOther ? "invalid" : kindOfStatus(status),
        action,
        server,
        httpStatus: status,
        detail: typeof message === "string" ? message : `HTTP ${status}${noJson}`,
        attempts,
    });
}
