/** Server groups of a Service: the backends that they have, beside those that they ought to have. */

import { ownerKey, sameService } from "../../model/names";
import type { InspectedService } from "./model";

/** One backend: its weight now, and the one that the cluster asks for; undefined where it is not, or not to be. */
export interface BackendView {
    readonly backend: string;
    readonly observed: number | undefined;
    readonly desired: number | undefined;
    /** Whether it carries the Service's mark; others are user-managed. */
    readonly own: boolean;
}

/** One server group of the Service. */
export interface GroupView {
    readonly key: string;
    readonly id: string;
    readonly name: string;
    readonly backends: readonly BackendView[];
}

/**
 * The groups behind the Service's own listeners. Desired backends without a port stand on their group's port, which the members tell.
 */
export function backendsOfGroups({ object, service, type, desired, cloud }: InspectedService): GroupView[] {
    if (cloud.kind !== "found" || service === undefined) return [];
    const mark = ownerKey(type, { namespace: service.namespace, name: service.name, clusterId: "any" });
    const { listeners, serverGroups } = cloud.instance;
    return desired.flatMap(({ key, ports, backends }) => {
        const serving = listeners.find(
            (listener) =>
                ports.includes(portOf(listener)) &&
                (service.settings.id === undefined || sameService(listener.description, mark)),
        );
        const group = serverGroups.find(({ id }) => id === serving?.serverGroupId);
        if (group === undefined) return [];
        const nodePort = object.spec?.ports?.find(({ port, protocol = "TCP" }) =>
            ports.includes(`${protocol.toLowerCase()}:${port}`),
        )?.nodePort;
        const desired = new Map(
            Object.entries(backends).map(([backend, { weight }]) => [withPort(backend, nodePort), weight]),
        );
        const members = group.backends ?? [];
        const observed = new Map(members.map((member) => [member.key, member]));
        const keys = [...new Set([...observed.keys(), ...desired.keys()])].sort();
        return [
            {
                key,
                id: group.id,
                name: group.name,
                backends: keys.map((backend) => ({
                    backend,
                    observed: observed.get(backend)?.weight,
                    desired: desired.get(backend),
                    own: sameService(observed.get(backend)?.description, mark) || desired.has(backend),
                })),
            },
        ];
    });
}

/** A listener speaks HTTP or TLS on a TCP port. */
const portOf = ({ protocol, port }: { readonly protocol: string; readonly port: number }): string =>
    `${protocol === "udp" ? "udp" : "tcp"}:${port}`;

/** Observed members name their port always, desired ones only where it is their own. */
function withPort(backend: string, port: number | undefined): string {
    if (port === undefined) return backend;
    if (/^i-[^:]*$/.test(backend)) return `${backend}:${port}`;
    return backend;
}
