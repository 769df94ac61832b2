/** Load balancers as observed in the cloud, and what Services request of them. Plain data. */

import type { Backend } from "./backend";
import type { ListenerAddress } from "./listener-address";
import type { DomainExtension, ZoneMap } from "./settings";

export interface ObservedListener extends ListenerAddress {
    /** Absent on a CLB. */
    readonly id?: string;
    /** Ownership key of a managed listener, empty if it has none. */
    readonly description: string;
    readonly serverGroupId?: string;
    /** HTTPS port that it redirects to. */
    readonly forwardPort?: number;
}

/** Desired listener as it is observed: with the cloud's ids for the Service's keys. */
export type AsObserved<Listener extends { readonly key: string; readonly serverGroup: string }> = Omit<
    Listener,
    "key" | "serverGroup" | "description"
> &
    ObservedListener;

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

/** Attributes of an instance, absent if the cloud does not report them or its type does not have them. */
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
    /**
     * `active`, `inactive`, `locked`, and for an NLB also `provisioning`, `configuring`, `createfailed`, `deleting`.
     */
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
    /** New connections per second of an NLB. If absent, there is no limit. */
    readonly cps?: number;
}

/** Instance with its listeners and server groups. */
export interface ObservedLoadBalancer extends ObservedAttributes {
    readonly tags: Readonly<Record<string, string>>;
    readonly listeners: readonly ObservedListener[];
    /** All for a CLB. For an NLB those of its listeners and those that a Service names. */
    readonly serverGroups: readonly ObservedServerGroup[];
}

/** Certificate of a further domain of an HTTPS listener. */
export interface ObservedDomainExtension extends DomainExtension {
    readonly id: string;
}
