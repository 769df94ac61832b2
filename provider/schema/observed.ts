/** Load balancers as observed in the cloud, and what Services request of them. Plain data. */

import type { Backend } from "./backend";
import type { ClbProtocol, ListenerProtocol, NlbProtocol } from "./protocols";
import type { ZoneMap } from "./settings";
import type { LoadBalancerType } from "./load-balancer-type";

/** From this CCM on an NLB of another VPC can be reused. Source: Cloud Controller Manager, release notes. */
export const CROSS_VPC_SINCE = "v2.9.1";

/** Address of a listener on its load balancer. */
export interface ListenerAddress {
    readonly protocol: ListenerProtocol;
    /** Port, or first port of a range. */
    readonly port: number;
    /** Last port of a range, on an NLB; absent = one port. */
    readonly endPort?: number;
}

export interface ObservedListener extends ListenerAddress {
    /** Absent on a CLB. */
    readonly id?: string;
    /** Ownership key of a managed listener; empty if it has none. */
    readonly description: string;
    readonly serverGroupId?: string;
    /** HTTPS port that it redirects to. */
    readonly forwardPort?: number;
}

/** vServer group of a CLB, or server group of an NLB's listeners. */
export interface ObservedServerGroup {
    readonly id: string;
    readonly name: string;
    /** `Instance` or `Ip`, of an NLB's group. */
    readonly type?: string;
    /** `TCP`, `UDP`, `TCPSSL` or `TCP_UDP`, of an NLB's group. */
    readonly protocol?: string;
    /** VPC of an NLB's group. */
    readonly vpcId?: string;
    /** True if members of an NLB's group answer on the port that the client asked for. */
    readonly anyPort?: boolean;
    /** Read only of groups that a Service names, and of groups of listeners that will be replaced. */
    readonly backends?: readonly Backend[];
}

/** Attributes of an instance; absent if the cloud does not report them or its type does not have them. */
export interface ObservedAttributes {
    readonly id: string;
    readonly name?: string;
    /** IP address of a CLB, DNS name of an NLB. */
    readonly address?: string;
    readonly addressType?: string;
    readonly ipVersion?: string;
    readonly vpcId?: string;
    /** vSwitch of an internal CLB. */
    readonly vswitchId?: string;
    /** `active`, `inactive`, `locked`; of an NLB also `provisioning`, `configuring`, `createfailed`, `deleting`. */
    readonly status?: string;
    readonly instanceChargeType?: string;
    readonly spec?: string;
    readonly internetChargeType?: string;
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly masterZoneId?: string;
    readonly slaveZoneId?: string;
    readonly resourceGroupId?: string;
    readonly deleteProtection?: string;
    readonly modificationProtection?: string;
    readonly modificationProtectionReason?: string;
    readonly ipv6AddressType?: string;
    readonly crossZoneEnabled?: string;
    /** Sorted. */
    readonly securityGroupIds?: readonly string[];
    readonly bandwidthPackageId?: string;
    readonly zoneMaps?: readonly ZoneMap[];
    /** New connections per second of an NLB; absent = no limit. */
    readonly cps?: number;
}

/** Instance with its listeners and server groups. */
export interface ObservedLoadBalancer extends ObservedAttributes {
    readonly tags: Readonly<Record<string, string>>;
    readonly listeners: readonly ObservedListener[];
    /** All of a CLB; of an NLB those of its listeners and those that a Service names. */
    readonly serverGroups: readonly ObservedServerGroup[];
}

/** Listener of a CLB with everything that its takeover compares. */
export interface ObservedClbListener extends ObservedListener {
    readonly protocol: ClbProtocol;
    /** By the names of the API. */
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly domainExtensions: readonly ObservedDomainExtension[];
}

/** Certificate of a further domain of an HTTPS listener. */
export interface ObservedDomainExtension {
    readonly id: string;
    readonly domain: string;
    readonly certId: string;
}

/** CLB with everything that its takeover compares; server groups with the Service's ownership mark only. */
export interface ObservedClb extends ObservedLoadBalancer {
    readonly listeners: readonly ObservedClbListener[];
    /** Access control list of the Service's source ranges; absent = none. */
    readonly aclId?: string;
}

/** Listener of an NLB with everything that its takeover compares. */
export interface ObservedNlbListener extends ObservedListener {
    readonly id: string;
    readonly protocol: NlbProtocol;
    /** By the names of the API. */
    readonly attributes: Readonly<Record<string, unknown>>;
    /** Ids of certificates of further domains. */
    readonly additionalCertIds: readonly string[];
}

/** Server group of an NLB with everything that its takeover compares. */
export interface ObservedNlbServerGroup extends ObservedServerGroup {
    /** By the names of the API. */
    readonly attributes: Readonly<Record<string, unknown>>;
}

