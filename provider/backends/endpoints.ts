/** Endpoints of a Service: from its EndpointSlices, or predicted for a Service that does not exist yet. */
import { isDeepStrictEqual } from "node:util";
import type { EndpointObject, EndpointSliceObject, NodeObject, PodObject, ServiceObject } from "../service/objects";
import type { Backend } from "../schema/backend";
import { valueAt } from "../diagnostics";
import { defined } from "../schema/defined";
import type { Service, ServicePort } from "../service/service";

/** Nodes and EndpointSlices of a cluster, read at the same moment. */
export interface ClusterView {
    readonly nodes: readonly NodeObject[];
    readonly endpointSlices: readonly EndpointSliceObject[];
}

/** Pod behind a Service port. */
export type PodAddress = Pick<Backend, "address" | "port"> & { readonly nodeName?: string };

/** True for an endpoint that takes new connections. An unset `ready` counts as ready, as in the EndpointSlice API. */
export const isReady = ({ conditions }: EndpointObject): boolean =>
    conditions?.ready !== false && conditions?.terminating !== true;

/** True for an endpoint that terminates and still serves. Source: Kubernetes, EndpointSlices, conditions. */
export const isDraining = ({ conditions }: EndpointObject): boolean =>
    conditions?.terminating === true && conditions.serving === true;

/**
 * Returns the accepted endpoints of a Service port: each address once, in the order of the slices. Slices without the
 * named port are skipped.
 */
export function podsOf(
    slices: readonly EndpointSliceObject[],
    port: ServicePort,
    families: readonly EndpointSliceObject["addressType"][],
    accepts: (endpoint: EndpointObject) => boolean,
): PodAddress[] {
    const pods = new Map<string, PodAddress>();
    for (const slice of slices) {
        const number = families.includes(slice.addressType) ? portInSlice(slice, port) : undefined;
        if (number === undefined) continue;
        for (const endpoint of slice.endpoints ?? []) {
            if (!accepts(endpoint)) continue;
            const { addresses, nodeName } = endpoint;
            for (const address of addresses)
                if (!pods.has(address))
                    pods.set(address, { address, port: number, ...defined({ nodeName: nodeName ?? undefined }) });
        }
    }
    return [...pods.values()];
}

function portInSlice({ ports }: EndpointSliceObject, port: ServicePort): number | undefined {
    if (typeof port.targetPort === "number") return port.targetPort;
    const named = ports?.find(
        ({ name, protocol }) => (name ?? "") === (port.name ?? "") && (protocol ?? "TCP") === port.protocol,
    );
    return named?.port ?? undefined;
}

/** Fields of a Service's spec on which its EndpointSlices depend, apart from selector and ports. */
const FIELDS = ["publishNotReadyAddresses", "ipFamilies", "ipFamilyPolicy", "clusterIP"] as const;

/**
 * True if applying a Service does not change its EndpointSlices. Fields that the Service leaves to the API server
 * count as unchanged, unless they have a fixed default.
 */
export function keepsEndpoints(live: ServiceObject, service: Pick<Service, "selector" | "ports" | "object">): boolean {
    const applied = (service.object["spec"] ?? {}) as Readonly<Record<string, unknown>>;
    const spec: Readonly<Record<string, unknown>> = { ...live.spec };
    return (
        isDeepStrictEqual({ ...live.spec?.selector }, { ...service.selector }) &&
        isDeepStrictEqual((live.spec?.ports ?? []).map(sliceFields), service.ports.map(sliceFields)) &&
        (applied["publishNotReadyAddresses"] ?? false) === (spec["publishNotReadyAddresses"] ?? false) &&
        FIELDS.every((field) => applied[field] === undefined || isDeepStrictEqual(applied[field], spec[field]))
    );
}

type Port = Pick<ServicePort, "name" | "port"> & { readonly protocol?: string; readonly targetPort?: number | string };

function sliceFields({ name, port, protocol, targetPort }: Port): readonly unknown[] {
    return [name ?? "", port, protocol ?? "TCP", targetPort ?? port];
}

/**
 * Predicts the EndpointSlices of a Service that does not exist yet, from the pods that it selects: the first preview
 * shows members and weights. There is a slice for each address, because pods may give a named port different numbers.
 */
export function predictSlices(service: Service, pods: readonly PodObject[]): EndpointSliceObject[] {
    return pods
        .filter(({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed")
        .flatMap((pod) => addressesOf(pod).map((ip) => predictSlice(service, pod, ip)));
}

function predictSlice(service: Service, pod: PodObject, ip: string): EndpointSliceObject {
    const { metadata, spec, status } = pod;
    const serving = status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
    const ready = serving || valueAt(service.object, ["spec", "publishNotReadyAddresses"]) === true;
    return {
        metadata: { name: `predicted-${metadata.name}`, namespace: service.namespace },
        addressType: ip.includes(":") ? "IPv6" : "IPv4",
        endpoints: [
            {
                addresses: [ip],
                conditions: { ready, serving, terminating: metadata.deletionTimestamp !== undefined },
                ...(spec?.nodeName ? { nodeName: spec.nodeName } : {}),
            },
        ],
        ports: service.ports.flatMap((port) => {
            const number = typeof port.targetPort === "number" ? port.targetPort : containerPort(pod, port);
            const name = port.name ? { name: port.name } : {};
            return number === undefined ? [] : [{ ...name, port: number, protocol: port.protocol }];
        }),
    };
}

/** Returns the addresses of a pod. A dual-stack pod has an address of each IP version. */
function addressesOf({ status }: PodObject): string[] {
    const { podIP, podIPs = [] } = status ?? {};
    return [...new Set([...(podIP ? [podIP] : []), ...podIPs.flatMap(({ ip }) => ip ?? [])])];
}

/** Sidecars are init containers that restart always. Source: Kubernetes, Sidecar Containers. */
function containerPort({ spec }: PodObject, { targetPort, protocol }: ServicePort): number | undefined {
    const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
    return [...(spec?.containers ?? []), ...sidecars]
        .flatMap(({ ports }) => ports ?? [])
        .find((port) => port.name === targetPort && (port.protocol ?? "TCP") === protocol)?.containerPort;
}
