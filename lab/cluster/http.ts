import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export interface Call {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** PEM to verify an https server with. */
    certificate?: string;
    /** Milliseconds without an answer after which the call fails, 30 s by default. */
    timeout?: number;
    agent?: HttpAgent | HttpsAgent;
}

export interface Answer {
    status: number;
    body: string;
}

/** Makes an HTTP call to a URL on this machine, without any proxy. */
export function call(url: string, options: Call = {}): Promise<Answer> {
    const { body, certificate, timeout = 30_000, headers = {}, ...rest } = options;
    // Node leaves the length out for DELETE, and the server would take the body for the next request.
    const length: Record<string, string> =
        body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const request = url.startsWith("https:") ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
        const all = {
            ...rest,
            headers: { ...headers, ...length },
            ...(certificate === undefined ? {} : { ca: certificate }),
        };
        const sent = request(url, all, (response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (part: string) => (text += part));
            response.once("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
            response.once("error", reject);
        });
        sent.setTimeout(timeout, () => sent.destroy(new Error(`no answer from ${url} within ${timeout} ms`)));
        sent.once("error", reject);
        sent.end(body);
    });
}
