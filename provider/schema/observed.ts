/** Load balancers as observed in the cloud, and what Services request of them. Plain data. */

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
