/** A user-managed load balancer, as observed in the cloud. Plain data, so that it can be shown at preview and judged by policies. */
import type { ClbProtocol, ListenerProtocol, NlbProtocol } from "../schema/protocols";
import type { ZoneMap } from "../schema/settings";
import type { LoadBalancerType } from "../schema/load-balancer-type";

/** From this CCM on an NLB of another VPC can be reused. Source: Cloud Controller Manager, release notes. */
export const CROSS_VPC_SINCE = "v2.9.1";

/** The address of a listener on its load balancer. */
export interface ListenerAddress {
    readonly protocol: ListenerProtocol;
    /** The port, or the first one of a range. */
    readonly port: number;
    /** Last port of a range, which listeners of an NLB can have; absent = one port. */
    readonly endPort?: number;
}

/** An observed listener of the instance. */
export interface ObservedListener extends ListenerAddress {
    /** Absent on a CLB, whose listeners are known by their ports. */
    readonly id?: string;
    /** Empty if it has none. Ours have the form of an ownership key. */
    readonly description: string;
    /** Server group behind it; absent where it has none. */
    readonly serverGroupId?: string;
    /** HTTPS port that it redirects to; absent where it does not. */
    readonly forwardPort?: number;
}

/** A member of an {@link ObservedServerGroup}. */
export interface ObservedBackend {
    /** Backend key with its port: `i-bp1…:30080`. */
    readonly key: string;
    readonly weight: number;
    /** Ownership mark; empty where there is none. */
    readonly description: string;
}

/** A vServer group of a CLB, or a server group that an NLB sends to. */
export interface ObservedServerGroup {
    readonly id: string;
    readonly name: string;
    /** What an NLB's group holds: `Instance` or `Ip`. */
    readonly type?: string;
    /** `TCP`, `UDP`, `TCPSSL` or `TCP_UDP`, of an NLB's group. */
    readonly protocol?: string;
    /** VPC of an NLB's group. */
    readonly vpcId?: string;
    /** Whether members of an NLB's group answer on the port that the client has asked for. */
    readonly anyPort?: boolean;
    /** Read only where they matter: groups that a Service names, and groups of listeners that are about to be replaced. */
    readonly backends?: readonly ObservedBackend[];
}

/** The instance itself. Attributes that the cloud does not report, or that its kind does not have, are absent. */
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
    /** Reason of the modification protection. */
    readonly modificationProtectionReason?: string;
    readonly ipv6AddressType?: string;
    readonly crossZoneEnabled?: string;
    /** In the order of the alphabet. */
    readonly securityGroupIds?: readonly string[];
    readonly bandwidthPackageId?: string;
    readonly zoneMaps?: readonly ZoneMap[];
    /** New connections a second that an NLB takes; absent = not limited. */
    readonly cps?: number;
}

/** The instance with its listeners and server groups. */
export interface ObservedLoadBalancer extends ObservedAttributes {
    readonly tags: Readonly<Record<string, string>>;
    readonly listeners: readonly ObservedListener[];
    /** All of a CLB; of an NLB, whose groups belong to the VPC, those that its listeners use and those that a Service names. */
    readonly serverGroups: readonly ObservedServerGroup[];
}

/** A listener of a CLB with all that its takeover compares. */
export interface ObservedClbListener extends ObservedListener {
    readonly protocol: ClbProtocol;
    /** By the API's own names. */
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly domainExtensions: readonly ObservedDomainExtension[];
}

/** The certificate of a further domain of an HTTPS listener. */
export interface ObservedDomainExtension {
    readonly id: string;
    readonly domain: string;
    readonly certId: string;
}

/** A CLB with all that its takeover compares; of the server groups those that bear the Service's ownership mark, with their backends. */
export interface ObservedClb extends ObservedLoadBalancer {
    readonly listeners: readonly ObservedClbListener[];
    /** Access control list of the Service's source ranges; absent = none was found. */
    readonly aclId?: string;
}

/** A listener of an NLB with all that its takeover compares. */
export interface ObservedNlbListener extends ObservedListener {
    readonly id: string;
    readonly protocol: NlbProtocol;
    /** By the API's own names. */
    readonly attributes: Readonly<Record<string, unknown>>;
    /** Ids of the certificates beside its own. */
    readonly additionalCertIds: readonly string[];
}

