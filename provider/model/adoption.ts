/** The takeover of a load balancer that is there already, as plain data. */

/** Ids of what is there, for the children of a Service to be taken into state instead of being created. What is not named is created. */
export interface Adoption {
    readonly loadBalancerId: string;
    /** Only for an internal instance. */
    readonly vswitchId?: string;
    /** Access control list of the Service's source ranges. */
    readonly aclId?: string;
    /** By the group's key. */
    readonly serverGroups: Readonly<Record<string, string>>;
    /** By the listener's key. */
    readonly listeners: Readonly<Record<string, string>>;
    /** By `key of the listener/domain`. */
    readonly domainExtensions: Readonly<Record<string, string>>;
    /** Attributes, in the alicloud plugin's words, that are taken over as they are although the Service says something else: `instance`, and by the listener's key. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/**
 * What becomes of a difference.
 * - refused: the object cannot be taken over like this.
 * - differs: taking it over is refused, unless the Service's wish was said to be the one that counts.
 * - note: taken over all the same; worth knowing.
 */
export type Verdict = "refused" | "differs" | "note";

/** One thing that is not in the cloud as the Service says. */
export interface Divergence {
    readonly verdict: Verdict;
    /** `load balancer`, `listener tcp:80`, `vServer group k8s/30080/…`. */
    readonly object: string;
    readonly setting: string;
    /** As it is; `-` for nothing. */
    readonly cloud: string;
    /** As the Service says, or what will become of it. */
    readonly service: string;
}
