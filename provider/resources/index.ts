/**
 * Dynamic resources. `provider/resources/handlers` has their inputs and methods.
 *
 * The fields `region` and `account` are the place of an object. Default: the environment of the run.
 */
import { resource } from "./resource";

export type { ResourceArgs } from "./resource";

/**
 * All backends of one server group. They are written in batches of 20 (NLB: 40, whose jobs are awaited); weights change
 * in place. User-managed members are left alone.
 *
 * A new group replaces the resource. An update makes no call for what does not change.
 */
export class ServerGroupBackends extends resource("backends", "ServerGroupBackends", {
    replaceOnChanges: ["serverGroupId"],
}) {}

/**
 * Claim on a Service that another tool applies: the Cloud Controller Manager leaves the Service alone while this
 * resource exists. In the spec only the load balancer class of a Service with an NLB changes.
 */
export class ServiceClaim extends resource("claim", "ServiceClaim") {}

/**
 * Refuses, at preview, every change that the cloud cannot make to an existing instance, and an instance that must not
 * be reused. The other resources of a Service depend on it.
 */
export class ServiceContract extends resource("contract", "ServiceContract", { computed: ["formerTags"] }) {}

/**
 * Keeps a CLB active; before the instance is deleted, switches its protection off; removes the ownership marks of a
 * preserved instance.
 */
export class LoadBalancerRelease extends resource("release", "LoadBalancerRelease", {
    replaceOnChanges: ["loadBalancerId"],
}) {}

/**
 * Part of a user-managed instance that one Service uses. Deleting it removes the listeners, groups and tags of the
 * Service; the instance and everything user-managed stay.
 */
export class ReusedLoadBalancer extends resource("reused", "ReusedLoadBalancer", {
    replaceOnChanges: ["loadBalancerId"],
}) {}

/** Writes the load balancer's address into the Service's status, where `kubectl get svc` shows it. */
export class ServiceStatus extends resource("status", "ServiceStatus") {}

/**
 * All entries of one managed access control list: batches of 50, IPv6 included. Entries are added before others are
 * removed, because an empty list accepts every client.
 */
export class AclEntries extends resource("clb/acl", "AclEntries", { replaceOnChanges: ["aclId"] }) {}

/**
 * Refuses, at preview, an access control list that does not exist, and records empty lists. Calls: new lists, and a
 * refresh.
 */
export class AclCheck extends resource("clb/acl-check", "AclCheck") {}

/** Refuses, at preview, a certificate of a CLB that is missing or expired. Calls: new certificates only. */
export class CertificateCheck extends resource("clb/certificate", "CertificateCheck") {}

/** State (running) and attributes of a CLB listener that the alicloud plugin cannot set, or cannot reset. */
export class ListenerOptions extends resource("clb/listener", "ListenerOptions", {
    replaceOnChanges: ["loadBalancerId", "port", "protocol"],
}) {}

/** The vSwitch of an internal instance. It is chosen once and kept: an instance cannot move. */
export class VSwitchChoice extends resource("clb/vswitch", "VSwitchChoice", { computed: ["chosen"] }) {}

/** Refuses, at preview, a certificate of an NLB that is missing or expired. Calls: new certificates only. */
export class NlbCertificateCheck extends resource("nlb/certificate-check", "NlbCertificateCheck") {}

/**
 * All additional certificates of one NLB listener: 15 in a call, one call after the other, because a listener takes one
 * change at a time.
 */
export class AdditionalCertificates extends resource("nlb/certificates", "AdditionalCertificates", {
    replaceOnChanges: ["listenerId"],
}) {}

/** Managed security group for the source ranges of a Service, with all its rules. */
export class SourceSecurityGroup extends resource("nlb/security-group", "SourceSecurityGroup", {
    replaceOnChanges: ["name", "vpcId"],
}) {}

/** Attributes of an NLB server group that the alicloud plugin cannot set, or not in their whole range. */
export class ServerGroupOptions extends resource("nlb/server-group", "ServerGroupOptions", {
    replaceOnChanges: ["serverGroupId"],
}) {}

/**
 * Refuses, at preview, vSwitches that do not exist, are not in their zone or not in one VPC, and finds that VPC.
 * Calls: new vSwitches, and a dry run for a new instance.
 */
export class ZoneCheck extends resource("nlb/zone-check", "ZoneCheck", { computed: ["vpc"] }) {}

/**
 * Zones of an existing NLB, with vSwitches and addresses. The alicloud plugin does not notice a change inside a zone.
 */
export class LoadBalancerZones extends resource("nlb/zones", "LoadBalancerZones", {
    replaceOnChanges: ["loadBalancerId"],
}) {}
