/** What users of the package write: the cluster, and a component for each Service. */
export { type ReferenceArgs, type ServiceArgs, type ServicePortArgs, type ServiceSource } from "./args";
export { Cluster, type ClusterArgs } from "./cluster";
export { type ExistingServiceArgs, ServiceLoadBalancer, type ServiceLoadBalancerArgs } from "./serviceloadbalancer";
export type { Settings } from "../provider/annotations";
export type { LoadBalancerType } from "../provider/model/type";
