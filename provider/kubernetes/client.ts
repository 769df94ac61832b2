import {
    exchange,
    HttpFailure,
    isTlsFault,
    redact,
    retryAfterMs,
    systemClock,
    waitBefore,
    type Backoff,
    type Clock,
    type HttpResponse,
    parseJsonObject,
} from "../net";
import type { z } from "zod";
import { describeMismatch, page } from "./answers";
import type { ClusterOptions, Connection } from "./cluster-options";
import { connect } from "./connection";
import { ClusterError, kindOfStatus } from "./error";
import { defined } from "../schema/defined";

/** How requests are made. */
export interface ClientOptions extends ClusterOptions {
    /** Milliseconds until a connection must be established. Default 5000. */
    readonly connectTimeoutMs?: number;
    /** Milliseconds from then until the whole answer must be there, per try. Default 30000. */
    readonly readTimeoutMs?: number;
    /** Tries and waits when the server is overloaded or does not answer. Default: 5 tries, waits up to 250 ms doubling to 5 s. */
    readonly backoff?: Partial<Backoff>;
    /** Objects per page of a list. Default 500. */
    readonly pageSize?: number;
    readonly clock?: Clock;
}

type Query = Readonly<Record<string, string | number | undefined>>;
type JsonObject = Readonly<Record<string, unknown>>;

const DEFAULT_BACKOFF: Backoff = { attempts: 5, baseMs: 250, capMs: 5_000 };

/** The API server's JSON, with tries, pages and typed errors. */
export class Client {
    readonly #options: ClientOptions;
    readonly #clock: Clock;
    #connection: Promise<Connection> | undefined;

    constructor(options: ClientOptions) {
        this.#options = options;
        this.#clock = options.clock ?? systemClock;
    }

