/** Members of a server group as the cloud has them: the Service's own, by its ownership mark, and user-managed ones. */
import { type Member, membersOf, backendOf, formatBackendKey } from "../backend/member";
import type { Backends, BackendServer } from "../model/backend";
import type { ObservedBackend } from "../model/observed";
import { sameOwner } from "../model/names";

/** ENI ids of the pods that are members. Kept in state, because removing a pod needs the ENI that the pod, by then gone, no longer leads to. */
export type ServerIds = Readonly<Record<string, string>>;

/** Members as they were left behind, or as they were found, and the ENI ids that go with them. */
export interface RecordedMembers {
    readonly members: readonly Member[];
    readonly serverIds: ServerIds;
}

/** Our own members of a group: those that carry its ownership mark. User-managed ones are never read into state, changed or removed. */
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

/** Members that do not carry the ownership mark, by server or pod address and port. */
export function userManagedMembers(
    servers: readonly BackendServer[],
    description: string,
): Record<string, { weight: number; description: string }> {
    const userManaged = servers.filter((server) => !sameOwner(server.description, description));
    return sortedByKey(
        Object.fromEntries(
            userManaged.map((server) => [
                formatBackendKey(backendOf(server)),
                { weight: server.weight, description: server.description ?? "" },
            ]),
        ),
    );
}

/**
 * Members as a map, the way they stand in state. ECS instances keep a port in their key that is not the group's; addresses always do, unless the group
 * keeps addresses on its own port.
 */
export function toBackends(members: readonly Member[], port: number | undefined, addressesOnPort = false): Backends {
    return sortedByKey(
        Object.fromEntries(
            members.map(({ address, port: own, weight }) => {
                const omitted = own === port && (address.kind === "ecs" || addressesOnPort);
                return [formatBackendKey({ ...address, port: omitted ? undefined : own }), { weight }];
            }),
        ),
    );
}

/** Backends of a group that was observed that carry an ownership mark, as {@link toBackends} keys them. */
export function ownBackends(
    observed: readonly ObservedBackend[],
    owner: string,
    port: number | undefined,
    addressesOnPort = false,
): Backends {
    return toBackends(
        membersOf({
            backends: Object.fromEntries(
                observed
                    .filter(({ description }) => sameOwner(description, owner))
                    .map(({ key, weight }) => [key, { weight }]),
            ),
        }),
        port,
        addressesOnPort,
    );
}

/** A copy with its keys in order, so that the same members always read the same. */
export function sortedByKey<T>(record: Record<string, T>): Record<string, T> {
    return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
