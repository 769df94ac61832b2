import type { EndpointSliceObject } from "../kubernetes/types";
import type { ServicePort } from "../kubernetes/service/service";

/** A pod that takes traffic for one Service port. */
export interface Endpoint {
    readonly ip: string;
    readonly port: number;
    readonly nodeName?: string;
}

/**
 * The endpoints of a Service port that are ready and not terminating, without duplicates, of these IP versions, in the order of the slices.
 *
 * An unset `ready` counts as ready, as the EndpointSlice API says. The port is the targetPort when that is a number, else the port that the slice gives
 * under the Service port's name; slices that do not know the name are passed over.
 */
export function readyEndpoints(
    slices: readonly EndpointSliceObject[],
    port: ServicePort,
    families: readonly EndpointSliceObject["addressType"][] = ["IPv4"],
): Endpoint[] {
    const found = new Map<string, Endpoint>();
    for (const slice of slices) {
        const number = families.includes(slice.addressType) ? portInSlice(slice, port) : undefined;
        if (number === undefined) {
            continue;
        }
        for (const endpoint of slice.endpoints ?? []) {
            if (endpoint.conditions?.ready === false || endpoint.conditions?.terminating === true) {
                continue;
            }
            for (const ip of endpoint.addresses) {
                if (!found.has(ip)) {
                    found.set(ip, { ip, port: number, ...(endpoint.nodeName ? { nodeName: endpoint.nodeName } : {}) });
                }
            }
        }
    }
    return [...found.values()];
}

function portInSlice(slice: EndpointSliceObject, port: ServicePort): number | undefined {
    if (typeof port.targetPort === "number") {
        return port.targetPort;
    }
    return (
        slice.ports?.find(
            (candidate) =>
                (candidate.name ?? "") === (port.name ?? "") && (candidate.protocol ?? "TCP") === port.protocol,
        )?.port ?? undefined
    );
}
