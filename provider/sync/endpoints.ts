/** Endpoints that wait for the load balancer or drain, and the readiness gates of their pods. Pure. */
import type { EndpointObject, EndpointSliceObject, PodObject } from "../service/objects";
import type { BindingSpec } from "./binding/spec";
import type { Observation } from "./observation";
import type { GateCondition } from "./ports";

/** Prefix of a readiness gate; the Service's name follows. Source: CCM, pod readiness gates. */
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

export const isDraining = ({ conditions }: EndpointObject): boolean =>
    conditions?.terminating === true && conditions.serving === true;

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
export const admitCandidates = (
    serviceName: string,
    { endpointSlices, gatedPods }: Pick<Observation, "endpointSlices" | "gatedPods">,
): readonly EndpointSliceObject[] =>
    admit(
        endpointSlices,
        (endpoint) => isWaiting(endpoint) && isCandidate(gatedPods.get(podUid(endpoint) ?? ""), serviceName),
    );

/** Pods of one binding that the load balancer has taken, and those that it could not take, by UID. */
export interface Registration {
    readonly registered: ReadonlySet<string>;
    readonly missing: ReadonlySet<string>;
}

/**
 * Returns the pods of a group that has just got its desired members.
 *
 * @param missing addresses without a network interface.
 */
export function registrationOf(
    { serviceName }: Pick<BindingSpec, "serviceName">,
    { endpointSlices, gatedPods }: Pick<Observation, "endpointSlices" | "gatedPods">,
    missing: readonly string[],
): Registration {
    const endpoints = endpointSlices.flatMap((slice) => slice.endpoints ?? []);
    const isMissing = ({ addresses }: EndpointObject): boolean => addresses.some((ip) => missing.includes(ip));
    const isTaken = (endpoint: EndpointObject): boolean => {
        const { ready, terminating } = endpoint.conditions ?? {};
        return (
            (ready !== false && terminating !== true) || isCandidate(gatedPods.get(podUid(endpoint) ?? ""), serviceName)
        );
    };
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

/**
 * Returns the conditions to set: true if every group of the Service has taken the pod, false if one cannot.
 * Source: CCM, pod readiness gates.
 *
 * @param registrations one for each binding of the Service; undefined for those that were not reconciled yet.
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
