import type { ZoneMap } from "../../schema/settings";

/** Whether an NLB is public or internal, as the API writes it. Source: NLB API, CreateLoadBalancer, AddressType. */
export type NlbAddressType = "Internet" | "Intranet";

/** An address type of an annotation as the API writes it. */
export const nlbAddressType = (word: "internet" | "intranet"): NlbAddressType =>
    word === "internet" ? "Internet" : "Intranet";

/** The NLB instance that a Service asks for, in the cloud's terms. Plain data. */
export interface NlbLoadBalancer {
    /** Name from the annotation; absent = derived from the Service's UID. */
    readonly name?: string;
    /** VPC of the cluster, where it is known; absent = that of the vSwitches. */
    readonly vpcId?: string;
    readonly addressType: NlbAddressType;
    readonly ipVersion: "ipv4" | "DualStack";
    /** Only for `DualStack`. */
    readonly ipv6AddressType?: NlbAddressType;
    /** At least two. */
    readonly zones: readonly ZoneMap[];
    /** Whether traffic crosses zones. */
    readonly crossZone: boolean;
    /** Security groups by annotation; the one of the source ranges comes to them. */
    readonly securityGroupIds: readonly string[];
    /** Internet Shared Bandwidth package; absent = none. */
    readonly bandwidthPackageId?: string;
    /** Absent = the cloud chooses. */
    readonly resourceGroupId?: string;
    readonly deleteProtection: boolean;
    readonly modificationProtection: "ConsoleProtection" | "NonProtection";
    readonly additionalTags: Readonly<Record<string, string>>;
    /** The instance, its listeners and its server groups are preserved when the Service is deleted. */
    readonly preserve: boolean;
    /** Address ranges that may connect, for a security group of our own; empty = no group. */
    readonly sourceRanges: readonly string[];
}
