/**
 * Dynamic resources. Each handler in `provider/resources/handlers` documents its resource, inputs and methods.
 *
 * The fields `region` and `account` are the place of an object. Default: the environment of the run.
 */
import { resource } from "./resource";

export type { Arg, ResourceArgs } from "./resource";

export class Backends extends resource("backends", "Backends") {}

export class ServiceClaim extends resource("claim", "ServiceClaim") {}

/** The other resources of a Service depend on it. */
export class ServiceContract extends resource("contract", "ServiceContract", { computed: ["formerTags"] }) {}

/** Record for a GitOps stack. */
export class HandBackRecord extends resource("hand-back", "HandBackRecord") {}

export class LoadBalancerRelease extends resource("release", "LoadBalancerRelease", {
    replaceOnChanges: ["loadBalancerId"],
}) {}

export class ReusedLoadBalancer extends resource("reused", "ReusedLoadBalancer", {
    replaceOnChanges: ["loadBalancerId"],
}) {}

export class ServiceStatus extends resource("status", "ServiceStatus") {}

export class AclEntries extends resource("clb/acl", "AclEntries", { replaceOnChanges: ["aclId"] }) {}

export class AclCheck extends resource("clb/acl-check", "AclCheck") {}

export class CertificateCheck extends resource("clb/certificate", "CertificateCheck") {}

export class ListenerOptions extends resource("clb/listener", "ListenerOptions") {}

export class VSwitchChoice extends resource("clb/vswitch", "VSwitchChoice", { computed: ["chosen"] }) {}

export class NlbCertificateCheck extends resource("nlb/certificate-check", "NlbCertificateCheck") {}

export class AdditionalCertificates extends resource("nlb/certificates", "AdditionalCertificates", {
    replaceOnChanges: ["listenerId"],
}) {}

export class SourceSecurityGroup extends resource("nlb/security-group", "SourceSecurityGroup", {
    replaceOnChanges: ["name", "vpcId"],
}) {}

export class ServerGroupOptions extends resource("nlb/server-group", "ServerGroupOptions", {
    replaceOnChanges: ["serverGroupId"],
}) {}

export class ZoneCheck extends resource("nlb/zone-check", "ZoneCheck", { computed: ["vpc"] }) {}

/** Also releases the NLB, like {@link LoadBalancerRelease} a CLB. */
export class LoadBalancerZones extends resource("nlb/zones", "LoadBalancerZones", {
    replaceOnChanges: ["loadBalancerId"],
}) {}
