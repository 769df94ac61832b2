import { clbProtocol, nlbProtocol } from "../../../provider/schema/protocols";
import { notesDocument } from "../../../provider/schema/documents";
import { type Collision, collisions, describeCollision } from "../../../provider/plan/reuse";
import type { Report, StackRule } from "../../rule";
import { type ResourceSubject, settledOf, type Settled, type StackSubject, Unknown } from "../../subjects";
import { NETWORK_LISTENER_TYPE } from "../../types";
import { divide, type TenantEntry, tenantsOf } from "./tenants";

/** Of two Services on one listener port one overwrites the other, and both look healthy. */
export const portClaimed: StackRule = {
    name: "reuse-port-claimed",
    title: "No two Services, and no Service and listener of the program's own, use one listener port of one instance.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Give one of them another port or another instance; to share traffic, let both name one server group of yours (vgroup-port) and manage no listeners.",
    source: notesDocument("Which load balancers can be reused?"),
    stack: (stack) => {
        const { known, unknown } = divide([...tenantsOf(stack), ...ownListeners(stack)]);
        return [...collisions(known).map((collision) => report(collision, known)), ...unknown];
    },
};

function report(collision: Collision, tenants: readonly TenantEntry[]): Report {
    const { instance, services } = collision;
    const urn = tenants.find((tenant) => tenant.service === services[1] && tenant.instance === instance)?.urn;
    const { cause: message, remedy } = describeCollision(collision);
    return {
        subject: `load balancer ${instance}`,
        names: services,
        message,
        remedy,
        ...(urn === undefined ? {} : { urn }),
    };
}

/** Listeners that no component has made stand where they stand, whatever a Service wants. */
function ownListeners(stack: StackSubject): Settled<TenantEntry>[] {
    return stack.listeners
        .filter(({ resource }) => !stack.isOurs(resource))
        .map(({ resource, instance }) => {
            const listener = settledOf(() =>
                resource.type === NETWORK_LISTENER_TYPE ? nlbListener(resource) : clbListener(resource),
            );
            if (listener instanceof Unknown) return listener;
            return {
                service: `(listener ${resource.name})`,
                clusterId: "",
                instance,
                listeners: [listener],
                manageListeners: true,
                joinedGroups: [],
                urn: resource.urn,
            };
        });
}

type AdoptableListener = TenantEntry["listeners"][number];

const clbListener = (listener: ResourceSubject): AdoptableListener => ({
    protocol: clbProtocol(listener.get<string>("protocol") ?? "tcp"),
    port: Number(listener.get<number>("frontendPort")),
});

/** The port of one for a range of ports is 0, which no Service has. */
const nlbListener = (listener: ResourceSubject): AdoptableListener => ({
    protocol: nlbProtocol(listener.get<string>("listenerProtocol") ?? "TCP"),
    port: Number(listener.get<number>("listenerPort")),
});
