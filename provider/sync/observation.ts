import { isReady, isVirtualNode } from "../backends";
import type { EndpointSliceObject, NodeObject, PodObject, ServiceObject, EndpointObject } from "../service/objects";
import type { BindingSpec } from "./binding/spec";
import { type BindingFinding, held } from "./binding/status";

/** Objects of the cluster that decide the backends of a Service, at the same moment. */
export interface Observation {
    /** Undefined: the Service does not exist. */
    readonly service: ServiceObject | undefined;
    readonly endpointSlices: readonly EndpointSliceObject[];
    readonly nodes: readonly NodeObject[];
    /** Pods with a readiness gate of the Service, by UID. */
    readonly gatedPods: ReadonlyMap<string, PodObject>;
}

/** Returns the reason why the members of a group must stay, or undefined if they may follow the cluster. */
export function checkObservation(
    spec: BindingSpec,
    { service, endpointSlices, nodes }: Observation,
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
    const viaPods = backendType === "eni" || spec.externalTrafficPolicy === "Local" || nodes.some(isVirtualNode);
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

/** Prefix of a readiness gate, which the Service's name follows. Source: CCM, pod readiness gates. */
const READINESS_GATE = "service.readiness.alibabacloud.com/";

export const gateOf = (serviceName: string): string => READINESS_GATE + serviceName;

export const serviceOfGate = (gate: string): string | undefined =>
    gate.startsWith(READINESS_GATE) ? gate.slice(READINESS_GATE.length) : undefined;

export const hasGate = (pod: PodObject, serviceName: string): boolean =>
    pod.spec?.readinessGates?.some(({ conditionType }) => conditionType === gateOf(serviceName)) ?? false;

/** True if a pod is ready but for its gates, and not terminating. */
const isCandidate = (pod: PodObject | undefined, serviceName: string): boolean =>
    pod !== undefined &&
    hasGate(pod, serviceName) &&
    (pod.status?.conditions ?? []).some(({ type, status }) => type === "ContainersReady" && status === "True") &&
    pod.metadata.deletionTimestamp === undefined;

export const podUid = ({ targetRef }: EndpointObject): string | undefined =>
    targetRef?.kind === "Pod" ? targetRef.uid : undefined;

export const isWaiting = ({ conditions }: EndpointObject): boolean =>
    conditions?.ready === false && conditions.terminating !== true;

/** Returns the slices with accepted endpoints marked as ready. */
export function admit(
    slices: readonly EndpointSliceObject[],
    accepts: (endpoint: EndpointObject) => boolean,
): readonly EndpointSliceObject[] {
    const admitted = (endpoint: EndpointObject): EndpointObject =>
        accepts(endpoint)
            ? { ...endpoint, conditions: { ...endpoint.conditions, ready: true, terminating: false } }
            : endpoint;
    return slices.map((slice) =>
        slice.endpoints?.some(accepts) ? { ...slice, endpoints: slice.endpoints.map(admitted) } : slice,
    );
}

/** Returns the slices with endpoints marked as ready that wait only for the load balancer of the Service. */
export const admitCandidates = (serviceName: string, { endpointSlices, gatedPods }: Observation) =>
    admit(
        endpointSlices,
        (endpoint) => isWaiting(endpoint) && isCandidate(gatedPods.get(podUid(endpoint) ?? ""), serviceName),
    );

/** Pods of a binding that the load balancer has taken, and those that it could not take, by UID. */
export interface Registration {
    readonly registered: ReadonlySet<string>;
    readonly missing: ReadonlySet<string>;
}

/**
 * Returns the pods of a group that has just got its desired members.
 *
 * @param missing addresses that it did not take.
 */
export function registrationOf(
    { serviceName }: BindingSpec,
    { endpointSlices, gatedPods }: Observation,
    missing: readonly string[],
): Registration {
    const endpoints = endpointSlices.flatMap((slice) => slice.endpoints ?? []);
    const isMissing = ({ addresses }: EndpointObject): boolean => addresses.some((ip) => missing.includes(ip));
    const isTaken = (endpoint: EndpointObject): boolean =>
        isReady(endpoint) || isCandidate(gatedPods.get(podUid(endpoint) ?? ""), serviceName);
    const uids = (list: typeof endpoints): Set<string> => new Set(list.flatMap((endpoint) => podUid(endpoint) ?? []));
    return {
        registered: uids(endpoints.filter((endpoint) => !isMissing(endpoint) && isTaken(endpoint))),
        missing: uids(endpoints.filter(isMissing)),
    };
}

const REGISTERED = {
    status: "True",
    reason: "ServerRegistered",
    message: "The backend has been added to the server group",
} as const;

const INVALID = {
    status: "False",
    reason: "ServerInvalidServer",
    message: "The backend failed to add to the server group because of the server is invalid",
} as const;

export type GateCondition = { readonly type: string } & (typeof REGISTERED | typeof INVALID);

/**
 * Returns the conditions to set: true if every group of the Service has taken the pod, false if any group cannot.
 * Source: CCM, pod readiness gates.
 *
 * @param registrations an entry for each binding of the Service, undefined if it was not reconciled yet.
 */
export function gateConditions(
    serviceName: string,
    pods: readonly PodObject[],
    registrations: readonly (Registration | undefined)[],
): { readonly pod: PodObject; readonly condition: GateCondition }[] {
    const type = gateOf(serviceName);
    return pods.flatMap((pod) => {
        const { uid = "", deletionTimestamp } = pod.metadata;
        if (!hasGate(pod, serviceName) || deletionTimestamp !== undefined) return [];
        const isInvalid = registrations.some((one) => one?.missing.has(uid));
        const isRegistered = registrations.length > 0 && registrations.every((one) => one?.registered.has(uid));
        if (!isInvalid && !isRegistered) return [];
        const condition = isInvalid ? INVALID : REGISTERED;
        const present = pod.status?.conditions?.find((one) => one.type === type);
        const isSame = present?.status === condition.status && present.reason === condition.reason;
        return isSame ? [] : [{ pod, condition: { type, ...condition } }];
    });
}
