import type { EndpointSliceObject, PodObject } from "../kubernetes/types";
import type { Service, ServicePort } from "../kubernetes/service/service";

/**
 * The EndpointSlices that the cluster will make for a Service that does not exist yet, from the pods its selector finds.
 *
 * They let the first preview show members and weights. One slice for each pod, because pods may give a named port different numbers.
 */
export function predictSlices(service: Service, pods: readonly PodObject[]): EndpointSliceObject[] {
    return pods.filter(isLive).flatMap((pod) => addressesOf(pod).map((ip) => predictSlice(service, pod, ip)));
}

function predictSlice(service: Service, pod: PodObject, ip: string): EndpointSliceObject {
    return {
        metadata: { name: `predicted-${pod.metadata.name}`, namespace: service.namespace },
        addressType: ip.includes(":") ? "IPv6" : "IPv4",
        endpoints: [
            {
                addresses: [ip],
                conditions: { ready: isReady(pod), terminating: pod.metadata.deletionTimestamp !== undefined },
                ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
            },
        ],
        ports: service.ports.flatMap((port) => predictPort(port, pod)),
    };
}

/** All addresses of a pod; a pod of two IP versions has one of each. */
function addressesOf(pod: PodObject): string[] {
    const { podIP, podIPs } = pod.status ?? {};
    return [...new Set([...(podIP ? [podIP] : []), ...(podIPs ?? []).flatMap(({ ip }) => ip ?? [])])];
}

function isLive(pod: PodObject): boolean {
    return pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";
}

function isReady(pod: PodObject): boolean {
    return (
        pod.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false
    );
}

/** The containers that serve: sidecars are init containers that go on running. Source: Kubernetes, Sidecar Containers. */
function containersOf({ spec }: PodObject) {
    const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
    return [...(spec?.containers ?? []), ...sidecars];
}

function predictPort(port: ServicePort, pod: PodObject): { name?: string; port: number; protocol: string }[] {
    const number =
        typeof port.targetPort === "number"
            ? port.targetPort
            : containersOf(pod)
                  .flatMap((container) => container.ports ?? [])
                  .find(
                      (candidate) =>
                          candidate.name === port.targetPort && (candidate.protocol ?? "TCP") === port.protocol,
                  )?.containerPort;
    return number === undefined
        ? []
        : [{ ...(port.name ? { name: port.name } : {}), port: number, protocol: port.protocol }];
}
