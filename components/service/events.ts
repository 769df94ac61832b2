/** Events that a run leaves on a Service, as the Cloud Controller Manager does. Source: CCM, events on the Service. */
import type { ClusterEvent } from "../../provider/cluster/event";
import type { ServiceKey } from "../../provider/resources/claim";
import type { ObjectMeta } from "../../provider/service/objects";

/** Service and instance of a component. */
export interface EventSubject extends ServiceKey {
    readonly loadBalancerId: string;
}

/** Event of a Service with its address. */
export const ensured = ({ loadBalancerId }: EventSubject): ClusterEvent => ({
    type: "Normal",
    reason: "EnsuredLoadBalancer",
    message: `Ensured load balancer [${loadBalancerId}]`,
});

/** Event of a Service whose load balancer outlives it. */
export const preserved = ({ loadBalancerId }: EventSubject): ClusterEvent => ({
    type: "Warning",
    reason: "PreservedOnDelete",
    message: `The lb [${loadBalancerId}] will be preserved after the service is deleted.`,
});

type Inputs = Readonly<Record<string, unknown>> | undefined;

const annotationsOf = (service: Inputs): Readonly<Record<string, unknown>> =>
    (service?.["metadata"] as ObjectMeta | undefined)?.annotations ?? {};

/** Returns the event of an applied Service with other annotations; undefined if they are equal. */
export function annotationsChanged(before: Inputs, after: Inputs): ClusterEvent | undefined {
    const [old, now] = [annotationsOf(before), annotationsOf(after)];
    const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => old[key] !== now[key]);
    if (changed.length === 0) return undefined;
    return {
        type: "Normal",
        reason: "AnnotationChanged",
        message: `The Service is updated, because its annotations have changed: ${changed.sort().join(", ")}`,
    };
}
