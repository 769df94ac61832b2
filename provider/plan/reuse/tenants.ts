import type { Problem } from "../../diagnostics";
import { once } from "../../schema/defined";
import { listenerName, sharePort } from "../../schema/listener-address";
import { CCM_SINCE } from "../../schema/versions";
import type { Tenant } from "../../service/reuse";
import { SOURCES } from "./ownership";

/** Two Services with the same listener or with different values of a tag, or on an instance that cannot be shared. */
export interface Collision {
    readonly instance: string;
    /** `tcp:80`. If it and the tag are absent, the instance cannot be shared. */
    readonly listener?: string;
    readonly tag?: string;
    readonly services: readonly [string, string];
}

/**
 * Returns the collisions of Services on the same listener port, each with the first Service that has the port.
 *
 * Two Services may share a port only if both add backends to user-managed vServer groups and manage no listeners: the
 * user's listener decides which of the groups it serves. Source: "Notes on service load balancing configuration", which
 * load balancers can be reused, and "Configure CLB using annotations", reuse an existing vServer group.
 */
export function collisions(tenants: readonly Tenant[]): Collision[] {
    const earlier = new Map<string, Tenant[]>();
    return tenants.flatMap((tenant) => {
        const there = once(earlier, tenant.instance, () => []);
        const found = collisionsWith(there, tenant);
        there.push(tenant);
        return found;
    });
}

/** Returns the collisions of a tenant, each of its listeners and tags with the first other tenant. */
export function collisionsWith(there: readonly Tenant[], tenant: Tenant): Collision[] {
    const { instance, service } = tenant;
    const others = there.filter((other) => other.instance === instance);
    const alone = tenant.alone === true ? others.find((other) => other.alone) : undefined;
    if (alone !== undefined) return [{ instance, services: [alone.service, service] }];
    const tags = Object.entries(tenant.tags ?? {}).flatMap(([tag, value]) => {
        const other = others.find(({ tags: set = {} }) => (set[tag] ?? value) !== value);
        return other === undefined ? [] : [{ instance, tag, services: [other.service, service] as const }];
    });
    const listeners = tenant.listeners.flatMap((desired) => {
        for (const other of others) {
            const listener = other.listeners.find(
                (one) => sharePort(one, desired) && !leaveToUser(other, tenant, one.port),
            );
            if (listener !== undefined)
                return { instance, listener: listenerName(listener), services: [other.service, service] as const };
        }
        return [];
    });
    return [...listeners, ...tags];
}

/** True if the listener of a port is the user's, and both Services join groups of the user's behind it. */
const leaveToUser = (one: Tenant, other: Tenant, port: number): boolean =>
    [one, other].every(({ manageListeners, joinedGroups }) => {
        return !manageListeners && joinedGroups.some((joined) => joined.port === port);
    });

/** Returns the Service of each listener, by name (`tcp:80`) in the order of ports. */
export function listenersByName(tenants: readonly Tenant[]): Record<string, string> {
    const listeners = tenants.flatMap(({ service, listeners: own }) => own.map((listener) => ({ listener, service })));
    return Object.fromEntries(
        listeners
            .sort((a, b) => a.listener.port - b.listener.port)
            .map(({ listener, service }) => [listenerName(listener), service]),
    );
}

export function describeCollision({ instance, listener, tag, services }: Collision): Problem<"listener-collision"> {
    const of = `Services ${services[0]} and ${services[1]}`;
    const both = `${of} both use`;
    if (tag !== undefined) {
        const cause = `${of} set different values of the tag ${tag} of load balancer ${instance}`;
        const remedy = "set the tag in one of them (additional-resource-tags)";
        return { code: "listener-collision", severity: "error", place: {}, cause, remedy, source: SOURCES.WHICH };
    }
    const found =
        listener === undefined
            ? {
                  cause:
                      `${both} load balancer ${instance}, which before Cloud Controller Manager ${CCM_SINCE.sharing} ` +
                      "one Service alone can use",
                  remedy:
                      "give one of them another instance, or upgrade the Cloud Controller Manager and the cluster's " +
                      "`compatibility`",
              }
            : {
                  cause: `${both} listener ${listener} of load balancer ${instance}`,
                  remedy:
                      "give one of them another port or another instance; to share traffic, let both name one " +
                      "server group of yours (vgroup-port) and manage no listeners",
              };
    return { code: "listener-collision", severity: "error", place: {}, ...found, source: SOURCES.WHICH };
}
