/**
 * Dynamic resources: thin Pulumi shells over provider/'s functions.
 *
 * Each provider is an object literal whose methods only delegate. Its text is stored with every resource, so it stays small and the same whatever compiler made it.
 */
export { AclEntries, type AclEntriesArgs } from "./acl";
export { ServerGroupBackends, type ServerGroupBackendsArgs } from "./backends";
export { AdditionalCertificates, type AdditionalCertificatesArgs } from "./certificates";
export { CertificateCheck, type CertificateCheckArgs } from "./certificate";
export { ServiceClaim, type ServiceClaimArgs } from "./claim";
export { ServiceContract, type ServiceContractArgs } from "./contract";
export { ListenerOptions, type ListenerOptionsArgs } from "./listener";
export { LoadBalancerRelease, type LoadBalancerReleaseArgs } from "./release";
export { ReusedLoadBalancer, type ReusedLoadBalancerArgs } from "./reused";
export { SourceSecurityGroup, type SourceSecurityGroupArgs } from "./securitygroup";
export { ServerGroupOptions, type ServerGroupOptionsArgs } from "./servergroup";
export { ServiceStatus, type ServiceStatusArgs } from "./status";
export { VSwitchChoice, type VSwitchChoiceArgs } from "./vswitch";
export { ZoneCheck, type ZoneCheckArgs } from "./zonecheck";
export { LoadBalancerZones, type LoadBalancerZonesArgs, type ZoneArgs } from "./zones";