/** Security group of a Service's source ranges. */
export interface ObservedSecurityGroup {
    readonly id: string;
    /** Policy by address range; only rules with the Service's mark. */
    readonly rules: Readonly<Record<string, "accept" | "drop">>;
}

/** NLB with everything that its takeover compares; server groups that the Service owns or joins only. */
export interface ObservedNlb extends ObservedLoadBalancer {
    readonly listeners: readonly ObservedNlbListener[];
    readonly serverGroups: readonly ObservedNlbServerGroup[];
    /** Security group of the Service's source ranges; absent = none. */
    readonly securityGroup?: ObservedSecurityGroup;
}

/** Attributes of a reused instance that a Service sets. A user-managed instance gets no defaults. */
export interface ReusedAttributes {
    readonly name?: string;
    readonly instanceChargeType?: "PayBySpec" | "PayByCLCU";
    readonly spec?: string;
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly deleteProtection?: "on" | "off";
    readonly modificationProtection?: "ConsoleProtection" | "NonProtection";
    /** NLB only: a CLB cannot be switched. */
    readonly addressType?: "internet" | "intranet";
    readonly ipv6AddressType?: "internet" | "intranet";
    readonly crossZoneEnabled?: "on" | "off";
    /** Sorted. */
    readonly securityGroupIds?: readonly string[];
    readonly bandwidthPackageId?: string;
    /** Sorted by zone. */
    readonly zoneMaps?: readonly ZoneMap[];
}

/** A Service on an instance that it may share with others. */
export interface Tenant {
    /** `namespace/name`. */
    readonly service: string;
    /** Id of the instance, or the name that a program gave it. */
    readonly instance: string;
    /** The Service's ports. */
    readonly listeners: readonly ListenerAddress[];
    /** True if the listeners are managed: annotation force-override-listeners, or an instance of the program. */
    readonly manageListeners: boolean;
    /** User-managed server groups that the backends join, by first listener port. Annotation vgroup-port. */
    readonly joinedGroups: readonly { readonly vgroupId: string; readonly port: number }[];
    /** True if the followed Cloud Controller Manager version does not share an instance. Default false. */
    readonly alone?: true;
}

/** Request of a Service to use an existing instance. */
export interface ReuseRequest extends Pick<Tenant, "listeners" | "manageListeners" | "joinedGroups"> {
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    readonly loadBalancerId: string;
    readonly namespace: string;
    readonly name: string;
    readonly clusterId: string;
    /** UID of the namespace kube-system, to compare with the instance's tag. Absent = unknown or a deliberate move. */
    readonly clusterUid?: string;
    readonly addressType: "internet" | "intranet";
    /** Absent = that of the instance. */
    readonly ipVersion?: "ipv4" | "ipv6" | "DualStack";
    /** VPC of the cluster; absent = unknown. */
    readonly vpcId?: string;
    /** True if the instance may be in another VPC than the cluster. Default false. */
    readonly crossesVpcs?: boolean;
    /** Immutable attributes that the Service sets, by setting; they must be the instance's. */
    readonly fixed: Readonly<Partial<Record<"masterZoneid" | "slaveZoneid" | "resourceGroupId" | "ip", string>>>;
    readonly attributes: ReusedAttributes;
    readonly additionalTags: Readonly<Record<string, string>>;
    /** True if pods are backends. */
    readonly attachesPods: boolean;
    /** Type of server groups that the backends can join; absent for a CLB. */
    readonly groupType?: "Instance" | "Ip";
    /** Addresses in the Service's status. */
    readonly boundTo: readonly string[];
    /** Instances that no Service may use, such as the API server's. */
    readonly denied: readonly string[];
}

/** Ids of observed objects that become children of a Service by takeover; all others are created. */
export interface Adoption {
    readonly loadBalancerId: string;
    /** Only for an internal instance. */
    readonly vswitchId?: string;
    /** CLB only. */
    readonly instanceChargeType?: string;
    /** Access control list of the Service's source ranges. */
    readonly aclId?: string;
    /** Security group of the Service's source ranges, of an NLB. */
    readonly securityGroupId?: string;
    /** Observed zones of an NLB, if the Service requests others. */
    readonly zones?: readonly ZoneMap[];
    /** Internet Shared Bandwidth package of an NLB. */
    readonly bandwidthPackageId?: string;
    /** By key of the group. */
    readonly serverGroups: Readonly<Record<string, string>>;
    /** By key of the listener. */
    readonly listeners: Readonly<Record<string, string>>;
    /** By `key of the listener/domain`. */
    readonly domainExtensions: Readonly<Record<string, string>>;
    /** Plugin inputs that keep their observed values, by `instance`, key of the listener, or {@link groupKeep}. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/** Returns the key of a server group in {@link Adoption.keep}. */
export const groupKeep = (key: string): string => `group/${key}`;
