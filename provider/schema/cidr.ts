import { BlockList, isIP } from "node:net";

/** True for an address and a prefix length, such as `10.0.0.0/8` or `2001:db8::/32`. */
export function isCidr(text: string): boolean {
    const [address = "", length = "", ...rest] = text.split("/");
    const family = isIP(address);
    return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= (family === 6 ? 128 : 32);
}

/** Returns the IP version of an address or a range. */
export const familyOf = (text: string): "ipv4" | "ipv6" => (text.includes(":") ? "ipv6" : "ipv4");

/** Returns a test for addresses in one of these ranges. */
export function containedIn(cidrs: readonly string[]): (address: string) => boolean {
    const ranges = new BlockList();
    for (const cidr of cidrs) {
        const [network = "", length = ""] = cidr.split("/");
        ranges.addSubnet(network, Number(length), familyOf(cidr));
    }
    return (address) => ranges.check(address, familyOf(address));
}
