/** Of a listener of any protocol. */
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
 * Sources: NLB API, CreateLoadBalancer, CreateListener and CreateServerGroup; "Configure NLB using annotations".
 */
export const NLB_DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
