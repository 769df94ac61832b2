import type { ServiceObject } from "../../provider/service/objects";
import { annotation } from "./annotations";
import { documentedDefault } from "./defaults";
import { NLB_ANNOTATION_OF, NLB_OWN_DEFAULTS, isNlb, nlbValue } from "./nlb/spec";

/** Which annotation an attribute comes from, by the name of the request parameter. */
const ANNOTATION_OF: Readonly<Record<string, string>> = {
    Scheduler: "scheduler",
    AclStatus: "acl-status",
    AclId: "acl-id",
    AclType: "acl-type",
    PersistenceTimeout: "persistence-timeout",
    EstablishedTimeout: "established-timeout",
    IdleTimeout: "idle-timeout",
    RequestTimeout: "request-timeout",
    StickySession: "sticky-session",
    StickySessionType: "sticky-session-type",
    Cookie: "cookie",
    CookieTimeout: "cookie-timeout",
    XForwardedFor_proto: "xforwardedfor-proto",
    XForwardedFor_SLBPORT: "xforwardedfor-slbport",
    XForwardedFor_ClientSrcPort: "xforwardedfor-clientsrcport",
    HealthCheck: "health-check-flag",
    HealthCheckSwitch: "health-check-switch",
    HealthCheckType: "health-check-type",
    HealthCheckInterval: "health-check-interval",
    HealthyThreshold: "healthy-threshold",
    UnhealthyThreshold: "unhealthy-threshold",
    HealthCheckConnectTimeout: "health-check-connect-timeout",
    HealthCheckTimeout: "health-check-timeout",
    HealthCheckDomain: "health-check-domain",
    HealthCheckURI: "health-check-uri",
    HealthCheckHttpCode: "health-check-httpcode",
    HealthCheckMethod: "health-check-method",
    ConnectionDrain: "connection-drain",
    ConnectionDrainTimeout: "connection-drain-timeout",
    ProxyProtocolV2Enabled: "proxy-protocol",
    TLSCipherPolicy: "tls-cipher-policy",
    EnableHttp2: "http2-enabled",
    ServerCertificateId: "cert-id",
    AddressType: "address-type",
    InternetChargeType: "charge-type",
    Bandwidth: "bandwidth",
    InstanceChargeType: "instance-charge-type",
    LoadBalancerSpec: "spec",
    LoadBalancerName: "name",
    DeleteProtection: "delete-protection",
    ModificationProtectionStatus: "modification-protection",
    ResourceGroupId: "resource-group-id",
    ...NLB_ANNOTATION_OF,
};

/** Documented defaults that this package sends and CCM does not. */
const OWN_DEFAULTS: Readonly<Record<string, string>> = {
    Scheduler: "rr",
    AclStatus: "off",
    StickySession: "off",
    HealthCheck: "off",
    AddressType: "internet",
    InstanceChargeType: "PayByCLCU",
    LoadBalancerSpec: "slb.s1.small",
    DeleteProtection: "on",
    ModificationProtectionStatus: "ConsoleProtection",
    ModificationProtectionReason: "managed.by.ack",
    InternetChargeType: "paybytraffic",
    HealthCheckDomain: "$_ip",
    HealthCheckHttpCode: "http_2xx",
    HealthCheckMethod: "head",
    HealthCheckURI: "/",
};

/** The id of the managed security group, which only the cloud knows. */
const GUARD = "its own";

/** The name that only this Service gives its load balancer. */
export const ownName = ({ metadata }: ServiceObject): string =>
    `a${(metadata.uid ?? "").replaceAll("-", "")}`.slice(0, 32);

/** The annotation that an attribute comes from. */
export function annotationOf(attribute: string): string | undefined {
    return ANNOTATION_OF[attribute];
}

/** Returns the value of an attribute by annotation or by documented default, if there is one. */
export function specOf(service: ServiceObject, kind: string, attribute: string): string | undefined {
    const suffix = annotationOf(attribute);
    const said = suffix === undefined ? undefined : annotation(service, suffix);
    if (attribute === "LoadBalancerName" && said === undefined) return ownName(service);
    if (isNlb(kind)) {
        if (attribute === "SecurityGroupIds" && (service.spec?.loadBalancerSourceRanges?.length ?? 0) > 0) return GUARD;
        return said === undefined
            ? (documentedDefault(kind, attribute) ?? NLB_OWN_DEFAULTS[attribute])
            : nlbValue(attribute, said);
    }
    if (said === undefined) return documentedDefault(kind, attribute) ?? OWN_DEFAULTS[attribute];
    return attribute === "ProxyProtocolV2Enabled" ? String(said === "on") : said;
}
