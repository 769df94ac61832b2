import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/**
 * The request forms in use:
 * - `A`: typed classic SDK: POST, everything in the query.
 * - `B`: "common request" of the classic SDK: GET, everything in the query.
 * - `C`: Tea RPC: common parameters in the query, business parameters in a form body (some reads are a GET).
 * - `V3`: signed with the header `Authorization: ACS3-HMAC-SHA256 …`; parameters in query or body.
 */
export type WireForm = "A" | "B" | "C" | "V3";

/** A request as it came over the wire. */
export interface RawRequest {
    readonly method: string;
    /** Path and query as received. */
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
}

/** A request to OpenAPI, taken apart but not yet authenticated. */
export interface ApiRequest {
    readonly form: WireForm;
    readonly method: string;
    readonly path: string;
    readonly action: string;
    readonly version: string;
    /** Parameters of the query as received, signature included. */
    readonly query: Readonly<Record<string, string>>;
    /** Parameters of the form body. */
    readonly body: Readonly<Record<string, string>>;
    /** Parameters of the action: query and body without the common parameters. */
    readonly params: Readonly<Record<string, string>>;
    readonly headers: IncomingHttpHeaders;
    /** SHA-256 of the body, hex. */
    readonly bodyHash: string;
}

/** Parameters that belong to the protocol, not to the action. ClientToken and RegionId do belong to the action. */
const COMMON = new Set([
    "AccessKeyId",
    "Action",
    "Format",
    "SecurityToken",
    "Signature",
    "SignatureMethod",
    "SignatureNonce",
    "SignatureType",
    "SignatureVersion",
    "Timestamp",
    "Version",
]);

function fromForm(text: string): Record<string, string> {
    return Object.fromEntries(new URLSearchParams(text));
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
}

function formOf(raw: RawRequest, hasBody: boolean): WireForm {
    if (header(raw.headers, "authorization")?.startsWith("ACS3-") === true) return "V3";
    if (header(raw.headers, "x-sdk-invoke-type") === "common") return "B";
    if (header(raw.headers, "x-sdk-invoke-type") === "normal") return "A";
    if (header(raw.headers, "user-agent")?.includes("TeaDSL") === true || hasBody) return "C";
    return raw.method === "GET" ? "B" : "A";
}

/** A JSON body (allowed by V3) flattened to the names that a form would have. */
function flatten(value: unknown, prefix: string, into: Record<string, string>): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) value.forEach((item, i) => flatten(item, `${prefix}.${i + 1}`, into));
    else if (typeof value === "object") {
        for (const [key, item] of Object.entries(value)) flatten(item, prefix === "" ? key : `${prefix}.${key}`, into);
    } else into[prefix] = String(value);
}

function bodyParams(raw: RawRequest): Record<string, string> {
    if (raw.body === "") return {};
    if (header(raw.headers, "content-type")?.startsWith("application/json") === true) {
        const into: Record<string, string> = {};
        flatten(JSON.parse(raw.body), "", into);
        return into;
    }
    return fromForm(raw.body);
}

/**
 * Parses a request. Action and version come from the headers `x-acs-action` and `x-acs-version`, else from the
 * parameters.
 */
export function parseRequest(raw: RawRequest): ApiRequest {
    const url = new URL(raw.url, "http://cloud.invalid");
    const query = fromForm(url.search.slice(1));
    const body = bodyParams(raw);
    const merged = { ...query, ...body };
    return {
        form: formOf(raw, raw.body !== ""),
        method: raw.method,
        path: url.pathname,
        action: header(raw.headers, "x-acs-action") ?? merged["Action"] ?? "",
        version: header(raw.headers, "x-acs-version") ?? merged["Version"] ?? "",
        query,
        body,
        params: Object.fromEntries(Object.entries(merged).filter(([name]) => !COMMON.has(name))),
        headers: raw.headers,
        bodyHash: createHash("sha256").update(raw.body).digest("hex"),
    };
}
