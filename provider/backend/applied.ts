import { isDeepStrictEqual } from "node:util";
import type { ServiceObject } from "../kubernetes/types";
import type { Service } from "../kubernetes/service/service";

/** Fields of a Service's spec on which its EndpointSlices depend, beside selector and ports. */
const FIELDS = ["publishNotReadyAddresses", "ipFamilies", "ipFamilyPolicy", "clusterIP"] as const;

/**
 * Whether applying a Service changes nothing of what its EndpointSlices depend on, so that those that were read before are still right.
 * Fields that the Service leaves to the API server, other than those with a fixed default, count as unchanged.
 */
export function keepsEndpoints(live: ServiceObject, service: Pick<Service, "selector" | "ports" | "object">): boolean {
    const applied = (service.object["spec"] ?? {}) as Readonly<Record<string, unknown>>;
    const spec: Readonly<Record<string, unknown>> = { ...live.spec };
    return (
        isDeepStrictEqual({ ...live.spec?.selector }, { ...service.selector }) &&
        isDeepStrictEqual((live.spec?.ports ?? []).map(portOf), service.ports.map(portOf)) &&
        (applied["publishNotReadyAddresses"] ?? false) === (spec["publishNotReadyAddresses"] ?? false) &&
        FIELDS.every((field) => applied[field] === undefined || isDeepStrictEqual(applied[field], spec[field]))
    );
}

/** What a slice takes from a port. */
function portOf(port: {
    readonly name?: string;
    readonly port: number;
    readonly protocol?: string;
    readonly targetPort?: number | string;
}): readonly unknown[] {
    return [port.name ?? "", port.port, port.protocol ?? "TCP", port.targetPort ?? port.port];
}
