import type { EndpointSliceObject, PodObject } from "../cluster/types";
import type { Service, ServicePort } from "../model/service";

/**
 * The EndpointSlices that the cluster will make for a Service that does not exist yet, from the pods its selector finds.
 *
 * They let the first preview show members and weights. One slice for each pod, because pods may give a named port different numbers.
 */
export function predictSlices(service: Service, pods: readonly PodObject[]): EndpointSliceObject[] {
    return pods.filter(hasAddress).map((pod) => ({
        metadata: { name: `predicted-${pod.metadata.name}`, namespace: service.namespace },
        addressType: "IPv4",
        endpoints: [
            {
                addresses: [pod.status?.podIP ?? ""],
                conditions: { ready: isReady(pod), terminating: pod.metadata.deletionTimestamp !== undefined },
                ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
            },
        ],
        ports: service.ports.flatMap((port) => predictPort(port, pod)),
    }));
}

function hasAddress(pod: PodObject): boolean {
    const ip = pod.status?.podIP ?? "";
    return ip !== "" && !ip.includes(":") && pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";
}

function isReady(pod: PodObject): boolean {
    return pod.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
}

function predictPort(port: ServicePort, pod: PodObject): { name?: string; port: number; protocol: string }[] {
    const number =
        typeof port.targetPort === "number"
            ? port.targetPort
            : pod.spec?.containers
                  ?.flatMap((container) => container.ports ?? [])
                  .find((candidate) => candidate.name === port.targetPort && (candidate.protocol ?? "TCP") === port.protocol)?.containerPort;
    return number === undefined ? [] : [{ ...(port.name ? { name: port.name } : {}), port: number, protocol: port.protocol }];
}
