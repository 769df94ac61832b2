/** The load balancer instance that a Service asks for, in the cloud's terms. Plain data. */
export interface ClbLoadBalancer {
    /** Name from the annotation; absent = derived from the Service's UID ({@link defaultLoadBalancerName}). */
    readonly name?: string;
    readonly addressType: "internet" | "intranet";
    /** How the vSwitch is found; only for `intranet`. */
    readonly vswitch?: VSwitchSelector;
    /** Static address; only for `intranet`. Absent = the cloud chooses. */
    readonly address?: string;
    readonly ipVersion: "ipv4" | "ipv6";
    /** Primary and secondary zone; absent = the cloud chooses. */
    readonly masterZoneId?: string;
    readonly slaveZoneId?: string;
    /** Absent = the cloud chooses. */
    readonly resourceGroupId?: string;
    readonly instanceChargeType: "PayBySpec" | "PayByCLCU";
    /** Only for `PayBySpec`. */
    readonly spec?: string;
    /** Only for `internet`. */
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
    /** Mbps; only for `PayByBandwidth`. */
    readonly bandwidth?: number;
    readonly deleteProtection: "on" | "off";
    readonly modificationProtection: "ConsoleProtection" | "NonProtection";
    readonly additionalTags: Readonly<Record<string, string>>;
    /** The instance is preserved when its Service is deleted. */
    readonly preserve: boolean;
    /** Address ranges that may connect, for an access control list of our own; empty = no list. */
    readonly sourceRanges: readonly string[];
}

/** The vSwitch of an internal instance: a named one, or one of the cluster's, found by a rule. */
export interface VSwitchSelector {
    readonly named?: string;
    /** In the cluster's order. */
    readonly candidates: readonly string[];
    /** `first`: whatever its state. `available`: the first one with a free address. Source: "Configure CLB using annotations", internal CLB instance. */
    readonly rule: "first" | "available";
}

/**
 * Settings that are fixed when the instance is created. A change needs a new instance, so the contract refuses it at preview.
 * Source: "Configure CLB using annotations" (zones, IP, IP version, resource group cannot be changed) and "FAQ about Services" (address type, instance).
 */
export type ImmutableFields = Readonly<Record<string, string>>;
