/** The load balancer instance that a Service asks for, in the cloud's terms. Plain data. */
export interface LoadBalancer {
    /** Name from the annotation; absent = derived from the Service's UID ({@link defaultLoadBalancerName}). */
    readonly name?: string;
    readonly addressType: "internet" | "intranet";
    /** Only for `intranet`. */
    readonly vswitchId?: string;
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
}

/**
 * Settings that are fixed when the instance is created. A change needs a new instance, so the contract refuses it at preview.
 * Source: "Configure CLB using annotations" (zones, IP, IP version, resource group cannot be changed) and "FAQ about Services" (address type, instance).
 */
export type EstablishedFacts = Readonly<Record<string, string>>;
