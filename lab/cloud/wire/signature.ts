import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ApiError } from "../core";
import type { ApiRequest } from "./request";

/** A key pair that a lab's cloud knows. */
export interface KeyPair {
    readonly accessKeyId: string;
    readonly accessKeySecret: string;
}

/** Gives a key pair by its id. */
export type KeyBook = (accessKeyId: string) => KeyPair | undefined;

/** Percent-encoding of the signature algorithms: RFC 3986, which encodes `!'()*` too. */
function encode(text: string): string {
    return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function canonicalQuery(params: Readonly<Record<string, string>>): string {
    return Object.keys(params)
        .sort()
        .map((key) => `${encode(key)}=${encode(params[key] ?? "")}`)
        .join("&");
}

/** The text that classic clients sign: method, path and all parameters of query and body but the signature. */
export function stringToSignV1(request: ApiRequest): string {
    const params: Record<string, string> = { ...request.query, ...request.body };
    delete params["Signature"];
    return [request.method, encode("/"), encode(canonicalQuery(params))].join("&");
}

/** HMAC-SHA1 signature of signature version 1.0, base64. */
export function signV1(text: string, secret: string): string {
    return createHmac("sha1", `${secret}&`).update(text).digest("base64");
}

/** The parts of `ACS3-HMAC-SHA256 Credential=…,SignedHeaders=a;b,Signature=…`. */
interface Acs3 {
    readonly credential: string;
    readonly signedHeaders: readonly string[];
    readonly signature: string;
}

function parseAcs3(authorization: string): Acs3 {
    const fields = new Map(
        authorization
            .slice(authorization.indexOf(" ") + 1)
            .split(",")
            .map((part): [string, string] => {
                const at = part.indexOf("=");
                return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
            }),
    );
    return {
        credential: fields.get("Credential") ?? "",
        signedHeaders: (fields.get("SignedHeaders") ?? "").split(";").filter((h) => h !== ""),
        signature: fields.get("Signature") ?? "",
    };
}

/** The text that V3 clients sign: hash of method, path, query, signed headers and body hash. */
export function stringToSignV3(request: ApiRequest, signedHeaders: readonly string[]): string {
    const headers = signedHeaders
        .map((name) => `${name}:${[request.headers[name] ?? ""].flat().join(",").trim()}\n`)
        .join("");
    const canonical = [
        request.method,
        request.path,
        canonicalQuery(request.query),
        headers,
        signedHeaders.join(";"),
        request.bodyHash,
    ].join("\n");
    return `ACS3-HMAC-SHA256\n${createHash("sha256").update(canonical).digest("hex")}`;
}

function equal(a: string, b: string): boolean {
    const [x, y] = [Buffer.from(a), Buffer.from(b)];
    return x.length === y.length && timingSafeEqual(x, y);
}

/** Remembers the nonces of the last while, so that a repeated request is noticed. */
export class NonceMemory {
    private readonly seen = new Map<string, number>();

    /** Returns true if the nonce is new, and then remembers it. */
    take(nonce: string, now: number, keepMs: number): boolean {
        for (const [old, time] of this.seen) {
            if (now - time <= keepMs) break;
            this.seen.delete(old);
        }
        if (this.seen.has(nonce)) return false;
        this.seen.set(nonce, now);
        return true;
    }
}

/**
 * Lets the request through if it is signed with a known key pair, fresh and not a repetition, and gives that pair.
 *
 * Refusals have the gateway's codes: `MissingAccessKeyId`, `InvalidAccessKeyId.NotFound` (404),
 * `SignatureDoesNotMatch`, `InvalidTimeStamp.Expired`, `SignatureNonceUsed`.
 */
export function authenticate(
    request: ApiRequest,
    book: KeyBook,
    nonces: NonceMemory,
    skewSeconds: number,
    now: number = Date.now(),
): KeyPair {
    const v3 = request.form === "V3" ? parseAcs3(String(request.headers["authorization"])) : undefined;
    const all = { ...request.query, ...request.body };
    const keyId = v3 === undefined ? all["AccessKeyId"] : v3.credential;
    if (keyId === undefined || keyId === "")
        throw new ApiError("MissingAccessKeyId", "AccessKeyId is mandatory for this action.");
    const keys = book(keyId);
    if (keys === undefined)
        throw new ApiError("InvalidAccessKeyId.NotFound", "Specified access key is not found.", 404);

    const text = v3 === undefined ? stringToSignV1(request) : stringToSignV3(request, v3.signedHeaders);
    const expected =
        v3 === undefined
            ? signV1(text, keys.accessKeySecret)
            : createHmac("sha256", keys.accessKeySecret).update(text).digest("hex");
    const bodyClaimed = v3 === undefined || request.headers["x-acs-content-sha256"] === request.bodyHash;
    if (!bodyClaimed || !equal(expected, v3 === undefined ? (all["Signature"] ?? "") : v3.signature)) {
        throw new ApiError(
            "SignatureDoesNotMatch",
            `Specified signature is not matched with our calculation. server string to sign is:${text}`,
        );
    }

    const stamp = v3 === undefined ? all["Timestamp"] : [request.headers["x-acs-date"]].flat()[0];
    const time = Date.parse(stamp ?? "");
    if (Number.isNaN(time))
        throw new ApiError("InvalidTimeStamp.Format", "Specified time stamp or date value is not well formatted.");
    if (Math.abs(now - time) > skewSeconds * 1000)
        throw new ApiError("InvalidTimeStamp.Expired", "Specified time stamp or date value is expired.");

    const nonce = v3 === undefined ? all["SignatureNonce"] : [request.headers["x-acs-signature-nonce"]].flat()[0];
    if (nonce === undefined || nonce === "")
        throw new ApiError("MissingSignatureNonce", "SignatureNonce is mandatory for this action.");
    if (!nonces.take(nonce, now, 2 * skewSeconds * 1000))
        throw new ApiError("SignatureNonceUsed", "Specified signature nonce was used already.");
    return keys;
}
