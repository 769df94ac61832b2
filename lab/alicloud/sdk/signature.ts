import { createHmac } from "node:crypto";

/** Percent encoding of signed parameters: everything but letters, digits and `-_.~`. */
const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Encoding of a query or a form: as {@link encode}, but a space is a plus sign. */
const encodeForm = (text: string): string => encode(text).replaceAll("%20", "+");

export type Parameters = Record<string, string>;

const sorted = (parameters: Parameters): [string, string][] =>
    Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

/** A query or form text with sorted names. */
export const formText = (parameters: Parameters): string =>
    sorted(parameters)
        .map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`)
        .join("&");

/**
 * Signature version 1.0: HMAC-SHA1 over method and all parameters (Alibaba Cloud, "Request signatures" of RPC APIs).
 */
export function sign(method: string, parameters: Parameters, secret: string): string {
    const canonical = sorted(parameters)
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .join("&");
    return createHmac("sha1", `${secret}&`)
        .update(`${method}&${encode("/")}&${encode(canonical)}`)
        .digest("base64");
}

/** A point in time as the APIs want it, without fractions. */
export const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");
