/**
 * Dynamic resources: thin Pulumi shells over provider/'s functions.
 *
 * Each provider is an object literal whose methods only delegate. Its text is stored with every resource, so it stays small and the same whatever compiler made it.
 */
export { AclCheck, type AclCheckArgs } from "./clb/acl-check";
export { AclEntries, type AclEntriesArgs } from "./clb/acl";
export { ServerGroupBackends, type ServerGroupBackendsArgs } from "./backends";
export { AdditionalCertificates, type AdditionalCertificatesArgs } from "./nlb/certificates";
export { CertificateCheck, type CertificateCheckArgs } from "./clb/certificate";
export { ServiceClaim, type ServiceClaimArgs } from "./claim";
export { ServiceContract, type ServiceContractArgs } from "./contract";
export { ListenerOptions, type ListenerOptionsArgs } from "./clb/listener";
export { LoadBalancerRelease, type LoadBalancerReleaseArgs } from "./release";
export { ReusedLoadBalancer, type ReusedLoadBalancerArgs } from "./reused";
export { SourceSecurityGroup, type SourceSecurityGroupArgs } from "./nlb/security-group";
export { ServerGroupOptions, type ServerGroupOptionsArgs } from "./nlb/server-group";
export { ServiceStatus, type ServiceStatusArgs } from "./status";
export { VSwitchChoice, type VSwitchChoiceArgs } from "./clb/vswitch";
export { ZoneCheck, type ZoneCheckArgs } from "./nlb/zone-check";
export { NlbCertificateCheck, type NlbCertificateCheckArgs } from "./nlb/certificate-check";
export { LoadBalancerZones, type LoadBalancerZonesArgs, type ZoneArgs } from "./nlb/zones";
