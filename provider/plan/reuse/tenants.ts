import type { Problem } from "../../diagnostics";
import type { Tenant } from "../../model/observed";
import { SHARING_SINCE } from "../../schema/versions";
import { SOURCES } from "./terms";
import { nameOf, sharePort } from "./listeners";

/** Two Services that want one listener, or one instance that only one of them can have. */
export interface Collision {
    readonly instance: string;
    /** `tcp:80`; absent = they cannot share the instance at all. */
    readonly listener?: string;
    /** The two Services. */
    readonly services: readonly [string, string];
}

/**
 * Services that use one listener port of one instance: each with the first that has it.
 *
 * Allowed is one thing alone: that both put their backends into one vServer user-managed vServer group, and neither manages listeners.
 * Source: "Notes on service load balancing configuration", which load balancers can be reused; "Configure CLB using annotations", reuse an existing vServer group.
 */
export function collisions(tenants: readonly Tenant[]): Collision[] {
    const earlier = new Map<string, Tenant[]>();
    return tenants.flatMap((tenant) => {
        const there = earlier.get(tenant.instance) ?? [];
        const found = collisionsWith(there, tenant);
        earlier.set(tenant.instance, there);
        there.push(tenant);
        return found;
    });
}

/** What one more tenant collides with, each of its listeners with the first of those that are there. */
export function collisionsWith(there: readonly Tenant[], tenant: Tenant): Collision[] {
    const { instance, service } = tenant;
    const others = there.filter((other) => other.instance === instance);
    const alone = tenant.alone === true ? others.find((other) => other.alone) : undefined;
    if (alone !== undefined) return [{ instance, services: [alone.service, service] }];
    return tenant.listeners.flatMap((desired) => {
        for (const other of others) {
            const listener = other.listeners.find(
                (one) => sharePort(one, desired) && !joinOneGroup(other, tenant, one.port),
            );
            if (listener !== undefined)
                return { instance, listener: nameOf(listener), services: [other.service, service] as const };
        }
        return [];
    });
}

function joinOneGroup(one: Tenant, other: Tenant, port: number): boolean {
    const groupOf = (tenant: Tenant) => tenant.joinedGroups.find((joined) => joined.port === port)?.vgroupId;
    return (
        !one.manageListeners && !other.manageListeners && groupOf(one) !== undefined && groupOf(one) === groupOf(other)
    );
}

/** Listeners by name, `tcp:80`, in the order of their ports, and the Service that has each. */
export function listenersByName(tenants: readonly Tenant[]): Record<string, string> {
    const listeners = tenants.flatMap(({ service, listeners: own }) => own.map((listener) => ({ listener, service })));
    return Object.fromEntries(
        listeners
            .sort((a, b) => a.listener.port - b.listener.port)
            .map(({ listener, service }) => [nameOf(listener), service]),
    );
}

/** A collision as a diagnostic, with both names. */
export function describeCollision({ instance, listener, services }: Collision): Problem<"listener-collision"> {
    const both = `Services ${services[0]} and ${services[1]} both use`;
    const found =
        listener === undefined
            ? {
                  cause:
                      `${both} load balancer ${instance}, which before Cloud Controller Manager ${SHARING_SINCE} ` +
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
