/** Who calls the address of a load balancer from inside the cluster does not reach the load balancer: the node answers itself. */

import type { ServiceSubject } from "../../subjects";

/** How pods reach a Service without going through its load balancer. */
export const clusterName = (service: ServiceSubject): string => `${service.name.split("/").reverse().join(".")}.svc.cluster.local`;

/** With a host name in its status nothing is intercepted: calls go out to the load balancer. */
export const isIntercepted = (service: ServiceSubject): boolean => service.settings.hostname === undefined;
