import { rule, type Rule } from "../core";
import { contains, usableAddresses, usableCount } from "../core/addresses";
import type { World } from "../world";
import type { VSwitch } from "./state";

/** Blocks set aside for documentation and benchmarks: no host on the Internet answers there. */
const PUBLIC_BLOCKS = ["203.0.113.0/24", "198.51.100.0/24", "192.0.2.0/24", "198.18.0.0/15"];

export const ADDRESS_FREE_IN_VSWITCH = rule({
    id: "vpc.vswitch.address-available",
    code: "VSwitchAvailableIpNotExist",
    message: "The specified VSwitch has no available ip.",
    when: "an address is asked of a vSwitch that has none left",
    source: "CLB API CreateLoadBalancer, error codes; ACK FAQ about Services, error table",
    enforcement: "always",
});

export const ADDRESS_IN_VSWITCH = rule({
    id: "vpc.vswitch.address-in-cidr",
    code: "InvalidParameter",
    message: "Illegal parameter. The IP address is not in subnet.",
    when: "a fixed address lies outside of the vSwitch's block",
    source: "CLB API CreateLoadBalancer, error codes",
});

export const ADDRESS_UNUSED = rule({
    id: "vpc.vswitch.address-unused",
    code: "InvalidParameter",
    message: "The vpc Ip is exist.",
    when: "a fixed address is already in use in the vSwitch",
    source: "CLB API, common error codes",
});

/**
 * Allocates an address of a vSwitch to `owner`: the desired address, else the next free address. It throws `none` if
 * there is none.
 */
export function takePrivate(
    world: World,
    vSwitch: VSwitch,
    owner: string,
    desired?: string,
    none: Rule = ADDRESS_FREE_IN_VSWITCH,
): string {
    if (desired !== undefined) {
        world.rules.check(ADDRESS_IN_VSWITCH, contains(vSwitch.cidr, desired));
        world.rules.check(ADDRESS_UNUSED, !vSwitch.used.has(desired));
        vSwitch.used.set(desired, owner);
        return desired;
    }
    for (const address of usableAddresses(vSwitch.cidr)) {
        if (vSwitch.used.has(address)) continue;
        vSwitch.used.set(address, owner);
        return address;
    }
    world.rules.check(none, false);
    return "";
}

/** Takes a public IPv4 address for `owner`. */
export function takePublic(world: World, owner: string): string {
    for (const block of PUBLIC_BLOCKS) {
        for (const address of usableAddresses(block)) {
            if (world.vpc.publicAddresses.has(address)) continue;
            world.vpc.publicAddresses.set(address, owner);
            return address;
        }
    }
    throw new Error("no public address left");
}

/** Takes an IPv6 address for `owner`, in the block reserved for documentation. */
export function takeIpv6(world: World, owner: string): string {
    for (let n = 1; ; n++) {
        const address = `2001:db8::${n.toString(16)}`;
        if (world.vpc.publicAddresses.has(address)) continue;
        world.vpc.publicAddresses.set(address, owner);
        return address;
    }
}

/** Gives back everything that `owner` holds. */
export function releaseAddresses(world: World, owner: string): void {
    const pools = [world.vpc.publicAddresses, ...[...world.vpc.vSwitches.values()].map((v) => v.used)];
    for (const pool of pools) {
        for (const [address, holder] of pool) if (holder === owner) pool.delete(address);
    }
}

/** Addresses of the vSwitch that are still free. */
export function availableCount(vSwitch: VSwitch): number {
    const counted = [...vSwitch.used.keys()].filter((address) => contains(vSwitch.cidr, address)).length;
    return Math.max(0, usableCount(vSwitch.cidr) - counted);
}
