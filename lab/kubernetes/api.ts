/** Requests to a Kubernetes API server. */
import * as https from "node:https";
import * as http from "node:http";
import type { Access } from "./kubeconfig";
import type { Json, JsonMap } from "./properties";

/** An answer of the API server that is no success. */
export class ApiError extends Error {
    constructor(
        readonly code: number,
        readonly reason: string,
        message: string,
    ) {
        super(message);
    }
}

/** The API server could not be asked. */
export class Unreachable extends Error {}

export type PatchType = "application/apply-patch+yaml" | "application/json-patch+json" | "application/merge-patch+json";

export interface ApiRequest {
    readonly method: "GET" | "POST" | "PATCH" | "DELETE";
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: Json;
    readonly contentType?: PatchType | "application/json";
    /** Limit in milliseconds. Default 30 s. */
    readonly timeout?: number;
}

export class Api {
    private readonly agent: https.Agent | http.Agent;

    constructor(private readonly access: Access) {
        this.agent = this.server.startsWith("http:")
            ? new http.Agent({ keepAlive: true })
            : new https.Agent({ keepAlive: true, ...access.tls });
    }

    get server(): string {
        return this.access.server;
    }

    /** Returns the namespace of the kubeconfig's context, or empty when it names none. */
    get contextNamespace(): string {
        return this.access.namespace;
    }

    async request(request: ApiRequest): Promise<JsonMap> {
        const { status, text } = await this.send(request);
        let body: JsonMap = {};
        try {
            body = JSON.parse(text) as JsonMap;
        } catch {
            if (status < 400)
                throw new ApiError(
                    status,
                    "",
                    `the API server answered ${request.method} ${request.path} with something that is not JSON`,
                );
        }
        if (status < 400) return body;
        throw new ApiError(
            status,
            String(body["reason"] ?? ""),
            String(body["message"] ?? (text || `HTTP status ${status}`)),
        );
    }

    private send(request: ApiRequest): Promise<{ status: number; text: string }> {
        if (this.server === "") throw new Unreachable("no cluster is configured");
        const url = new URL(this.server.replace(/\/$/, "") + request.path);
        for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
        const payload = request.body === undefined ? undefined : JSON.stringify(request.body);
        const options: https.RequestOptions = {
            method: request.method,
            agent: this.agent,
            timeout: request.timeout ?? 30_000,
            headers: {
                ...this.access.headers,
                Accept: "application/json",
                "User-Agent": "pulumi-kubernetes",
                ...(payload === undefined
                    ? {}
                    : {
                          "Content-Type": request.contentType ?? "application/json",
                          "Content-Length": Buffer.byteLength(payload),
                      }),
            },
        };
        return new Promise((resolve, reject) => {
            const fail = (error: Error): void =>
                reject(new Unreachable(`${request.method} ${url.origin}${url.pathname}: ${error.message}`));
            const outgoing = (url.protocol === "http:" ? http : https).request(url, options, (incoming) => {
                const parts: Buffer[] = [];
                incoming.on("data", (part: Buffer) => parts.push(part));
                incoming.on("end", () =>
                    resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
                );
                incoming.on("error", fail);
            });
            outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
            outgoing.on("error", fail);
            outgoing.end(payload);
        });
    }

    close(): void {
        this.agent.destroy();
    }
}
