/** kube-proxy intercepts calls from inside the cluster to the address of a load balancer: the node answers in its place. */

import type { LoadBalancerType } from "../../../provider/schema/load-balancer-type";
import type { ServiceSubject } from "../../subjects";

/** The status of a Service with an NLB holds a DNS name, not an address, so that nothing is intercepted. */
export const INTERCEPTED: readonly LoadBalancerType[] = ["clb"];

/** How pods reach a Service without going through its load balancer. */
export const clusterName = (service: ServiceSubject): string =>
    `${service.name.split("/").reverse().join(".")}.svc.cluster.local`;

/** With a host name in the status nothing is intercepted: calls reach the load balancer. */
export const isIntercepted = (service: ServiceSubject): boolean => service.settings.hostname === undefined;
