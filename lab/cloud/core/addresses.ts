/** IPv4 arithmetic for address allocation. */

/** The address as a number. */
export function toNumber(address: string): number {
    return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function toAddress(n: number): string {
    return [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join(".");
}

export interface Cidr {
    readonly first: number;
    readonly size: number;
}

/** Parses `a.b.c.d/n`. A bare address counts as `/32`. It returns `undefined` if the text is not IPv4. */
export function parseCidr(text: string): Cidr | undefined {
    const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(text);
    if (match === null) return undefined;
    const bits = match[5] === undefined ? 32 : Number(match[5]);
    if (bits > 32 || match.slice(1, 5).some((part) => Number(part) > 255)) return undefined;
    const size = 2 ** (32 - bits);
    const address = toNumber(match.slice(1, 5).join("."));
    return { first: address - (address % size), size };
}

export function contains(cidr: string, address: string): boolean {
    const range = parseCidr(cidr);
    const single = parseCidr(address);
    if (range === undefined || single === undefined) return false;
    return single.first >= range.first && single.first < range.first + range.size;
}

/** True if the text is an IPv4 or IPv6 address or block. */
export function isAddressOrCidr(text: string): "ipv4" | "ipv6" | undefined {
    if (parseCidr(text) !== undefined) return "ipv4";
    const [address = "", bits, ...more] = text.split("/");
    const wellFormed = address.includes(":") && /^[0-9a-fA-F:.]+$/.test(address) && more.length === 0;
    return wellFormed && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= 128)) ? "ipv6" : undefined;
}

/**
 * Yields the available addresses of a block from the tenth upwards and then the lower addresses, which leaves room for
 * gateways and fixed addresses. The cloud keeps the first and the last three addresses of a vSwitch for itself.
 */
export function* usableAddresses(block: string): Generator<string> {
    const cidr = parseCidr(block);
    if (cidr === undefined) return;
    const end = cidr.first + cidr.size - 3;
    const start = Math.min(cidr.first + 10, end);
    for (let n = start; n < end; n++) yield toAddress(n);
    for (let n = cidr.first + 1; n < start; n++) yield toAddress(n);
}

/** Returns the number of addresses of a block that can be given out. */
export function usableCount(block: string): number {
    return Math.max(0, (parseCidr(block)?.size ?? 0) - 4);
}
