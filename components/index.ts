/** Public API of the package: the cluster, and a component per Service. */
export type { ReferenceArgs, ServiceArgs, ServicePortArgs, ServiceSource } from "./service/args";
export { type AdoptArgs, type AdoptionSearch, findAdoption } from "./adoption/find";
export { Cluster } from "./cluster/cluster";
export type { AccountArgs, ClusterArgs, DiscoverArgs } from "./cluster/args";
export { ServiceLoadBalancer } from "./service-load-balancer";
export type { AdoptServiceArgs, ExistingServiceArgs, ServiceLoadBalancerArgs } from "./service-load-balancer-args";
export { type InstanceSettings, SharedLoadBalancer, type SharedLoadBalancerArgs } from "./shared-load-balancer";
export { SyncController, type SyncControllerArgs } from "./sync-controller";
export { UnexposedService, type UnexposedServiceArgs } from "./unexposed";
export type { Settings } from "../provider/service/annotations";
export type { Adoption } from "../provider/plan/adoption";
export type { LoadBalancerType } from "../provider/schema/load-balancer-type";
