/** Services and listeners of a stack as tenants of instances. */

import { KNOWN_LATER } from "../../../provider/annotations";
import type { Tenant } from "../../../provider/plan/reuse";
import { isKnown, NotKnownError, type PlacedService, settledOf, type Settled, type StackSubject, Unknown } from "../../subjects";

/** A tenant, and where it is in the stack. */
export interface PlacedTenant extends Tenant {
    readonly clusterId: string;
    readonly urn?: string;
}

/** Every Service that has an instance, its own or a reused one, and what is not known yet. */
export function tenantsOf(stack: StackSubject): Settled<PlacedTenant>[] {
    return stack.services.flatMap((placed) => {
        const tenant = settledOf(() => tenantOf(placed, stack));
        return tenant === undefined ? [] : [tenant];
    });
}

function tenantOf({ service, urn }: PlacedService, stack: StackSubject): PlacedTenant | undefined {
    if (service.type !== "LoadBalancer" || service.controller === "other" || service.product !== "clb") return undefined;
    const { id, vgroupPort, forceOverrideListeners } = service.settings;
    if (id === KNOWN_LATER) throw new NotKnownError(["settings", "id"], id);
    const { protocols } = service;
    return {
        service: service.name,
        clusterId: service.facts.clusterId,
        // An instance of its own is called like its Service.
        instance: id === undefined ? service.name : stack.nameOfInstance(id),
        listeners: service.ports.map(({ port }, index) => ({ protocol: protocols[index] ?? "tcp", port })),
        manageListeners: id === undefined || forceOverrideListeners === "true",
        joinedGroups: vgroupPort ?? [],
        ...(urn === undefined ? {} : { urn }),
    };
}

/** Tenants that are known, and those that are not. */
export function divide(tenants: readonly Settled<PlacedTenant>[]): { readonly known: PlacedTenant[]; readonly unknown: Unknown[] } {
    return { known: tenants.filter(isKnown), unknown: tenants.filter((one) => one instanceof Unknown) };
}
