/** The takeover of a load balancer that is there already, as plain data. */
import type { ClbProtocol } from "./clb/listener";
import type { Backends } from "./backend";

/** Ids of observed objects, for the children of a Service to be taken into state instead of being created. What is not named is created. */
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
    /** Attributes, in the alicloud plugin's words, that are taken over as observed although the Service asks for other values: `instance`, and by the listener's key. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/**
 * What becomes of a difference.
 * - refused: the object cannot be taken over like this.
 * - differs: taking it over is refused, unless changes are allowed.
 * - note: taken over all the same; worth knowing.
 */
export type Verdict = "refused" | "differs" | "note";

/** One attribute in which cloud and Service are not equal. */
export interface Divergence {
    readonly verdict: Verdict;
    /** `load balancer`, `listener tcp:80`, `vServer group k8s/30080/…`. */
    readonly object: string;
    readonly setting: string;
    /** As it is; `-` for nothing. */
    readonly cloud: string;
    /** As desired by the Service, or what will become of it. */
    readonly service: string;
}

/** An observed listener, in the API's own names. */
export interface AdoptableListener {
    readonly protocol: ClbProtocol;
    readonly port: number;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly domainExtensions: readonly { readonly id: string; readonly domain: string; readonly certId: string }[];
}

/** An observed vServer group, with those of its backends that are the Service's. */
export interface AdoptableServerGroup {
    readonly id: string;
    readonly name: string;
    readonly backends: Backends;
}
