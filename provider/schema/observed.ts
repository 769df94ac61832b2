/** Load balancers as observed in the cloud, and what Services request of them. Plain data. */

import type { Backend } from "./backend";
import type { ListenerAddress } from "./listener-address";
import type { DomainExtension } from "./settings";

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

/** Attributes that only the desired instance has. The cloud has tags, and lists or rules of its own for ranges. */
type OnlyDesired = "vswitch" | "additionalTags" | "preserve" | "sourceRanges";

/** Desired instance as it is observed. Attributes that the cloud does not report are absent. */
export type InstanceAsObserved<Instance> = Partial<Omit<Instance, OnlyDesired | "address" | "ipVersion">> & {
    readonly id: string;
    /** IP address of a CLB, DNS name of an NLB. */
    readonly address?: string;
    readonly ipVersion?: "ipv4" | "ipv6" | "DualStack";
    readonly vpcId?: string;
    /**
     * `active`, `inactive`, `locked`, and for an NLB also `provisioning`, `configuring`, `createfailed`, `deleting`.
     */
    readonly status?: string;
    readonly modificationProtectionReason?: string;
    readonly tags?: Readonly<Record<string, string>>;
};

/** Certificate of a further domain of an HTTPS listener. */
export interface ObservedDomainExtension extends DomainExtension {
    readonly id: string;
}
