/** Endpoints that are not simply ready: those that wait for the load balancer, and those that still serve while they terminate. */
import type { EndpointObject, EndpointSliceObject, PodObject } from "../kubernetes/types";

/** Prefix of the readiness gates that tell a pod that it is a backend; the Service's name follows. Source: CCM, pod readiness gates. */
export const READINESS_GATE = "service.readiness.alibabacloud.com/";

/** The readiness gate of a Service. */
export const gateOf = (serviceName: string): string => READINESS_GATE + serviceName;

/** The Service that a readiness gate names; undefined for a gate of another kind. */
export const serviceOfGate = (gate: string): string | undefined =>
    gate.startsWith(READINESS_GATE) ? gate.slice(READINESS_GATE.length) : undefined;

/** Whether a pod waits for the load balancer of a Service before it is ready. */
export const hasGate = (pod: PodObject, serviceName: string): boolean =>
    pod.spec?.readinessGates?.some(({ conditionType }) => conditionType === gateOf(serviceName)) ?? false;

const isTrue = (pod: PodObject, type: string): boolean =>
    pod.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;

/** Whether a pod is a backend as soon as the load balancer takes it: everything but its gates is ready. */
export const isCandidate = (pod: PodObject, serviceName: string): boolean =>
    hasGate(pod, serviceName) && isTrue(pod, "ContainersReady") && pod.metadata.deletionTimestamp === undefined;

/** UID of the pod behind an endpoint. */
export const podUid = ({ targetRef }: EndpointObject): string | undefined =>
    targetRef?.kind === "Pod" ? targetRef.uid : undefined;

/** Whether an endpoint is neither ready nor terminating: it has not become ready yet, or is unhealthy, or waits for a gate. */
export const isWaiting = ({ conditions }: EndpointObject): boolean =>
    conditions?.ready === false && conditions.terminating !== true;

/** Whether an endpoint terminates and still serves: it takes no new connections and finishes those that it has. */
export const isDraining = ({ conditions }: EndpointObject): boolean =>
    conditions?.terminating === true && conditions.serving === true;

/** The slices, with the endpoints that a test accepts counting as ready. */
export function admit(
    slices: readonly EndpointSliceObject[],
    accepted: (endpoint: EndpointObject) => boolean,
): readonly EndpointSliceObject[] {
    return slices.map((slice) =>
        slice.endpoints?.some(accepted)
            ? {
                  ...slice,
                  endpoints: slice.endpoints.map((endpoint) =>
                      accepted(endpoint)
                          ? { ...endpoint, conditions: { ...endpoint.conditions, ready: true, terminating: false } }
                          : endpoint,
                  ),
              }
            : slice,
    );
}

/** The slices, with endpoints that wait for nothing but the load balancer of a Service counting as ready. */
export const admitCandidates = (
    slices: readonly EndpointSliceObject[],
    serviceName: string,
    pods: ReadonlyMap<string, PodObject>,
): readonly EndpointSliceObject[] =>
    admit(slices, (endpoint) => {
        const pod = pods.get(podUid(endpoint) ?? "");
        return isWaiting(endpoint) && pod !== undefined && isCandidate(pod, serviceName);
    });
