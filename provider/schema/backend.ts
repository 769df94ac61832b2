import { isIP } from "node:net";
import { defined, sortedByKey } from "./defined";

/**
 * Highest weight of a backend. Source: SLB API, AddVServerGroupBackendServers, and NLB API, AddServersToServerGroup.
 */
export const MAX_WEIGHT = 100;

/** Backend of a server group: desired, recorded or observed. A group has an address with a port at most once. */
export interface Backend {
    /** ECS instance (`i-…`) or IP address. */
    readonly address: string;
    /** nodePort for an instance, port of the pod for an address, or 0 in a group for a range of ports. */
    readonly port: number;
    /** 0 to 100, where 0 takes no new traffic. */
    readonly weight: number;
    /** Network interface that holds the address (`eni-…`). Absent for instances, and in a group of addresses (NLB). */
    readonly eni?: string;
    /** Ownership mark, 1 to 80 characters. CCM writes its group's name and leaves members with another mark alone. */
    readonly mark?: string;
}

/**
 * Backends of a server group by key: `i-bp1…` for an ECS instance on the group's port (`i-bp1…:31080` on another),
 * `10.0.1.7:8080` or `[2001:db8::7]:8080` for a pod, `10.0.1.7` or `[2001:db8::7]` for an address on the group's port.
 * A map and not a list, because the engine compares lists by index. Weights: 0 to 100, where 0 takes no new traffic.
 */
export type Backends = Readonly<Record<string, { readonly weight: number }>>;

/** True for a scheduler by whose rule weights decide. Source: CLB and NLB, "Scheduling algorithms". */
export const regardsWeights = (scheduler: string): boolean => /^(wrr|wlc)$/i.test(scheduler);

/**
 * Returns the share of new connections of each weight in percent, rounded to one decimal: equal shares under rr.
 * Undefined under a scheduler that chooses by a hash. A backend of weight 0 gets none.
 */
export function sharesOf(weights: readonly number[], scheduler = ""): readonly number[] | undefined {
    if (!regardsWeights(scheduler) && !/^rr$/i.test(scheduler)) return undefined;
    const parts = regardsWeights(scheduler) ? weights : weights.map(Math.sign);
    const sum = parts.reduce((total, part) => total + part, 0);
    return parts.map((part) => (sum === 0 ? 0 : Math.round((part / sum) * 1000) / 10));
}

/** Formats `i-bp1…`, `10.0.1.7` or `[2001:db8::7]`, followed by `:port` if there is one. */
export function formatBackendKey({ address, port }: Pick<Backend, "address"> & { readonly port?: number }): string {
    const host = address.includes(":") ? `[${address}]` : address;
    return port === undefined ? host : `${host}:${port}`;
}

/** Parses the text of {@link formatBackendKey}. @throws Error if it is neither an ECS instance nor an address. */
export function parseBackendKey(key: string): Pick<Backend, "address"> & { readonly port?: number } {
    const [, ipv6, host, port] = /^(?:\[([0-9a-fA-F:.]+)\]|(\d+\.\d+\.\d+\.\d+|[\w-]+))(?::(\d+))?$/.exec(key) ?? [];
    const address = ipv6 ?? host;
    if (address === undefined)
        throw new Error(`"${key}" is not a backend: expected an ECS instance id, an address or address:port`);
    return { address, ...defined({ port: port === undefined ? undefined : Number(port) }) };
}

/** True for an IP address, false for an ECS instance. */
export const isAddress = ({ address }: Pick<Backend, "address">): boolean => isIP(address) !== 0;

/** Returns address and interface of a server of the API. It may report an IP for an ECS instance too. */
export function serverAddress({ id, ip, type }: { id: string; ip?: string | undefined; type: string }) {
    if (type === "ecs" || ip === undefined || ip === "") return { address: id };
    return type === "ip" ? { address: ip } : { address: ip, eni: id };
}

/**
 * Returns the backends of a map.
 *
 * @param map `port`: nodePort, or 0 for a range of ports, for keys without a port. `serverIds`: interfaces by address.
 * @throws Error for a key that is no backend, or a port that is missing in both.
 */
export function toList(map: {
    readonly backends: Backends;
    readonly port?: number;
    readonly serverIds?: Readonly<Record<string, string>>;
}): Backend[] {
    return Object.entries(map.backends).map(([key, { weight }]) => {
        const { address, port = map.port } = parseBackendKey(key);
        if (port === undefined)
            throw new Error(`backend ${key} names no port, and the server group has no nodePort for it`);
        return { address, port, weight, ...defined({ eni: map.serverIds?.[address] }) };
    });
}

/**
 * Returns backends by key. The key of an ECS instance has a port only if it is not the group's. That of an address
 * always has a port, unless `addressesOnPort` is set and it is the group's.
 */
export function toMap(list: readonly Backend[], port: number | undefined, addressesOnPort = false): Backends {
    const keyOf = (backend: Backend): string => {
        const omitted = backend.port === port && (addressesOnPort || !isAddress(backend));
        return formatBackendKey(omitted ? { address: backend.address } : backend);
    };
    return sortedByKey(Object.fromEntries(list.map((backend) => [keyOf(backend), { weight: backend.weight }])));
}
