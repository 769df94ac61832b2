/** Calls of the older SDK: everything in the query. Form A is a POST, form B a GET that always goes over https. */
import { randomUUID } from "node:crypto";
import type { Clock } from "./clock";
import { ServerError } from "./errors";
import { products, type Product } from "./names";
import { formText, sign, timestamp, type Parameters } from "./signature";
import type { Settings } from "./settings";
import { send, type HttpAnswer } from "./transport";
import { traceHeaders, userAgent } from "./user-agent";

export interface LegacyCall {
    readonly form: "A" | "B";
    readonly product: Product;
    readonly endpoint: string;
    readonly action: string;
    readonly parameters: Parameters;
}

export async function callLegacy(settings: Settings, clock: Clock, call: LegacyCall): Promise<HttpAnswer> {
    const method = call.form === "A" ? "POST" : "GET";
    const version = products[call.product].version;
    const query: Parameters = {
        ...call.parameters,
        AccessKeyId: settings.accessKey,
        Action: call.action,
        Format: "JSON",
        RegionId: settings.region,
        SignatureMethod: "HMAC-SHA1",
        SignatureNonce: randomUUID(),
        SignatureType: "",
        SignatureVersion: "1.0",
        Timestamp: timestamp(),
        Version: version,
    };
    if (settings.securityToken !== "") query["SecurityToken"] = settings.securityToken;
    query["Signature"] = sign(method, query, settings.secretKey);
    const answer = await send({
        scheme: call.form === "B" ? "https" : settings.protocol,
        host: call.endpoint,
        method,
        path: `/?${formText(query)}`,
        timeoutSeconds: settings.readTimeoutSeconds,
        headers: {
            "User-Agent": userAgent("Core/1.63.22"),
            "Content-Type": "application/x-www-form-urlencoded",
            ...(call.form === "A" ? { "Content-Length": 0 } : {}),
            "Accept-Encoding": "identity",
            "x-acs-action": call.action,
            "x-acs-credentials-provider": "static_ak",
            "x-acs-version": version,
            "x-sdk-client": "golang/1.0.0",
            "x-sdk-core-version": "1.63.22",
            "x-sdk-invoke-type": call.form === "A" ? "normal" : "common",
            ...traceHeaders(clock),
        },
    });
    if (answer.status < 200 || answer.status >= 300) throw refusal(answer);
    return answer;
}

function refusal(answer: HttpAnswer): ServerError {
    let body: Record<string, unknown> | undefined;
    try {
        body = JSON.parse(answer.body) as Record<string, unknown>;
    } catch {
        body = undefined;
    }
    const field = (name: string): string => (body?.[name] === undefined ? "" : String(body[name]));
    const text = body === undefined ? answer.body : field("Message");
    return new ServerError(answer.status, field("Code"), text, {
        recommend: field("Recommend"),
        requestId: field("RequestId"),
        headers: goHeaders(answer.rawHeaders),
    });
}

/** Formats headers as Go prints a map of them, without the transfer coding. */
function goHeaders(raw: readonly string[]): string {
    const values = new Map<string, string[]>();
    for (let i = 0; i + 1 < raw.length; i += 2) {
        const name = raw[i]!.toLowerCase().replace(/(^|-)[a-z]/g, (c) => c.toUpperCase());
        if (name !== "Transfer-Encoding") values.set(name, [...(values.get(name) ?? []), raw[i + 1]!]);
    }
    return `map[${[...values]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, list]) => `${name}:[${list.join(" ")}]`)
        .join(" ")}]`;
}

/** Parses the answer of a form A call. An empty body is an empty answer. */
export function parseTyped(body: string): Record<string, unknown> {
    if (body === "") return {};
    try {
        return JSON.parse(body) as Record<string, unknown>;
    } catch {
        const seen = body.slice(0, 11);
        throw new Error(
            "[SDK.JsonUnmarshalError] Failed to unmarshal response, but you can get the data via " +
                "response.GetHttpStatusCode() and response.GetHttpContentString()\ncaused by:\n" +
                `readObjectStart: expect { or n, but found ${body[0]}, ` +
                `error found in #1 byte of ...|${seen}|..., bigger context ...|${body.slice(0, 50)}|...`,
        );
    }
}

/** The body of a form B answer as JSON, with the error texts of Go's decoder. */
export function parseJson(body: string): unknown {
    if (body.trim() === "") throw new Error("unexpected end of JSON input");
    try {
        return JSON.parse(body);
    } catch {
        throw new Error(`invalid character '${body.trim()[0]}' looking for beginning of value`);
    }
}
