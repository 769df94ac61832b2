/** Names in the sense of DNS and of Kubernetes. */

/** A lower-case DNS name such as `www.example.com`: labels of 1 to 63 letters, digits and inner hyphens, 253 characters at most. */
export function isDnsName(text: string): boolean {
    return text.length <= 253 && text.split(".").every(isDnsLabel);
}

/** One label of a lower-case DNS name. */
export function isDnsLabel(text: string): boolean {
    return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
}

/** An IPv4 address in dotted decimal, without leading zeros. */
export function isIpv4(text: string): boolean {
    return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}
