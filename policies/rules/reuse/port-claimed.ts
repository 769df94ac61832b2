import { z } from "zod";
import { notesDocument } from "../../../provider/schema/documents";
import { type Collision, collisions, describeCollision } from "../../../provider/plan/reuse";
import type { StackCheckResult, StackRule } from "../../rule";
import { type ResourceSubject, settledOf, type Settled, type StackSubject, Unknown } from "../../subjects";
import { NLB_LISTENER_TYPE } from "../../types";
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

function report(collision: Collision, tenants: readonly TenantEntry[]): StackCheckResult {
    const { instance, services } = collision;
    const urn = tenants.find((tenant) => tenant.service === services[1] && tenant.instance === instance)?.urn;
    const { message, remedy } = describeCollision(collision);
    return {
        place: { subject: `load balancer ${instance}` },
        names: services,
        cause: message,
        remedy,
        ...(urn === undefined ? {} : { urn }),
    };
}

/** Listeners that no component has made stand where they stand, whatever a Service wants. */
function ownListeners(stack: StackSubject): Settled<TenantEntry>[] {
    return stack.listeners
        .filter(({ resource }) => !stack.isManaged(resource))
        .map(({ resource, instance }) => {
            const listener = settledOf(() =>
                resource.type === NLB_LISTENER_TYPE ? nlbListener(resource) : clbListener(resource),
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

const PROTOCOL = z
    .string()
    .toLowerCase()
    .pipe(z.enum(["tcp", "udp", "http", "https", "tcpssl"]));

/** Programs may write it as a text. */
const PORT = z.coerce.number();

type AdoptableListener = TenantEntry["listeners"][number];

const clbListener = (listener: ResourceSubject): AdoptableListener => ({
    protocol: listener.get("protocol", PROTOCOL) ?? "tcp",
    port: listener.get("frontendPort", PORT) ?? 0,
});

/** The port of one for a range of ports is 0, which no Service has. */
const nlbListener = (listener: ResourceSubject): AdoptableListener => ({
    protocol: listener.get("listenerProtocol", PROTOCOL) ?? "tcp",
    port: listener.get("listenerPort", PORT) ?? 0,
});
