/** Sources: CLB API, CreateLoadBalancer and CreateLoadBalancer…Listener, and "Configure CLB using annotations". */
const L4 = {
    AclStatus: "off",
    HealthyThreshold: "3",
    UnhealthyThreshold: "3",
    HealthCheckInterval: "2",
    HealthCheckConnectTimeout: "5",
    PersistenceTimeout: "0",
    HealthCheckSwitch: "on",
    ConnectionDrain: "off",
    ProxyProtocolV2Enabled: "false",
};
const L7 = {
    AclStatus: "off",
    HealthyThreshold: "3",
    UnhealthyThreshold: "3",
    HealthCheckInterval: "2",
    HealthCheckTimeout: "5",
    IdleTimeout: "15",
    RequestTimeout: "60",
    Gzip: "on",
    XForwardedFor: "on",
    XForwardedFor_SLBIP: "off",
    XForwardedFor_SLBID: "off",
    XForwardedFor_proto: "off",
    XForwardedFor_SLBPORT: "off",
    XForwardedFor_ClientSrcPort: "off",
    HealthCheckHttpCode: "http_2xx",
    HealthCheckURI: "/",
};

/** Defaults of a listener of any protocol. */
const LISTENER = {
    Cps: "0",
    ProxyProtocolEnabled: "false",
    Ppv2VpcIdEnabled: "false",
    Ppv2PrivateLinkEpIdEnabled: "false",
    Ppv2PrivateLinkEpsIdEnabled: "false",
};

/**
 * Defaults of the attributes of an NLB. Values in any case are in small letters.
 *
 * Sources: NLB API, CreateLoadBalancer, CreateListener and CreateServerGroup, and "Configure NLB using annotations".
 */
const NLB_DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    nlb: { AddressIpVersion: "ipv4", CrossZoneEnabled: "true", SecurityGroupIds: "", BandwidthPackageId: "" },
    TCP: { ...LISTENER, IdleTimeout: "900" },
    UDP: LISTENER,
    TCPSSL: {
        ...LISTENER,
        IdleTimeout: "900",
        SecurityPolicyId: "tls_cipher_policy_1_0",
        CaEnabled: "false",
        AlpnEnabled: "false",
    },
    group: {
        ServerGroupType: "instance",
        Scheduler: "wrr",
        AddressIPVersion: "ipv4",
        ConnectionDrainEnabled: "false",
        HealthCheckEnabled: "true",
        HealthCheckType: "tcp",
        HealthCheckConnectPort: "0",
        HealthCheckConnectTimeout: "5",
        HealthCheckInterval: "10",
        HealthyThreshold: "2",
        UnhealthyThreshold: "2",
    },
};

const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    instance: { AddressIPVersion: "ipv4", InternetChargeType: "paybytraffic" },
    tcp: { ...L4, EstablishedTimeout: "900", HealthCheckType: "tcp" },
    udp: L4,
    http: { ...L7, ListenerForward: "off" },
    https: { ...L7, EnableHttp2: "on", TLSCipherPolicy: "tls_cipher_policy_1_0" },
    ...NLB_DEFAULTS,
};

/**
 * Returns the documented default of an attribute, if there is one.
 *
 * @param kind `instance` or a listener's protocol for CLB, `nlb`, the protocol in capitals or `group` for NLB
 * @param name of the request parameter
 */
export function documentedDefault(kind: string, name: string): string | undefined {
    return DEFAULTS[kind]?.[name];
}
