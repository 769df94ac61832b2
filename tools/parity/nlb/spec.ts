/** Annotations by the request parameter that they set. A parameter that CLB has too has the same annotation. */
export const NLB_ANNOTATION_OF: Readonly<Record<string, string>> = {
    AddressIpVersion: "ip-version",
    Ipv6AddressType: "ipv6-address-type",
    CrossZoneEnabled: "cross-zone-enabled",
    SecurityGroupIds: "security-group-ids",
    BandwidthPackageId: "bandwidth-package-id",
    DeletionProtectionEnabled: "delete-protection",
    Cps: "cps",
    ProxyProtocolEnabled: "proxy-protocol",
    Ppv2VpcIdEnabled: "ppv2-pvl-vpc-id-enabled",
    Ppv2PrivateLinkEpIdEnabled: "ppv2-pvl-ep-id-enabled",
    Ppv2PrivateLinkEpsIdEnabled: "ppv2-pvl-eps-id-enabled",
    CertificateIds: "cert-id",
    AdditionalCertificateIds: "additional-cert-ids",
    CaEnabled: "cacert",
    CaCertificateIds: "cacert-id",
    SecurityPolicyId: "tls-cipher-policy",
    AlpnEnabled: "alpn",
    AlpnPolicy: "alpn-policy",
    ServerGroupType: "server-group-type",
    ConnectionDrainEnabled: "connection-drain",
    PreserveClientIpEnabled: "preserve-client-ip",
    AddressIPVersion: "backend-ip-version",
    HealthCheckEnabled: "health-check-flag",
    HealthCheckConnectPort: "health-check-connect-port",
    HealthCheckUrl: "health-check-uri",
    HttpCheckMethod: "health-check-method",
    HealthCheckHttpVersion: "health-check-http-version",
};

/** Documented defaults that this package sends and CCM does not. */
export const NLB_OWN_DEFAULTS: Readonly<Record<string, string>> = {
    AddressType: "internet",
    DeletionProtectionEnabled: "true",
    ModificationProtectionStatus: "ConsoleProtection",
    ModificationProtectionReason: "managed.by.ack",
    PreserveClientIpEnabled: "true",
};

/** Reports whether a kind of object belongs to NLB: `nlb`, `group`, or the protocol of a listener in capitals. */
export function isNlb(kind: string): boolean {
    return kind === "nlb" || kind === "group" || kind === kind.toUpperCase();
}

/** The value of an annotation as the request parameter has it. */
export function nlbValue(attribute: string, said: string): string {
    const switched = { on: "true", off: "false" }[said.toLowerCase()];
    const value = switched ?? said.split(",").sort().join(",");
    return ANY_CASE.has(attribute) ? value.toLowerCase() : value;
}

/** Request parameters of NLB whose values the cloud accepts in any case. */
export const ANY_CASE: ReadonlySet<string> = new Set([
    "AddressType",
    "Ipv6AddressType",
    "AddressIpVersion",
    "AddressIPVersion",
    "IpVersionAffinityMode",
    "ServerGroupType",
    "Scheduler",
    "HealthCheckType",
    "HttpCheckMethod",
]);
