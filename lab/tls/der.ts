/** The little of ASN.1 DER that a certificate needs. */

function length(n: number): Buffer {
    if (n < 0x80) return Buffer.from([n]);
    const bytes: number[] = [];
    for (let rest = n; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
    return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** Tag, length and contents. */
export function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
    const contents = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([tag]), length(contents.length), contents]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => tlv(0x31, ...parts);
export const octets = (contents: Buffer): Buffer => tlv(0x04, contents);
export const bits = (contents: Buffer, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), contents);
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text, "utf8"));
/** `[n]` around contents: explicit tagging, or implicit tagging of a constructed value. */
export const context = (n: number, ...parts: readonly Buffer[]): Buffer => tlv(0xa0 | n, ...parts);
/** `[n]` with plain contents: implicit tagging of a primitive value. */
export const contextPrimitive = (n: number, contents: Buffer): Buffer => tlv(0x80 | n, contents);

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
    const needsZero = ((bytes[0] ?? 0) & 0x80) !== 0 || bytes.length === 0;
    return tlv(0x02, needsZero ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
    const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
    const bytes = [first * 40 + second];
    for (const arc of rest) {
        const group = [arc % 128];
        for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
            group.unshift((left % 128) | 0x80);
        bytes.push(...group);
    }
    return tlv(0x06, Buffer.from(bytes));
}

/** A point in time as UTCTime, which X.509 asks for until 2049. */
export function utcTime(date: Date): Buffer {
    const text = date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
    return tlv(0x17, Buffer.from(`${text}Z`, "ascii"));
}
