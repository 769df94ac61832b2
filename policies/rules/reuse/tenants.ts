/** Rules about several tenants of one load balancer: the Services and user-managed listeners of a stack. */

import { z } from "zod";
import { UNKNOWN_REFERENCE } from "../../../provider/service/annotations";
import { tenantOf } from "../../../provider/service/reuse";
import type { Tenant } from "../../../provider/service/reuse";
import { collisions, describeCollision } from "../../../provider/plan/reuse/tenants";
import { notesDocument } from "../../../provider/schema/documents";
import { type Rule, type StackCheckResult, stackRule } from "../../rule";
import type { ResourceSubject, ServiceEntry, Settled, StackSubject } from "../../subjects";
import { isKnown, settledOf, TEXT_LIST, Unknown, UnknownInputError } from "../../subjects";
import { NLB_LISTENER_TYPE } from "../../../provider/schema/resource-types";
import { defined } from "../../../provider/schema/defined";

/** A tenant, and where it is in the stack. */
interface TenantEntry extends Tenant {
    readonly clusterId: string;
    readonly urn?: string;
}

/**
 * Returns a tenant for every Service that has an instance, its own or a reused one.
 *
 * Listeners for ranges of ports are left out: tenants are compared port by port.
 */
const servicesOf = (stack: StackSubject): Settled<TenantEntry>[] =>
    stack.services.map((entry) => settledOf(() => serviceTenant(entry, stack))).filter((one) => one !== undefined);

function serviceTenant({ service, urn }: ServiceEntry, stack: StackSubject): TenantEntry | undefined {
    if (service.type !== "LoadBalancer" || service.controller === "other") return undefined;
    const { settings, ports, shared, loadBalancerType } = service;
    const { id } = settings;
    if (id === UNKNOWN_REFERENCE) throw new UnknownInputError(["settings", "id"], id);
    const [namespace = "", name = ""] = service.name.split("/");
    // A managed instance has the name of its Service.
    const instance = shared ?? (id === undefined ? service.name : stack.nameOfInstance(id));
    return {
        ...tenantOf({ namespace, name, settings, ports, loadBalancerType }, instance, service.facts),
        clusterId: service.facts.clusterId,
        ...defined({ urn }),
    };
}

/** Returns a tenant for every user-managed listener, which occupies its port. */
const listenersOf = (stack: StackSubject): Settled<TenantEntry>[] =>
    stack.listeners
        .filter(({ resource }) => !stack.isManaged(resource))
        .map(({ resource, instance }) =>
            settledOf(() => ({
                service: `(listener ${resource.name})`,
                clusterId: "",
                instance,
                listeners: [listenerOf(resource)],
                manageListeners: true,
                joinedGroups: [],
                urn: resource.urn,
            })),
        );

const PROTOCOLS = z.enum(["tcp", "udp", "http", "https", "tcpssl"]);
const PROTOCOL = z.string().toLowerCase().pipe(PROTOCOLS);

/** The schema of a port, which a program may give as a string. */
const PORT = z.coerce.number();

/** Returns protocol and port of a listener. One of a port range has port 0, which no Service uses. */
function listenerOf(listener: ResourceSubject): TenantEntry["listeners"][number] {
    const [protocol, port] =
        listener.type === NLB_LISTENER_TYPE ? ["listenerProtocol", "listenerPort"] : ["protocol", "frontendPort"];
    return { protocol: listener.get(protocol, PROTOCOL) ?? "tcp", port: listener.get(port, PORT) ?? 0 };
}

const divide = (tenants: readonly Settled<TenantEntry>[]) => ({
    known: tenants.filter(isKnown),
    unknown: tenants.filter((one) => one instanceof Unknown),
});

/** The section that most rules about reuse follow. */
export const REUSABLE = notesDocument("Which load balancers can be reused?");

/**
 * Requires that Services of different clusters on one instance differ in namespace or name.
 *
 * Listeners and server groups are named after both: those of two clusters would have the same names.
 */
export const names: Rule = stackRule("reuse-names", "high", "mandatory", {
    title: "Services of different clusters on one instance differ in namespace or name.",
    remedy: "Give one of the Services another name or namespace.",
    source: REUSABLE,
    options: z.object({
        others: TEXT_LIST.default([]).describe(
            "Services of other stacks on shared instances, each as `<id of the instance> <id of the cluster> " +
                "<namespace>/<name>`.",
        ),
    }),
    stack: (stack, config) => {
        const { known, unknown } = divide(servicesOf(stack));
        const elsewhere = config.others.map((text) => {
            const [id = "", clusterId = "", service = ""] = text.split(/\s+/);
            return { instance: stack.nameOfInstance(id), clusterId, service };
        });
        const reports = known.flatMap(({ instance, service, clusterId, urn }, index): StackCheckResult[] => {
            const twin = [...elsewhere, ...known.slice(0, index)].find(
                (other) => other.instance === instance && other.service === service && other.clusterId !== clusterId,
            );
            if (twin === undefined) return [];
            const cause =
                `load balancer ${instance} serves a Service of this namespace and name in cluster ` +
                `${twin.clusterId} as well as in ${clusterId}`;
            return [{ place: { subject: `Service ${service}` }, names: [service], cause, urn }];
        });
        return [...reports, ...unknown];
    },
});

/** Requires one user of a listener port: of two Services one overwrites the other, while both look healthy. */
export const portClaimed: Rule = stackRule("reuse-port-claimed", "critical", "mandatory", {
    title: "No two Services, and no Service and user-managed listener, use the same listener port of an instance.",
    remedy:
        "Give one of them another port or another instance; to share traffic, let both join one user-managed " +
        "server group (vgroup-port) without managing listeners.",
    source: REUSABLE,
    stack: (stack) => {
        const { known, unknown } = divide([...servicesOf(stack), ...listenersOf(stack)]);
        const reports = collisions(known).map((collision): StackCheckResult => {
            const { instance, services } = collision;
            const other = known.find((tenant) => tenant.service === services[1] && tenant.instance === instance);
            const { cause, remedy } = describeCollision(collision);
            const place = { subject: `load balancer ${instance}` };
            return { place, names: services, cause, remedy, urn: other?.urn };
        });
        return [...reports, ...unknown];
    },
});
