import type { ListenerProtocol } from "./protocols";

export type OnOff = "on" | "off";

/** Pair of `protocol:port`. */
export interface ProtocolPort {
    readonly protocol: ListenerProtocol;
    readonly port: number;
}

/** Redirect from an HTTP listener port to an HTTPS listener port. */
export interface ForwardPort {
    readonly http: number;
    readonly https: number;
}

/** An additional certificate of an HTTPS listener. */
export interface DomainExtension {
    readonly domain: string;
    readonly certId: string;
}

/** An existing vServer group that serves a Service port. */
export interface VgroupPort {
    readonly vgroupId: string;
    readonly port: number;
}

/** A zone mapping of an NLB: the zone, its vSwitch and its addresses. */
export interface ZoneMap {
    readonly zoneId: string;
    readonly vswitchId: string;
    /** Absent: the cloud chooses one of the vSwitch. */
    readonly privateIpv4?: string;
    /** Elastic IP address of the zone. If absent, the cloud allocates an address where the load balancer is public. */
    readonly allocationId?: string;
}

/** Ports of the listener of a Service port, both ends included. */
export interface PortRange {
    readonly from: number;
    readonly to: number;
    /** The Service port. */
    readonly port: number;
}

export type AlpnPolicy = "HTTP1Only" | "HTTP2Only" | "HTTP2Optional" | "HTTP2Preferred";

export type HttpCode = "http_2xx" | "http_3xx" | "http_4xx" | "http_5xx";

export type TlsCipherPolicy =
    | "tls_cipher_policy_1_0"
    | "tls_cipher_policy_1_1"
    | "tls_cipher_policy_1_2"
    | "tls_cipher_policy_1_2_strict"
    | "tls_cipher_policy_1_2_strict_with_1_3";

/** Custom TLS policy of NLB listeners. */
export type CustomTlsPolicy = `tls-${string}`;

/**
 * Settings of the load balancer of a Service. Every field represents the annotation of the same name (`healthCheckUri`
 * for `service.beta.kubernetes.io/alibaba-cloud-loadbalancer-health-check-uri`). The only exception is `backendType`
 * for `service.beta.kubernetes.io/backend-type`. Meaning, range, default and source are in its catalogue row and in
 * `docs/annotations.md`. Times are in seconds. Defaults are applied when the desired model is built.
 */
export interface Settings {
    readonly addressType?: "internet" | "intranet";
    readonly vswitchId?: string;
    readonly instanceChargeType?: "PayBySpec" | "PayByCLCU";
    readonly spec?: string;
    readonly chargeType?: "paybytraffic" | "paybybandwidth";
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly id?: string;
    readonly forceOverrideListeners?: "true" | "false";
    readonly masterZoneid?: string;
    readonly slaveZoneid?: string;
    readonly ip?: string;
    readonly ipVersion?: "ipv4" | "ipv6" | "DualStack";
    readonly additionalResourceTags?: Readonly<Record<string, string>>;
    readonly name?: string;
    readonly resourceGroupId?: string;
    readonly deleteProtection?: OnOff;
    readonly modificationProtection?: "ConsoleProtection" | "NonProtection";
    /** Any text preserves the instance, even `"false"`. */
    readonly preserveLbOnDelete?: string;
    readonly hostname?: string;
    readonly protocolPort?: readonly ProtocolPort[];
    readonly scheduler?: "rr" | "wrr" | "sch" | "tch" | "wlc" | "qch";
    readonly aclStatus?: OnOff;
    readonly aclId?: string;
    readonly aclType?: "white" | "black";
    /** 0 switches persistence off. */
    readonly persistenceTimeout?: number;
    readonly stickySession?: OnOff;
    readonly stickySessionType?: "insert" | "server";
    readonly cookieTimeout?: number;
    readonly cookie?: string;
    readonly certId?: string;
    readonly forwardPort?: readonly ForwardPort[];
    readonly domainExtensions?: readonly DomainExtension[];
    readonly tlsCipherPolicy?: TlsCipherPolicy | CustomTlsPolicy;
    readonly http2Enabled?: OnOff;
    readonly proxyProtocol?: OnOff;
    readonly connectionDrain?: OnOff;
    readonly connectionDrainTimeout?: number;
    readonly xforwardedforProto?: OnOff;
    readonly xforwardedforSlbport?: OnOff;
    readonly xforwardedforClientsrcport?: OnOff;
    readonly idleTimeout?: number;
    readonly requestTimeout?: number;
    readonly establishedTimeout?: number;
    readonly healthCheckSwitch?: OnOff;
    readonly healthCheckFlag?: OnOff;
    readonly healthCheckType?: "tcp" | "http" | "udp";
    readonly healthCheckUri?: string;
    readonly healthCheckHttpVersion?: "HTTP1.0" | "HTTP1.1";
    readonly healthCheckHttpcode?: readonly HttpCode[];
    readonly healthCheckDomain?: string;
    readonly healthCheckMethod?: "head" | "get";
    readonly healthCheckConnectTimeout?: number;
    readonly healthCheckTimeout?: number;
    readonly healthCheckInterval?: number;
    readonly healthyThreshold?: number;
    readonly unhealthyThreshold?: number;
    readonly backendLabel?: Readonly<Record<string, string>>;
    readonly removeUnscheduledBackend?: OnOff;
    readonly backendType?: "eni" | "ecs";
    readonly vgroupPort?: readonly VgroupPort[];
    readonly weight?: number;
    readonly ignoreWeightUpdate?: OnOff;
    readonly serverGroupType?: "Ip" | "Instance";
    readonly zoneMaps?: readonly ZoneMap[];
    readonly ipv6AddressType?: "internet" | "intranet";
    readonly crossZoneEnabled?: OnOff;
    readonly securityGroupIds?: readonly string[];
    readonly bandwidthPackageId?: string;
    readonly listenerPortRange?: readonly PortRange[];
    /** New connections per second. 0 means no limit. */
    readonly cps?: number;
    readonly ppv2PvlVpcIdEnabled?: OnOff;
    readonly ppv2PvlEpIdEnabled?: OnOff;
    readonly ppv2PvlEpsIdEnabled?: OnOff;
    readonly additionalCertIds?: readonly string[];
    readonly cacert?: OnOff;
    readonly cacertId?: string;
    readonly alpn?: OnOff;
    readonly alpnPolicy?: AlpnPolicy;
    readonly preserveClientIp?: OnOff;
    readonly healthCheckConnectPort?: number;
    readonly backendIpVersion?: "ipv4" | "ipv6" | "dualstack";
    readonly defaultWeight?: number;
    readonly gracefulShutdown?: "true" | "false";
    readonly type?: "clb" | "nlb";
    readonly networkType?: "vpc" | "classic";
    readonly externalIpType?: "eip";
}

export type SettingName = keyof Settings;

export type SettingValue<Name extends SettingName> = NonNullable<Settings[Name]>;

/**
 * Settings that are fixed when the instance is created. The contract refuses a change at preview. Sources: "Configure
 * CLB using annotations" (zones, IP, IP version, resource group), "FAQ about Services" (address type, instance).
 */
export type ImmutableFields = Readonly<Record<string, string>>;
