import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { isMapping } from "../diagnostics";
import { unlessThrown } from "../schema/defined";

export interface HttpRequest {
    readonly url: URL;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Pool of connections, which must fit the URL's scheme. */
    readonly agent: http.Agent;
    /** Milliseconds until the connection is established, including TLS. */
    readonly connectTimeoutMs: number;
    /** Milliseconds from then until the answer is complete, or for an answer in lines, between two parts of it. */
    readonly readTimeoutMs: number;
    /** Receives the lines of a successful answer as they come, in place of its body. Its error ends the exchange. */
    readonly onLine?: (line: string) => void;
    readonly signal?: AbortSignal;
}

export interface HttpResponse {
    readonly status: number;
    readonly headers: http.IncomingHttpHeaders;
    readonly body: string;
}

/** Most bytes of an answer, or of a line of it. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Code of an {@link HttpFailure}: the answer in lines has stopped. */
export const SILENT = "SILENT";

/** Code of an {@link HttpFailure}: the answer has more bytes than this client takes. */
export const TOO_LONG = "ANSWER_TOO_LONG";

/** Error of an exchange without an answer. */
export class HttpFailure extends Error {
    constructor(
        /** Node's error code (ECONNREFUSED, …), CONNECT_TIMEOUT, READ_TIMEOUT, {@link SILENT} or {@link TOO_LONG}. */
        readonly code: string,
        message: string,
        /** True if the server may have acted, false if the connection was never established. */
        readonly sent: boolean,
    ) {
        super(message);
        this.name = "HttpFailure";
    }
}

/**
 * Sends a request and reads the whole answer, with any status. An abort closes the socket.
 *
 * It uses node:http because the SDKs' transports hide whether the request may have reached the server, and the status
 * of an answer that is not JSON.
 *
 * @throws HttpFailure if there is no answer, or the signal's reason if it was aborted
 */
export function exchange(request: HttpRequest): Promise<HttpResponse> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        let sent = false;
        let timer: NodeJS.Timeout | undefined;
        const send = request.url.protocol === "https:" ? https.request : http.request;
        const outgoing = send(request.url, {
            method: request.method,
            headers: { ...request.headers },
            agent: request.agent,
        });

        const settle = (act: () => void): void => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", onAbort);
            act();
        };
        const fail = (error: Error): void => settle(() => reject(error));
        const end = (error: Error): void => {
            fail(error);
            outgoing.destroy();
        };
        const expire = (code: string, message: string, ms = request.readTimeoutMs): void => {
            clearTimeout(timer);
            timer = setTimeout(() => end(new HttpFailure(code, `${message} within ${ms} ms`, sent)), ms);
        };
        const onAbort = (): void => end(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
        const onConnected = (): void => {
            sent = true;
            expire("READ_TIMEOUT", `no complete answer from ${request.url.host}`);
        };

        signal?.addEventListener("abort", onAbort, { once: true });
        expire("CONNECT_TIMEOUT", `no connection to ${request.url.host}`, request.connectTimeoutMs);
        outgoing.on("socket", (socket) => {
            // Node's types do not have the property of TLS sockets.
            const { connecting, secureConnecting = connecting } = socket as Socket & { secureConnecting?: boolean };
            // A reused socket, or a socket that the agent led through a proxy, is connected.
            if (!secureConnecting) onConnected();
            else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", onConnected);
        });
        outgoing.on("error", (error: NodeJS.ErrnoException) =>
            fail(new HttpFailure(error.code ?? "ERROR", error.message || String(error.code), sent)),
        );
        outgoing.on("response", (incoming) => {
            const { statusCode: status = 0, headers } = incoming;
            const onLine = status >= 200 && status < 300 ? request.onLine : undefined;
            receive(incoming, request.url.host, {
                heard: () => onLine && expire(SILENT, `nothing more from ${request.url.host}`),
                onLine,
                end,
                fail,
                done: (body) => settle(() => resolve({ status, headers, body })),
            });
        });
        outgoing.end(request.body);
    });
}

interface Receiver {
    /** Called at the beginning, and with each part. */
    readonly heard: () => void;
    /** Takes each complete line. Default: the body is kept whole. */
    readonly onLine: ((line: string) => void) | undefined;
    /** Ends the request with an error. */
    readonly end: (error: Error) => void;
    readonly fail: (error: Error) => void;
    readonly done: (body: string) => void;
}

/** Reads a body of at most {@link MAX_BYTES}. */
function receive(incoming: http.IncomingMessage, host: string, { heard, onLine, end, fail, done }: Receiver): void {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const readLines = (chunk: Buffer, lines: NonNullable<typeof onLine>): void => {
        heard();
        const complete = chunk.lastIndexOf("\n");
        if (complete === -1) return;
        const text = Buffer.concat(chunks).toString("utf8", 0, bytes - (chunk.length - complete));
        chunks = [chunk.subarray(complete + 1)];
        bytes = chunk.length - complete - 1;
        for (const line of text.split("\n")) lines(line);
    };
    heard();
    incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_BYTES) return end(new HttpFailure(TOO_LONG, `${host} answers with more than 64 MB`, true));
        try {
            if (onLine) readLines(chunk, onLine);
        } catch (error) {
            end(error as Error);
        }
    });
    incoming.on("error", (error: NodeJS.ErrnoException) =>
        fail(new HttpFailure(error.code ?? "ERROR", error.message, true)),
    );
    incoming.on("end", () => done(Buffer.concat(chunks).toString("utf8")));
}

/** True for a refused certificate or protocol: a retry changes nothing. */
export function isTlsFault(code: string): boolean {
    return /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/.test(code);
}

/** Parses a `Retry-After` header (seconds or a date) to milliseconds, or undefined if absent. */
export function retryAfterMs(headers: http.IncomingHttpHeaders, now = Date.now()): number | undefined {
    const value = headers["retry-after"];
    if (value === undefined) return undefined;
    const seconds = Number(value);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const date = Date.parse(value);
    return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Parses a body that is a JSON object, and returns undefined for anything else. */
export function parseJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
    const value = unlessThrown((): unknown => JSON.parse(body));
    return isMapping(value) ? value : undefined;
}
