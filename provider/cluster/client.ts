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

/** Path of the API server, by its parts: `["api", "v1", "nodes"]`. */
export type Path = readonly string[];

/** Parameters of a request. A record is a selector of objects with all its labels or fields. */
type Query = Readonly<Record<string, string | number | Readonly<Record<string, string>> | undefined>>;
type JsonObject = Readonly<Record<string, unknown>>;

interface Send {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: Path;
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

    async get<T>(action: string, path: Path, schema: z.ZodType<T>, query: Query = {}): Promise<T | undefined> {
        const answer = await ignoreKinds(["not-found"], this.#send(action, { method: "GET", path, query }));
        return answer && this.#read(action, schema, answer);
    }

    async list<T>(action: string, path: Path, item: z.ZodType<T>, query: Query = {}): Promise<T[]> {
        return (await this.listVersion(action, path, item, query)).items;
    }

    /**
     * Returns all objects of a list, and its version, which a watch begins at. A list that expires between two pages
     * (410 Gone) is read again, up to twice.
     */
    async listVersion<T>(action: string, path: Path, item: z.ZodType<T>, query: Query = {}) {
        for (let restarts = 0; ; restarts++) {
            try {
                return await this.#pages(action, path, item, query);
            } catch (error) {
                if (!(error instanceof ClusterError && error.httpStatus === 410) || restarts >= 2) throw error;
            }
        }
    }

    /**
     * Passes on the changes of a collection since a version, until the server ends the watch or says nothing for
     * `silenceMs`. An error of `onLine` ends it, too.
     */
    async watch(
        action: string,
        path: Path,
        query: Query,
        { silenceMs, ...stream }: Pick<net.HttpRequest, "onLine" | "signal"> & { readonly silenceMs: number },
    ): Promise<void> {
        const request = await this.#request(action, { method: "GET", path, query: { ...query, watch: "true" } });
        const server = await this.server();
        try {
            const response = await net.exchange({ ...request, ...stream, readTimeoutMs: silenceMs });
            if (!isOk(response)) throw refused(action, server, response, net.parseJsonObject(response.body), 1);
        } catch (error) {
            if (!(error instanceof net.HttpFailure)) throw error;
            if (error.code !== net.SILENT) throw unanswered(action, server, error, 1);
        }
    }

    async mergePatch(action: string, path: Path, object: unknown): Promise<JsonObject> {
        return this.#send(action, { method: "PATCH", path, object, type: "application/merge-patch+json" });
    }

    /** Applies a strategic merge patch, which merges lists by their keys, and returns the object. */
    async strategicPatch(action: string, path: Path, object: unknown): Promise<JsonObject> {
        return this.#send(action, { method: "PATCH", path, object, type: "application/strategic-merge-patch+json" });
    }

    /**
     * Creates an object in a collection.
     *
     * @throws ClusterError of kind "conflict" if the name exists, even from a try whose answer was lost
     */
    async create(action: string, path: Path, object: unknown): Promise<JsonObject> {
        return this.#send(action, { method: "POST", path, object });
    }

    /** Deletes an object. An object that is gone, or that fails the options' preconditions, is left alone. */
    async delete(action: string, path: Path, options: unknown): Promise<void> {
        await unlessGone(this.#send(action, { method: "DELETE", path, object: options }));
    }

    async #pages<T>(action: string, path: Path, item: z.ZodType<T>, query: Query) {
        const items: T[] = [];
        for (let token: string | undefined; ;) {
            const pageQuery = { ...query, limit: this.options.pageSize ?? 500, continue: token };
            const answer = await this.#send(action, { method: "GET", path, query: pageQuery });
            const { items: onPage, metadata } = await this.#read(action, page(item), answer);
            items.push(...onPage);
            token = metadata?.continue;
            if (!token) return { items, version: metadata?.resourceVersion };
        }
    }

    async #request(action: string, { method, path, query = {}, object, type }: Send): Promise<net.HttpRequest> {
        const { server, access } = await this.#connect();
        const url = urlOf(action, server, path, query);
        const body = object === undefined ? undefined : JSON.stringify(object);
        const content = defined({
            "content-type": body && (type ?? "application/json"),
            "content-length": body && String(Buffer.byteLength(body)),
        });
        const { connectTimeoutMs = 5_000, readTimeoutMs = 30_000 } = this.options;
        const { agent, headers: own } = await access();
        const headers = { accept: "application/json", "user-agent": "ack-loadbalancer", ...content, ...own };
        return { url, method, headers, ...defined({ body }), agent, connectTimeoutMs, readTimeoutMs };
    }

    async #send(action: string, send: Send): Promise<JsonObject> {
        const backoff = { ...DEFAULT_BACKOFF, ...this.options.backoff };
        for (let attempts = 1; ; attempts++) {
            const request = await this.#request(action, send);
            const server = await this.server();
            let failure: ClusterError;
            let retryAfter = 0;
            try {
                const response = await net.exchange(request);
                const answer = net.parseJsonObject(response.body);
                if (isOk(response) && answer) return answer;
                failure = refused(action, server, response, answer, attempts);
                retryAfter = Math.min(net.retryAfterMs(response.headers) ?? 0, MAX_RETRY_AFTER_MS);
            } catch (error) {
                if (!(error instanceof net.HttpFailure)) throw error;
                failure = unanswered(action, server, error, attempts);
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

/** Part of a path: a name of an object or resource, a group or a version. Source: Kubernetes, DNS subdomains. */
const PART = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Key or value of a selector. Source: Kubernetes, labels and selectors. */
const LABEL = /^[A-Za-z0-9._/-]*$/;

/**
 * Returns the URL of a request. References between objects hold names that Kubernetes does not check, such as
 * `../../kube-system/secrets/x`.
 *
 * @throws ClusterError of kind "not-found" for a name or label that no object can have
 */
function urlOf(action: string, server: string, path: Path, query: Query): URL {
    const check = (form: RegExp, text: string): string => {
        if (form.test(text)) return text;
        const detail = `${net.quote(text)} is no name or label of Kubernetes`;
        throw new ClusterError({ kind: "not-found", action, server, detail });
    };
    const url = new URL(`${server}/${path.map((part) => check(PART, part)).join("/")}`);
    for (const [name, value] of Object.entries(query)) {
        if (value === undefined) continue;
        const labels = typeof value === "object" ? Object.entries(value) : [];
        const selector = labels.map((pair) => pair.map((text) => check(LABEL, text)).join("="));
        url.searchParams.set(name, typeof value === "object" ? selector.join(",") : String(value));
    }
    return url;
}

const isOk = ({ status }: net.HttpResponse): boolean => status >= 200 && status < 300;

function unanswered(action: string, server: string, error: net.HttpFailure, attempts: number): ClusterError {
    const kind = error.code === net.TOO_LONG ? "invalid" : "unreachable";
    return new ClusterError({ kind, action, server, detail: error.message, attempts });
}

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
    const noJson = answer ? "" : `, the answer is not JSON: ${body.slice(0, 200)}`;
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
