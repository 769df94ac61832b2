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
export class ServiceContract extends resource("ServiceContract", { computed: ["formerTags"] }) {}

/** Record for a GitOps stack. */
export class HandBackRecord extends resource("HandBackRecord") {}

export class LoadBalancerRelease extends resource("LoadBalancerRelease", {
    replaceOnChanges: ["loadBalancerId"],
}) {}

/** Remains of an instance whose creation ended half-way. */
export class LoadBalancerRemnant extends resource("LoadBalancerRemnant", { replaceOnChanges: ["loadBalancerId"] }) {}

export class ReusedLoadBalancer extends resource("ReusedLoadBalancer", {
    replaceOnChanges: ["loadBalancerId"],
}) {}

export class ServiceStatus extends resource("ServiceStatus") {}

export class AclEntries extends resource("AclEntries", { replaceOnChanges: ["aclId"] }) {}

export class AclCheck extends resource("AclCheck") {}

export class CertificateCheck extends resource("CertificateCheck") {}

export class ListenerOptions extends resource("ListenerOptions") {}

export class VSwitchChoice extends resource("VSwitchChoice", { computed: ["chosen"] }) {}

export class NlbCertificateCheck extends resource("NlbCertificateCheck") {}

export class AdditionalCertificates extends resource("AdditionalCertificates", {
    replaceOnChanges: ["listenerId"],
}) {}

export class SourceSecurityGroup extends resource("SourceSecurityGroup", {
    replaceOnChanges: ["name", "vpcId"],
}) {}

export class ServerGroupOptions extends resource("ServerGroupOptions", {
    replaceOnChanges: ["serverGroupId"],
}) {}

export class ZoneCheck extends resource("ZoneCheck", { computed: ["vpc"] }) {}

/** Also releases the NLB, like {@link LoadBalancerRelease} a CLB. */
export class LoadBalancerZones extends resource("LoadBalancerZones", {
    replaceOnChanges: ["loadBalancerId"],
}) {}
