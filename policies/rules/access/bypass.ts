/** Who calls the address of a load balancer from inside the cluster does not reach the load balancer: the node answers itself. */

import type { LoadBalancerType } from "../../../provider/schema/load-balancer-type";
import type { ServiceSubject } from "../../subjects";

/** An NLB has a DNS name instead of an address, so that calls from inside go out to it. */
export const INTERCEPTED: readonly LoadBalancerType[] = ["clb"];

/** How pods reach a Service without going through its load balancer. */
export const clusterName = (service: ServiceSubject): string =>
    `${service.name.split("/").reverse().join(".")}.svc.cluster.local`;

/** With a host name in its status nothing is intercepted: calls go out to the load balancer. */
export const isIntercepted = (service: ServiceSubject): boolean => service.settings.hostname === undefined;
