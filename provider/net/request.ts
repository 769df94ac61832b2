import * as http from "node:http";
import * as https from "node:https";
import { TLSSocket } from "node:tls";

/** One HTTP exchange. */
export interface HttpRequest {
    readonly url: URL;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Pool of connections; must fit the URL's scheme. */
    readonly agent: http.Agent;
    /** Milliseconds until a connection, TLS included, must stand. */
    readonly connectTimeoutMs: number;
    /** Milliseconds from then until the whole answer must be there. */
    readonly readTimeoutMs: number;
    readonly signal?: AbortSignal;
}

export interface HttpResponse {
    readonly status: number;
    readonly headers: http.IncomingHttpHeaders;
    readonly body: string;
}

/** An exchange that brought no answer. */
export class HttpFailure extends Error {
    constructor(
        /** Node's error code (ECONNREFUSED, ENOTFOUND, ECONNRESET, …), or CONNECT_TIMEOUT or READ_TIMEOUT. */
        readonly code: string,
        message: string,
        /** False when the connection never stood, so the server cannot have acted; true when it may have. */
        readonly sent: boolean,
    ) {
        super(message);
        this.name = "HttpFailure";
    }
}

/**
 * Makes one exchange and reads the answer whole, whatever its status.
 *
 * Written over node:http because what retry must know is lost in the SDKs' own transports: whether the request can have reached
 * the server, and the status of an answer that is not JSON. An abort closes the socket.
 *
 * @throws HttpFailure when there is no answer; the signal's reason when it was aborted
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
        const expire = (code: string, ms: number, message: string): void => {
            clearTimeout(timer);
            timer = setTimeout(() => {
                fail(new HttpFailure(code, `${message} within ${ms} ms`, sent));
                outgoing.destroy();
            }, ms);
        };
        const onAbort = (): void => {
            fail(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
            outgoing.destroy();
        };
        const onConnected = (): void => {
            sent = true;
            expire("READ_TIMEOUT", request.readTimeoutMs, `no complete answer from ${request.url.host}`);
        };

        signal?.addEventListener("abort", onAbort, { once: true });
        expire("CONNECT_TIMEOUT", request.connectTimeoutMs, `no connection to ${request.url.host}`);
        outgoing.on("socket", (socket) => {
            // A reused socket stands already, and so does one that the agent led through a proxy.
            if (socket instanceof TLSSocket ? !isHandshaking(socket) : !socket.connecting) onConnected();
            else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", onConnected);
        });
        outgoing.on("error", (error: NodeJS.ErrnoException) =>
            fail(new HttpFailure(error.code ?? "ERROR", error.message || String(error.code), sent)),
        );
        outgoing.on("response", (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
            incoming.on("error", (error: NodeJS.ErrnoException) =>
                fail(new HttpFailure(error.code ?? "ERROR", error.message, true)),
            );
            incoming.on("end", () =>
                settle(() =>
                    resolve({
                        status: incoming.statusCode ?? 0,
                        headers: incoming.headers,
                        body: Buffer.concat(chunks).toString("utf8"),
                    }),
                ),
            );
        });
        outgoing.end(request.body);
    });
}

/** Node sets the property but leaves it out of its documentation and types. */
function isHandshaking(socket: TLSSocket): boolean {
    return (socket as TLSSocket & { readonly secureConnecting?: boolean }).secureConnecting === true;
}

/** Whether the failure is a certificate or a protocol that is not accepted: asking again changes nothing. */
export function isTlsFault(code: string): boolean {
    return /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/.test(code);
}

/** Milliseconds that a `Retry-After` header asks for (seconds or a date); undefined where there is none. */
export function retryAfterMs(headers: http.IncomingHttpHeaders, now = Date.now()): number | undefined {
    const value = headers["retry-after"];
    if (value === undefined) return undefined;
    const seconds = Number(value);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const date = Date.parse(value);
    return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
