/** Server groups of a Service with observed and desired backends. */

import { ownerKey, sameService } from "../../provider/schema/names";
import type { InspectedService } from "./model";

/** Observed and desired weight of a backend, each undefined if the group lacks it. */
interface BackendView {
    readonly backend: string;
    readonly observed: number | undefined;
    readonly desired: number | undefined;
    /** False for user-managed backends. */
    readonly own: boolean;
}

/** Server group of the Service. */
export interface GroupView {
    readonly key: string;
    readonly id: string;
    readonly name: string;
    readonly backends: readonly BackendView[];
}

/** Returns the groups behind the Service's listeners. Desired ECS backends get the node port in their key. */
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

/** Returns the port of the Service that a listener serves: all protocols but UDP use TCP. */
const portOf = ({ protocol, port }: { readonly protocol: string; readonly port: number }): string =>
    `${protocol === "udp" ? "udp" : "tcp"}:${port}`;

/** Adds the port to the key of an ECS instance without one, as in observed keys. */
const withPort = (backend: string, port: number | undefined): string =>
    port !== undefined && /^i-[^:]*$/.test(backend) ? `${backend}:${port}` : backend;
