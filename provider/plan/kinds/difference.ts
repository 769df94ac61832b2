import type { ServicePort } from "../../kubernetes/service/service";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ListenerProtocol } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";

/** What of a Service decides how it differs between the kinds of load balancer. */
export interface KindSubject {
    /** The kind that the Service has now. */
    readonly loadBalancerType: LoadBalancerType;
    readonly settings: Settings;
    readonly ports: readonly Pick<ServicePort, "port" | "protocol">[];
    /** The protocol of each port's listener. */
    readonly protocols: readonly ListenerProtocol[];
    readonly externalTrafficPolicy: "Cluster" | "Local";
    readonly backendType: "ecs" | "eni";
    readonly sourceRanges: readonly string[];
}

/**
 * What a difference means for a Service that is to get the other kind.
 * - unsupported: it is set, and the other kind does not have it.
 * - value: it is set, and its value is none of the other kind, or names an object of this kind.
 * - required: the other kind does not work without it.
 * - default: it is not set, and what holds then is another value.
 * - meaning: the same words do something else.
 */
export type KindDifferenceKind = "unsupported" | "value" | "required" | "default" | "meaning";

/** One thing in which the two kinds differ for a Service. */
export interface KindDifference {
    readonly kind: KindDifferenceKind;
    /** Key of the annotation, field of the Service, or what traffic notices. */
    readonly subject: string;
    /** With the kind that the Service has. */
    readonly before: string;
    /** With the other one. */
    readonly after: string;
    readonly remedy: string;
}
