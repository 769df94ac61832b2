/** Calls of the newer SDK (form C): common parameters in the query, the call's own in a form body. */
import { randomUUID } from "node:crypto";
import type { Clock } from "./clock";
import { PluginPanic, TeaError } from "./errors";
import { flattenArguments, sortedJson, type Arguments } from "./flatten";
import { parseJson } from "./legacy";
import { products, type Product } from "./names";
import { formText, sign, timestamp, type Parameters } from "./signature";
import type { Settings } from "./settings";
import { send } from "./transport";
import { traceHeaders, userAgent } from "./user-agent";

export interface TeaCall {
    readonly product: Product;
    readonly endpoint: string;
    readonly action: string;
    readonly method?: "GET" | "POST";
    readonly query?: Arguments | undefined;
    readonly body?: Arguments | undefined;
    /** Repeat at once, up to three times, after a broken connection or an answer of 500 and above. */
    readonly autoRetry: boolean;
}

export type Answer = Record<string, unknown>;

const attempts = 3;

export async function callTea(settings: Settings, clock: Clock, call: TeaCall): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
        try {
            const answer = await callOnce(settings, clock, call);
            throwIfRefused(answer);
            return answer;
        } catch (error) {
            if (error instanceof PluginPanic || !call.autoRetry || attempt >= attempts) throw error;
            if (error instanceof TeaError && error.status < 500) throw error;
        }
    }
}

async function callOnce(settings: Settings, clock: Clock, call: TeaCall): Promise<Answer> {
    const method = call.method ?? "POST";
    const version = products[call.product].version;
    const body = call.body === undefined ? undefined : flattenArguments(call.body);
    const query: Parameters = {
        Action: call.action,
        Format: "json",
        Timestamp: timestamp(),
        Version: version,
        SignatureNonce: randomUUID(),
        ...flattenArguments(call.query ?? {}),
        SignatureMethod: "HMAC-SHA1",
        SignatureVersion: "1.0",
        AccessKeyId: settings.accessKey,
    };
    if (settings.securityToken !== "") query["SecurityToken"] = settings.securityToken;
    query["Signature"] = sign(method, { ...query, ...body }, settings.secretKey);
    const text = body === undefined ? undefined : formText(body);
    const answer = await send({
        scheme: settings.protocol,
        host: call.endpoint,
        method,
        path: `/?${formText(query)}`,
        timeoutSeconds: settings.readTimeoutSeconds,
        headers: {
            "User-Agent": userAgent("Core/0.01 TeaDSL/1"),
            ...(text === undefined
                ? {}
                : { "content-type": "application/x-www-form-urlencoded", "Content-Length": Buffer.byteLength(text) }),
            "x-acs-action": call.action,
            "x-acs-version": version,
            "Accept-Encoding": "identity",
            ...traceHeaders(clock),
        },
        ...(text === undefined ? {} : { body: text }),
    });
    // The real plugin cannot cope with an empty answer: its process ends.
    if (answer.body === "" && answer.status < 400)
        throw new PluginPanic("interface conversion: interface {} is nil, not map[string]interface {}");
    const decoded = parseJson(answer.body) as Answer;
    if (answer.status >= 400) {
        const field = (name: string): string =>
            goText(decoded[name] ?? decoded[name[0]!.toLowerCase() + name.slice(1)]);
        throw new TeaError(
            answer.status,
            field("Code"),
            `code: ${answer.status}, ${field("Message")} request id: ${field("RequestId")}`,
            sortedJson(decoded),
        );
    }
    return decoded;
}

const goText = (value: unknown): string => (value === undefined || value === null ? "<nil>" : String(value));

/** A success may still carry an error code. */
function throwIfRefused(answer: Answer): void {
    const code = answer["Code"] ?? answer["code"];
    const success = answer["Success"] ?? answer["success"];
    if (code !== undefined && typeof code !== "string" && typeof code !== "number") return;
    if (code !== undefined && ["success", "ok", "200", "0"].includes(String(code).toLowerCase())) return;
    if (success !== undefined && String(success) === "true") return;
    const message = answer["Message"] ?? answer["message"];
    if (("Message" in answer || "message" in answer) && (message === null || message === "")) return;
    if (code === undefined && success === undefined) return;
    throw new TeaError(200, goText(code), goText(message), sortedJson(answer));
}
