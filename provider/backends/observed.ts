/** Members of a server group as observed: managed ones with the Service's ownership mark, and user-managed ones. */
import { backendOf, formatBackendKey, type Member, membersOf } from "./member";
import type { Backends, BackendServer } from "../schema/backend";
import { sameOwner } from "../schema/names";
import type { ObservedBackend } from "../schema/observed";

/** ENI ids of the pods that are members, by address. A deleted pod no longer leads to its ENI. */
export type ServerIds = Readonly<Record<string, string>>;

/** Members as recorded or observed, with their ENI ids. */
export interface RecordedMembers {
    readonly members: readonly Member[];
    readonly serverIds: ServerIds;
}

/** Returns the managed members of a group. User-managed ones are never recorded, changed or removed. */
export function ownMembers(servers: readonly BackendServer[], description: string): RecordedMembers {
    const own = servers.filter((server) => sameOwner(server.description, description));
    const interfaces = own.flatMap((server) => {
        const address = backendOf(server);
        return address.kind === "eni" && server.type !== "ip" ? [[address.ip, server.serverId] as const] : [];
    });
    return {
        members: own.map((server) => ({ address: backendOf(server), port: server.port, weight: server.weight })),
        serverIds: sortedByKey(Object.fromEntries(interfaces)),
    };
}

/** Returns the members without the ownership mark, by backend key. */
export function userManagedMembers(
    servers: readonly BackendServer[],
    description: string,
): Record<string, { weight: number; description: string }> {
    const userManaged = servers.filter((server) => !sameOwner(server.description, description));
    const entries = userManaged.map((server) => [
        formatBackendKey(backendOf(server)),
        { weight: server.weight, description: server.description ?? "" },
    ]);
    return sortedByKey(Object.fromEntries(entries));
}

/**
 * Returns members by backend key. The key of an ECS instance has a port only if it is not the group's; that of an
 * address always has one, unless `addressesOnPort` is set and it is the group's.
 */
export function toBackends(members: readonly Member[], port: number | undefined, addressesOnPort = false): Backends {
    const entries = members.map(({ address, port: own, weight }) => {
        const omitted = own === port && (address.kind === "ecs" || addressesOnPort);
        return [formatBackendKey({ ...address, port: omitted ? undefined : own }), { weight }];
    });
    return sortedByKey(Object.fromEntries(entries));
}

/** Returns the observed backends with an ownership mark, keyed as by {@link toBackends}. */
export function ownBackends(
    observed: readonly ObservedBackend[],
    owner: string,
    port: number | undefined,
    addressesOnPort = false,
): Backends {
    const own = observed.filter(({ description }) => sameOwner(description, owner));
    const backends = Object.fromEntries(own.map(({ key, weight }) => [key, { weight }]));
    return toBackends(membersOf({ backends }), port, addressesOnPort);
}

/** Returns a copy with its keys in order. */
export function sortedByKey<T>(record: Record<string, T>): Record<string, T> {
    return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
