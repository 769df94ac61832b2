/** The takeover of a load balancer that is there already, as plain data. */
import type { ZoneMap } from "../schema/settings";

/** Ids of observed objects, for the children of a Service to be taken into state instead of being created. What is not named is created. */
export interface Adoption {
    readonly loadBalancerId: string;
    /** Only for an internal instance. */
    readonly vswitchId?: string;
    /** How a CLB is paid for. */
    readonly instanceChargeType?: string;
    /** Access control list of the Service's source ranges. */
    readonly aclId?: string;
    /** Security group of the Service's source ranges, of an NLB. */
    readonly securityGroupId?: string;
    /** Zones of an NLB as they are, where the Service asks for others. */
    readonly zones?: readonly ZoneMap[];
    /** Internet Shared Bandwidth package that an NLB is in. */
    readonly bandwidthPackageId?: string;
    /** By the group's key. */
    readonly serverGroups: Readonly<Record<string, string>>;
    /** By the listener's key. */
    readonly listeners: Readonly<Record<string, string>>;
    /** By `key of the listener/domain`. */
    readonly domainExtensions: Readonly<Record<string, string>>;
    /** Attributes, in the alicloud plugin's words, that are taken over as observed although the Service asks for other values: `instance`, and by the listener's key, and by `group/` and the group's key. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/** Key in {@link Adoption.keep} of a server group. */
export const groupKeep = (key: string): string => `group/${key}`;