    /** The API server's URL. */
    async server(): Promise<string> {
        return (await this.#connect()).server;
    }

    /** One object, or undefined if it is not there. */
    async get<T>(action: string, path: string, schema: z.ZodType<T>): Promise<T | undefined> {
        try {
            return await this.#read(action, schema, await this.#send(action, "GET", path));
        } catch (error) {
            if (error instanceof ClusterError && error.kind === "not-found") return undefined;
            throw error;
        }
    }

    /**
     * All objects of a list, page by page. A list that changed too much on the way (410 Gone) is read again from the start.
     */
    async list<T>(action: string, path: string, item: z.ZodType<T>, query: Query = {}): Promise<T[]> {
        for (let restarts = 0; ; restarts++) {
            try {
                return await this.#pages(action, path, item, query);
            } catch (error) {
                if (!(error instanceof ClusterError && error.httpStatus === 410) || restarts >= 2) throw error;
            }
        }
    }

    /** Applies a merge patch and gives the object as it is then. Repeating it changes nothing, so it is tried again like a read. */
    async mergePatch(action: string, path: string, patch: unknown): Promise<JsonObject> {
        return this.#send(action, "PATCH", path, {}, JSON.stringify(patch));
    }

    /** Applies a strategic merge patch, which merges lists by their keys. Repeating it changes nothing, so it is tried again like a read. */
    async strategicPatch(action: string, path: string, patch: unknown): Promise<JsonObject> {
        return this.#send(action, "PATCH", path, {}, JSON.stringify(patch), "application/strategic-merge-patch+json");
    }

    /**
     * Creates an object in a collection.
     *
     * @throws ClusterError of kind "conflict" where there is one of its name; also if it was created by a try whose answer was lost
     */
    async create(action: string, path: string, object: unknown): Promise<JsonObject> {
        return this.#send(action, "POST", path, {}, JSON.stringify(object), "application/json");
    }

    /** Deletes an object; one that is gone, or that does not meet the options' preconditions, is left alone. */
    async delete(action: string, path: string, options: unknown): Promise<void> {
        try {
            await this.#send(action, "DELETE", path, {}, JSON.stringify(options), "application/json");
        } catch (error) {
            if (!(error instanceof ClusterError && (error.kind === "not-found" || error.kind === "conflict")))
                throw error;
        }
    }

    async #pages<T>(action: string, path: string, item: z.ZodType<T>, query: Query): Promise<T[]> {
        const schema = page(item);
        const items: T[] = [];
        for (let token: string | undefined; ;) {
            const answer = await this.#send(action, "GET", path, {
                ...query,
                limit: this.#options.pageSize ?? 500,
                continue: token,
            });
            const { items: found, metadata } = await this.#read(action, schema, answer);
            items.push(...found);
            if ((metadata?.continue ?? "") === "") return items;
            token = metadata?.continue;
        }
    }

    async #send(
        action: string,
        method: string,
        path: string,
        query: Query = {},
        body?: string,
        type = "application/merge-patch+json",
    ): Promise<JsonObject> {
        const { server, access } = await this.#connect();
        const url = new URL(server + path);
        for (const [name, value] of Object.entries(query))
            if (value !== undefined) url.searchParams.set(name, String(value));
        const backoff = { ...DEFAULT_BACKOFF, ...this.#options.backoff };

        for (let attempts = 1; ; attempts++) {
            const { agent, headers } = await access();
            let failure: ClusterError;
            let retryAfter = 0;
            try {
                const response = await exchange({
                    url,
                    method,
                    headers: {
                        accept: "application/json",
                        "user-agent": "ack-loadbalancer",
                        ...(body === undefined
                            ? {}
                            : { "content-type": type, "content-length": String(Buffer.byteLength(body)) }),
                        ...headers,
                    },
                    ...defined({ body }),
                    agent,
                    connectTimeoutMs: this.#options.connectTimeoutMs ?? 5_000,
                    readTimeoutMs: this.#options.readTimeoutMs ?? 30_000,
                });
                const answer = parseJsonObject(response.body);
                if (response.status >= 200 && response.status < 300 && answer) return answer;
                failure = refused(action, server, response, answer, attempts);
                retryAfter = retryAfterMs(response.headers) ?? 0;
            } catch (error) {
                if (!(error instanceof HttpFailure)) throw error;
                failure = new ClusterError({ kind: "unreachable", action, server, detail: error.message, attempts });
                if (isTlsFault(error.code)) throw failure;
            }
            if ((failure.kind !== "failed" && failure.kind !== "unreachable") || attempts >= backoff.attempts)
                throw failure;
            await this.#clock.sleep(
                waitBefore(backoff, attempts, this.#clock.random(), Math.min(retryAfter, MAX_RETRY_AFTER_MS)),
            );
        }
    }

    async #connect(): Promise<Connection> {
        return (this.#connection ??= connect(this.#options).catch((error: unknown) => {
            this.#connection = undefined;
            throw error;
        }));
    }

    /** An answer of the shape that was asked for. */
    async #read<T>(action: string, schema: z.ZodType<T>, answer: JsonObject): Promise<T> {
        const parsed = schema.safeParse(answer);
        if (parsed.success) return parsed.data;
        const server = (await this.#connection)?.server;
        throw new ClusterError({
            kind: "invalid",
            action,
            detail: describeMismatch(parsed.error),
            ...defined({ server }),
        });
    }
}

/** No server can make a caller wait for longer than this, in milliseconds. */
const MAX_RETRY_AFTER_MS = 30_000;

function refused(
    action: string,
    server: string,
    response: HttpResponse,
    answer: JsonObject | undefined,
    attempts: number,
): ClusterError {
    const message = typeof answer?.["message"] === "string" ? answer["message"] : undefined;
    const ok = response.status >= 200 && response.status < 300;
    return new ClusterError({
        // A 404 that is not Kubernetes' own comes from something else at this address; it does not mean that an object is missing.
        kind: ok
            ? "failed"
            : response.status === 404 && answer?.["kind"] !== "Status"
              ? "invalid"
              : kindOfStatus(response.status),
        action,
        server,
        httpStatus: response.status,
        detail:
            message ??
            (answer
                ? `HTTP ${response.status}`
                : `HTTP ${response.status}, the answer is not JSON: ${redact(response.body.slice(0, 200))}`),
        attempts,
    });
}