/** A server group of an NLB with all that its takeover compares. */
export interface ObservedNlbServerGroup extends ObservedServerGroup {
    /** By the API's own names. */
    readonly attributes: Readonly<Record<string, unknown>>;
}

/** The security group of a Service's source ranges. */
export interface ObservedSecurityGroup {
    readonly id: string;
    /** What becomes of connections, by the address range that they come from; only rules with the Service's mark. */
    readonly rules: Readonly<Record<string, "accept" | "drop">>;
}

/** An NLB with all that its takeover compares; of the server groups those that bear the Service's ownership mark, and those that it joins, with their backends. */
export interface ObservedNlb extends ObservedLoadBalancer {
    readonly listeners: readonly ObservedNlbListener[];
    readonly serverGroups: readonly ObservedNlbServerGroup[];
    /** Absent = none was found. */
    readonly securityGroup?: ObservedSecurityGroup;
}

/** Attributes of a reused instance that a Service may set, by the names of its annotations. Only those that it sets: a user-managed instance gets no defaults. */
export interface ReusedAttributes {
    readonly name?: string;
    readonly instanceChargeType?: "PayBySpec" | "PayByCLCU";
    readonly spec?: string;
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly deleteProtection?: "on" | "off";
    readonly modificationProtection?: "ConsoleProtection" | "NonProtection";
    /** An NLB can be switched; a CLB must be what the Service asks for. */
    readonly addressType?: "internet" | "intranet";
    readonly ipv6AddressType?: "internet" | "intranet";
    readonly crossZoneEnabled?: "on" | "off";
    /** In the order of the alphabet. */
    readonly securityGroupIds?: readonly string[];
    readonly bandwidthPackageId?: string;
    /** In the order of the zones. */
    readonly zoneMaps?: readonly ZoneMap[];
}

/** What one Service wants of an instance that is there already. Plain data. */
export interface ReuseRequest {
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    readonly loadBalancerId: string;
    readonly namespace: string;
    readonly name: string;
    readonly clusterId: string;
    /** UID of the namespace kube-system of the cluster. Absent = unknown, or the cluster moves on purpose: then it is not compared with the instance's tag. */
    readonly clusterUid?: string;
    readonly addressType: "internet" | "intranet";
    /** Absent = whatever the instance has. */
    readonly ipVersion?: "ipv4" | "ipv6" | "DualStack";
    /** VPC of the cluster; absent = unknown. */
    readonly vpcId?: string;
    /** Whether the instance may be in another VPC than the cluster. Default false. */
    readonly crossesVpcs?: boolean;
    /** Whether the listeners for the Service's ports are managed. Annotation force-override-listeners. */
    readonly manageListeners: boolean;
    /** The Service's ports. */
    readonly listeners: readonly ListenerAddress[];
    /** User-managed server groups that the Service's backends join, by the first port of the listener. Annotation vgroup-port. */
    readonly joinedGroups: readonly { readonly vgroupId: string; readonly port: number }[];
    /** Attributes that are immutable and that the Service sets; they must be the instance's own. By the names of their annotations. */
    readonly fixed: Readonly<Partial<Record<"masterZoneid" | "slaveZoneid" | "resourceGroupId" | "ip", string>>>;
    readonly attributes: ReusedAttributes;
    readonly additionalTags: Readonly<Record<string, string>>;
    /** Whether pods are attached directly. */
    readonly attachesPods: boolean;
    /** What a group must hold that the Service's backends can join; absent for a CLB, whose groups hold everything. */
    readonly groupType?: "Instance" | "Ip";
    /** Addresses that the Service's status names; empty = it is not bound yet. */
    readonly boundTo: readonly string[];
    /** Instances that no Service may use, such as the API server's. */
    readonly denied: readonly string[];
}

/** A Service on an instance that it may share with others. */
export interface Tenant {
    /** `namespace/name`. */
    readonly service: string;
    /** What all Services on one instance have in common: its id, or the name that a program gave it. */
    readonly instance: string;
    readonly listeners: readonly ListenerAddress[];
    /** Annotation force-override-listeners, or true on an instance of the program's own. */
    readonly manageListeners: boolean;
    /** Annotation vgroup-port, by the first port of the listener. */
    readonly joinedGroups: readonly { readonly vgroupId: string; readonly port: number }[];
    /** Whether the Cloud Controller Manager whose behaviour is followed lets one Service alone use the instance. Default false. */
    readonly alone?: true;
}
