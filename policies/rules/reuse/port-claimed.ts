import { z } from "zod";
import { notesDocument } from "../../../provider/schema/documents";
import { type Collision, collisions, describeCollision } from "../../../provider/plan/reuse";
import type { StackCheckResult, StackRule } from "../../rule";
import { type ResourceSubject, settledOf, type Settled, type StackSubject, Unknown } from "../../subjects";
import { NLB_LISTENER_TYPE } from "../../subjects/types";
import { divide, type TenantEntry, tenantsOf } from "./tenants";
import { defined } from "../../../provider/schema/defined";

/** Of two Services on one listener port one overwrites the other, while both look healthy. */
export const portClaimed: StackRule = {
    name: "reuse-port-claimed",
    title: "No two Services, and no Service and user-managed listener, use the same listener port of an instance.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Give one of them another port or another instance; to share traffic, let both join one user-managed server group (vgroup-port) without managing listeners.",
    source: notesDocument("Which load balancers can be reused?"),
    stack: (stack) => {
        const { known, unknown } = divide([...tenantsOf(stack), ...ownListeners(stack)]);
        return [...collisions(known).map((collision) => report(collision, known)), ...unknown];
    },
};

function report(collision: Collision, tenants: readonly TenantEntry[]): StackCheckResult {
    const { instance, services } = collision;
    const urn = tenants.find((tenant) => tenant.service === services[1] && tenant.instance === instance)?.urn;
    const { cause: message, remedy } = describeCollision(collision);
    return {
        place: { subject: `load balancer ${instance}` },
        names: services,
        cause: message,
        remedy,
        ...defined({ urn }),
    };
}

/** User-managed listeners occupy their ports. */
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

/** A program may give it as a string. */
const PORT = z.coerce.number();

type AdoptableListener = TenantEntry["listeners"][number];

const clbListener = (listener: ResourceSubject): AdoptableListener => ({
    protocol: listener.get("protocol", PROTOCOL) ?? "tcp",
    port: listener.get("frontendPort", PORT) ?? 0,
});

/** A listener of a port range has port 0, which no Service uses. */
const nlbListener = (listener: ResourceSubject): AdoptableListener => ({
    protocol: listener.get("listenerProtocol", PROTOCOL) ?? "tcp",
    port: listener.get("listenerPort", PORT) ?? 0,
});
