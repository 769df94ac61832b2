/** What must be known before the members of a group may change. */
import type { ServiceObject } from "../kubernetes/types";
import type { BindingSpec } from "./binding/spec";
import type { BindingFinding } from "./binding/status";
import type { Observation } from "./observation";

/** Remedy where the structure of a Service has changed: structure is decided by runs. */
const RUN = "run pulumi up, which brings load balancer and binding up to date";

/** Why the members of a group must stay as they are; undefined if they may follow the cluster. */
export function checkObservation(
    spec: BindingSpec,
    { service, endpointSlices, nodes }: Pick<Observation, "service" | "endpointSlices" | "nodes">,
): BindingFinding | undefined {
    if (service === undefined)
        return held(
            "ServiceMissing",
            `Service ${spec.serviceName} is not in the cluster; the backends stay`,
            "apply the Service again, or take it out of the stack and run pulumi up",
        );
    const changed = difference(spec, service);
    if (changed !== undefined) return held("ServiceChanged", `${changed}; the backends stay`, RUN);
    const viaNodes = spec.backendType === "ecs";
    if (viaNodes && nodes.length === 0)
        return held(
            "NodesMissing",
            "the cluster names no node; the backends stay",
            "check that the controller may list nodes, and that the cluster has some",
        );
    const viaPods = !viaNodes || spec.externalTrafficPolicy === "Local";
    if (viaPods && endpointSlices.length === 0)
        return held(
            "EndpointsMissing",
            `Service ${spec.serviceName} has no EndpointSlice; the backends stay`,
            "check that kube-controller-manager runs, and that the controller may list endpointslices",
        );
    return undefined;
}

const held = (reason: BindingFinding["reason"], cause: string, remedy: string): BindingFinding => ({
    synced: false,
    reason,
    cause,
    remedy,
});

/** In what a Service differs from what the group was made for, so that backends on the group's port would take no traffic. */
function difference(spec: BindingSpec, { spec: live }: ServiceObject): string | undefined {
    if (live?.type !== "LoadBalancer") return `Service ${spec.serviceName} is no longer of type LoadBalancer`;
    for (const { port, protocol, targetPort } of spec.ports) {
        const found = live.ports?.find((one) => one.port === port && (one.protocol ?? "TCP") === protocol);
        if (found === undefined) return `Service ${spec.serviceName} has no port ${port}/${protocol} any more`;
        const nodePort = spec.backendType === "ecs" && spec.nodePort !== 0 ? spec.nodePort : undefined;
        if (nodePort !== undefined && found.nodePort !== nodePort)
            return `port ${port}/${protocol} of Service ${spec.serviceName} has nodePort ${found.nodePort ?? "none"}, its server group ${nodePort}`;
        const targets = found.targetPort ?? port;
        if (spec.backendType === "eni" && targets !== targetPort)
            return `port ${port}/${protocol} of Service ${spec.serviceName} has targetPort ${targets}, its server group ${targetPort}`;
    }
    return undefined;
}
