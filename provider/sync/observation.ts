import type { EndpointSliceObject, NodeObject, PodObject, ServiceObject } from "../service/objects";
import type { BindingSpec } from "./binding/spec";
import { type BindingFinding, held } from "./binding/status";

/** Objects of the cluster that decide the backends of a Service, at one moment. */
export interface Observation {
    /** Undefined: the Service does not exist. */
    readonly service: ServiceObject | undefined;
    readonly endpointSlices: readonly EndpointSliceObject[];
    readonly nodes: readonly NodeObject[];
    /** Pods with a readiness gate of the Service, by UID. */
    readonly gatedPods: ReadonlyMap<string, PodObject>;
}

/** Returns the reason why the members of a group must stay; undefined if they may follow the cluster. */
export function checkObservation(
    spec: BindingSpec,
    { service, endpointSlices, nodes }: Pick<Observation, "service" | "endpointSlices" | "nodes">,
): BindingFinding | undefined {
    const { serviceName, backendType } = spec;
    if (service === undefined)
        return held(
            "ServiceMissing",
            `Service ${serviceName} is not in the cluster; the backends stay`,
            "apply the Service again, or take it out of the stack and run pulumi up",
        );
    const changed = difference(spec, service);
    // Runs decide the structure.
    const remedy = "run pulumi up, which brings load balancer and binding up to date";
    if (changed !== undefined) return held("ServiceChanged", `${changed}; the backends stay`, remedy);
    if (backendType === "ecs" && nodes.length === 0)
        return held(
            "NodesMissing",
            "the cluster names no node; the backends stay",
            "check that the controller may list nodes, and that the cluster has some",
        );
    const viaPods = backendType === "eni" || spec.externalTrafficPolicy === "Local";
    if (viaPods && endpointSlices.length === 0)
        return held(
            "EndpointsMissing",
            `Service ${serviceName} has no EndpointSlice; the backends stay`,
            "check that kube-controller-manager runs, and that the controller may list endpointslices",
        );
    return undefined;
}

/** Returns the difference between a Service and its group for which backends would take no traffic. */
function difference(spec: BindingSpec, { spec: live }: ServiceObject): string | undefined {
    const service = `Service ${spec.serviceName}`;
    if (live?.type !== "LoadBalancer") return `${service} is no longer of type LoadBalancer`;
    for (const { port, protocol, targetPort } of spec.ports) {
        const name = `${port}/${protocol}`;
        const observed = live.ports?.find((one) => one.port === port && (one.protocol ?? "TCP") === protocol);
        if (observed === undefined) return `${service} has no port ${name} any more`;
        const nodePort = spec.backendType === "ecs" && spec.nodePort !== 0 ? spec.nodePort : undefined;
        if (nodePort !== undefined && observed.nodePort !== nodePort)
            return (
                `port ${name} of ${service} has nodePort ${observed.nodePort ?? "none"}, ` +
                `its server group ${nodePort}`
            );
        const target = observed.targetPort ?? port;
        if (spec.backendType === "eni" && target !== targetPort)
            return `port ${name} of ${service} has targetPort ${target}, its server group ${targetPort}`;
    }
    return undefined;
}
