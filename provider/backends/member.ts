/** Members of a server group: their keys, and the plan from the current members to the desired ones. */
import type { BackendIdentity, Backends } from "../schema/backend";

/** ECS instance or address in the VPC. Without a port it uses the port of its group. */
export type BackendAddress =
    | { readonly kind: "ecs"; readonly serverId: string; readonly port?: number | undefined }
    | { readonly kind: "eni"; readonly ip: string; readonly port?: number | undefined };

/** Formats an address as `i-bp1…`, `10.0.1.7` or `[2001:db8::7]`, followed by `:port` if it has one. */
export function formatBackendKey(backend: BackendAddress): string {
    const host = backend.kind === "ecs" ? backend.serverId : backend.ip.includes(":") ? `[${backend.ip}]` : backend.ip;
    return backend.port === undefined ? host : `${host}:${backend.port}`;
}

/** Parses the text of {@link formatBackendKey}. @throws Error if it is neither an ECS instance nor an address. */
export function parseBackendKey(key: string): BackendAddress {
    const pod = /^(?:\[([0-9a-fA-F:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::(\d+))?$/.exec(key);
    if (pod) return { kind: "eni", ip: pod[1] ?? pod[2] ?? "", ...(pod[3] ? { port: Number(pod[3]) } : {}) };
    const server = /^([\w-]+)(?::(\d+))?$/.exec(key);
    if (server?.[1]) return { kind: "ecs", serverId: server[1], ...(server[2] ? { port: Number(server[2]) } : {}) };
    throw new Error(`"${key}" is no backend: expected an ECS instance id, an address or address:port`);
}

/** Returns the address of a member. The cloud may report an IP for an ECS instance too, which is ignored. */
export function backendOf(member: BackendIdentity): BackendAddress & { readonly port: number } {
    const { serverId, serverIp, type, port } = member;
    const ip = type === "ecs" ? undefined : (serverIp ?? (type === "ip" ? serverId : undefined));
    return ip === undefined ? { kind: "ecs", serverId, port } : { kind: "eni", ip, port };
}

/** Member of a server group, desired or observed. */
export interface Member {
    readonly address: BackendAddress;
    /** Port of the group for ecs, port of the pod for eni, unless the key of an eni has no port either. */
    readonly port: number;
    readonly weight: number;
}

/** Returns the key of a member, including its port. */
export const memberKey = ({ address, port }: Member): string => formatBackendKey({ ...address, port });

/** Members of one server group as a map, and the port of those whose keys have none. */
interface Membership {
    readonly backends: Backends;
    /** nodePort of the Service, or 0 for a range of ports. Required if a key has no port. */
    readonly port?: number;
}

/** Returns the members of a map. @throws Error for a key that is no backend, or a port that is missing in both. */
export function membersOf({ backends, port: groupPort }: Membership): Member[] {
    return Object.entries(backends).map(([key, { weight }]) => {
        const address = parseBackendKey(key);
        const port = address.port ?? groupPort;
        if (port === undefined)
            throw new Error(`backend ${key} names no port, and the server group has no nodePort for it`);
        return { address, port, weight };
    });
}

/** Changes of the members of a group, in order: add, update, remove. Capacity never dips. */
export interface MembershipPlan {
    readonly add: readonly Member[];
    readonly update: readonly Member[];
    readonly remove: readonly Member[];
}

/** Options of a plan. */
export interface PlanOptions {
    /** Keeps the weights of existing members. Source: "Configure CLB using annotations", ignore-weight-update. */
    readonly ignoreWeights?: boolean;
    /** Writes all members again, because the ownership mark has changed. */
    readonly remark?: boolean;
}

/**
 * Plans the changes from the current to the desired members. A member is identified by address and port: after a
 * change of the nodePort, a node is added on the new port before it is removed from the old one.
 */
export function planMembership(
    current: readonly Member[],
    desired: readonly Member[],
    { ignoreWeights, remark }: PlanOptions = {},
): MembershipPlan {
    const before = byKey(current);
    const after = byKey(desired);
    return {
        add: [...after].filter(([key]) => !before.has(key)).map(([, member]) => member),
        update: [...after].flatMap(([key, member]) => {
            const known = before.get(key);
            if (known === undefined) return [];
            if (ignoreWeights) return remark ? [{ ...member, weight: known.weight }] : [];
            return remark || known.weight !== member.weight ? [member] : [];
        }),
        remove: [...before].filter(([key]) => !after.has(key)).map(([, member]) => member),
    };
}

const byKey = (members: readonly Member[]) => new Map(members.map((member) => [memberKey(member), member]));

/** True if a plan changes nothing. */
export const isEmpty = ({ add, update, remove }: MembershipPlan): boolean =>
    add.length + update.length + remove.length === 0;
