/** The Services and listeners of a stack as tenants of load balancers. */

import { UNKNOWN_REFERENCE } from "../../../provider/annotations";
import { tenantOf } from "../../../provider/builder";
import type { Tenant } from "../../../provider/model/observed";
import {
    isKnown,
    UnknownInputError,
    type ServiceEntry,
    settledOf,
    type Settled,
    type StackSubject,
    Unknown,
} from "../../subjects";
import { defined } from "../../../provider/schema/defined";

/** A tenant, and where it is in the stack. */
export interface TenantEntry extends Tenant {
    readonly clusterId: string;
    readonly urn?: string;
}

/** Every Service that has an instance, its own or a reused one, and what is not known yet. Listeners for ranges of ports are left out: tenants are compared port by port. */
export function tenantsOf(stack: StackSubject): Settled<TenantEntry>[] {
    return stack.services.flatMap((placed) => {
        const found = settledOf(() => tenant(placed, stack));
        return found === undefined ? [] : [found];
    });
}

function tenant({ service, urn }: ServiceEntry, stack: StackSubject): TenantEntry | undefined {
    if (service.type !== "LoadBalancer" || service.controller === "other") return undefined;
    const { settings, ports, shared } = service;
    const { id } = settings;
    if (id === UNKNOWN_REFERENCE) throw new UnknownInputError(["settings", "id"], id);
    const [namespace = "", name = ""] = service.name.split("/");
    // A managed instance has the name of its Service.
    const instance = shared ?? (id === undefined ? service.name : stack.nameOfInstance(id));
    const { loadBalancerType } = service;
    return {
        ...tenantOf({ namespace, name, settings, ports, loadBalancerType }, instance, service.facts),
        clusterId: service.facts.clusterId,
        ...defined({ urn }),
    };
}

/** Tenants that are known, and those that are not. */
export function divide(tenants: readonly Settled<TenantEntry>[]): {
    readonly known: TenantEntry[];
    readonly unknown: Unknown[];
} {
    return { known: tenants.filter(isKnown), unknown: tenants.filter((one) => one instanceof Unknown) };
}
