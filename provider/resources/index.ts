/**
 * Dynamic resources. Each handler in `provider/resources/handlers` documents its resource, inputs and methods.
 *
 * The fields `region` and `account` are the place of an object. Default: the environment of the run.
 */
import { resource } from "./resource";

export type { Arg, ResourceArgs } from "./resource";

export class Backends extends resource("Backends") {}

export class ServiceClaim extends resource("ServiceClaim") {}

/** The other resources of a Service depend on it. */
export class ServiceContract extends resource("ServiceContract", [], ["formerTags"]) {}

/** Record for a GitOps stack. */
export class HandBackRecord extends resource("HandBackRecord") {}

export class LoadBalancerRelease extends resource("LoadBalancerRelease", ["loadBalancerId"]) {}

/** Remains of an instance whose creation ended half-way. */
export class LoadBalancerRemnant extends resource("LoadBalancerRemnant", ["loadBalancerId"]) {}

export class ReusedLoadBalancer extends resource("ReusedLoadBalancer", ["loadBalancerId"]) {}

export class ServiceStatus extends resource("ServiceStatus") {}

export class AclEntries extends resource("AclEntries", ["aclId"]) {}

export class AclCheck extends resource("AclCheck") {}

export class CertificateCheck extends resource("CertificateCheck") {}

export class ListenerOptions extends resource("ListenerOptions") {}

export class VSwitchChoice extends resource("VSwitchChoice", [], ["chosen"]) {}

export class NlbCertificateCheck extends resource("NlbCertificateCheck") {}

export class AdditionalCertificates extends resource("AdditionalCertificates", ["listenerId"]) {}

export class SourceSecurityGroup extends resource("SourceSecurityGroup", ["name", "vpcId"]) {}

export class ServerGroupOptions extends resource("ServerGroupOptions", ["serverGroupId"]) {}

export class ZoneCheck extends resource("ZoneCheck", [], ["vpc"]) {}

/** Also releases the NLB, like {@link LoadBalancerRelease} a CLB. */
export class LoadBalancerZones extends resource("LoadBalancerZones", ["loadBalancerId"]) {}
