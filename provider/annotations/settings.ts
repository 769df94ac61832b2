/** What annotations say, typed. */

export type OnOff = "on" | "off";

/** The protocol of a CLB listener. */
export type ListenerProtocol = "tcp" | "udp" | "http" | "https";

/** One `protocol:port` pair. */
export interface ProtocolPort {
    readonly protocol: ListenerProtocol;
    readonly port: number;
}

/** One redirect from an HTTP listener port to an HTTPS listener port. */
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

export type HttpCode = "http_2xx" | "http_3xx" | "http_4xx" | "http_5xx";

export type TlsCipherPolicy =
    "tls_cipher_policy_1_0" | "tls_cipher_policy_1_1" | "tls_cipher_policy_1_2" | "tls_cipher_policy_1_2_strict" | "tls_cipher_policy_1_2_strict_with_1_3";

/**
 * The settings of the load balancer of one Service. Every field stands for the annotation of the same name
 * (`healthCheckUri` for `service.beta.kubernetes.io/alibaba-cloud-loadbalancer-health-check-uri`; the only exception is
 * `backendType` for `service.beta.kubernetes.io/backend-type`); meaning, range, default and source are in its catalogue row and in `docs/annotations.md`.
 * Times are in seconds. A field that is absent is not set, which is not the same as its default: defaults are applied when the desired model is built.
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
    readonly ipVersion?: "ipv4" | "ipv6";
    readonly additionalResourceTags?: Readonly<Record<string, string>>;
    readonly name?: string;
    readonly resourceGroupId?: string;
    readonly deleteProtection?: OnOff;
    readonly modificationProtection?: "ConsoleProtection" | "NonProtection";
    /** Any text preserves the instance, even `"false"`. */
    readonly preserveLbOnDelete?: string;
    readonly hostname?: string;
    readonly protocolPort?: readonly ProtocolPort[];
    readonly scheduler?: "rr" | "wrr" | "sch" | "tch";
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
    readonly tlsCipherPolicy?: TlsCipherPolicy;
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
    readonly healthCheckType?: "tcp" | "http";
    readonly healthCheckUri?: string;
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
}

/** The name of a setting. */
export type SettingName = keyof Settings;

/** The type of a setting's value. */
export type SettingValue<Name extends SettingName> = NonNullable<Settings[Name]>;
