import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { createSecureContext, rootCertificates } from "node:tls";

export interface HttpAnswer {
    readonly status: number;
    readonly headers: http.IncomingHttpHeaders;
    /** Header names and values as sent, in turn. */
    readonly rawHeaders: readonly string[];
    readonly body: string;
}

export interface HttpRequest {
    readonly scheme: "http" | "https";
    readonly host: string;
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly headers: http.OutgoingHttpHeaders;
    readonly body?: string;
    readonly timeoutSeconds: number;
}

const plainAgent = new http.Agent({ keepAlive: true });
let secureAgent: https.Agent | undefined;

/**
 * Returns the HTTPS agent. As in the real plugin, SSL_CERT_FILE replaces the built-in authorities and
 * NODE_EXTRA_CA_CERTS adds to them.
 */
function securedBy(): https.Agent {
    if (secureAgent === undefined) {
        const file = process.env["SSL_CERT_FILE"];
        const extra = process.env["NODE_EXTRA_CA_CERTS"];
        const extras = extra === undefined || extra === "" ? [] : [readFileSync(extra, "utf8")];
        const ca =
            file === undefined || file === ""
                ? [...rootCertificates, ...extras]
                : [readFileSync(file, "utf8"), ...extras];
        // An agent that gets the authorities themselves reads them for each request, to tell its connections apart.
        secureAgent = new https.Agent({ keepAlive: true, secureContext: createSecureContext({ ca }) });
    }
    return secureAgent;
}

/** Moves text after a slash from the host to the path, and removes a colon without a port, as Go does. */
function normalized(request: HttpRequest): HttpRequest {
    const [, host, rest] = /^([^/]*)(.*)$/.exec(request.host)!;
    return { ...request, host: host!.replace(/:$/, ""), path: `${rest}${request.path}` };
}

/** Sends a request. A GET on a connection that had been used before is repeated when the connection breaks. */
export async function send(given: HttpRequest): Promise<HttpAnswer> {
    const request = normalized(given);
    for (;;) {
        try {
            return await sendOnce(request);
        } catch (error) {
            const broken = error as NodeJS.ErrnoException & { reused?: boolean };
            if (request.method === "GET" && broken.reused === true && broken.code === "ECONNRESET") continue;
            throw new Error(
                `${request.method === "GET" ? "Get" : "Post"} ` +
                    `"${request.scheme}://${request.host}${request.path}": ${reason(broken, request)}`,
                { cause: error },
            );
        }
    }
}

function sendOnce(request: HttpRequest): Promise<HttpAnswer> {
    const secure = request.scheme === "https";
    const [hostname, port] = splitHost(request.host, secure);
    return new Promise((resolve, reject) => {
        const options: https.RequestOptions = {
            hostname,
            port,
            method: request.method,
            path: request.path,
            headers: { Host: request.host, ...request.headers },
            agent: secure ? securedBy() : plainAgent,
            timeout: request.timeoutSeconds * 1000,
        };
        const outgoing = (secure ? https : http).request(options, (incoming) => {
            const parts: Buffer[] = [];
            incoming.on("data", (part: Buffer) => parts.push(part));
            incoming.on("end", () =>
                resolve({
                    status: incoming.statusCode ?? 0,
                    headers: incoming.headers,
                    rawHeaders: incoming.rawHeaders,
                    body: Buffer.concat(parts).toString("utf8"),
                }),
            );
            incoming.on("error", reject);
        });
        outgoing.on("timeout", () =>
            outgoing.destroy(new Error("net/http: request canceled (Client.Timeout exceeded while awaiting headers)")),
        );
        outgoing.on("error", (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })));
        outgoing.end(request.body);
    });
}

function splitHost(host: string, secure: boolean): [string, number] {
    const [, name, port] = /^(.*?)(?::(\d+))?$/.exec(host)!;
    return [name!, port === undefined ? (secure ? 443 : 80) : Number(port)];
}

function reason(error: NodeJS.ErrnoException, request: HttpRequest): string {
    switch (error.code) {
        case "ECONNRESET":
            return "EOF";
        case "ECONNREFUSED":
            return `dial tcp ${request.host}: connect: connection refused`;
        case "ENOTFOUND":
        case "EAI_AGAIN":
            return `dial tcp: lookup ${splitHost(request.host, false)[0]}: no such host`;
        default:
            return error.message;
    }
}
