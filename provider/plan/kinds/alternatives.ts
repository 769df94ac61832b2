import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { SettingName } from "../../schema/settings";

const PRICE =
    "remove it: an NLB is paid for by usage; a limit of public bandwidth is set by a shared bandwidth package (bandwidth-package-id)";
const PLACE = "remove it: zone-maps names zones, vSwitches and addresses";
const ACCESS = "remove it: restrict clients by security-group-ids, or by spec.loadBalancerSourceRanges";
const COOKIES =
    "remove it: an NLB knows no HTTP; scheduler: sch keeps a client's address on one backend, cookies need an ALB or an Ingress";
const HTTP = "remove it: an NLB knows no HTTP; do it in the backends, or use an ALB or an Ingress";
const CLIENT = "remove it: preserve-client-ip (the default) or proxy-protocol tell backends who the client is";

/** What takes the place of a CLB's setting on an NLB. */
const ON_NLB: Partial<Readonly<Record<SettingName, string>>> = {
    vswitchId: PLACE,
    masterZoneid: PLACE,
    slaveZoneid: PLACE,
    ip: PLACE,
    instanceChargeType: PRICE,
    spec: PRICE,
    chargeType: PRICE,
    bandwidth: PRICE,
    hostname: "remove it: an NLB has a DNS name, which the Service's status shows",
    externalIpType: "remove it: an elastic IP address of your own is named in zone-maps",
    aclStatus: ACCESS,
    aclId: ACCESS,
    aclType: ACCESS,
    persistenceTimeout: "remove it; scheduler: sch keeps a client's address on one backend",
    stickySession: COOKIES,
    stickySessionType: COOKIES,
    cookieTimeout: COOKIES,
    cookie: COOKIES,
    establishedTimeout: "use idle-timeout",
    forwardPort: HTTP,
    domainExtensions: "use protocol-port: tcpssl and additional-cert-ids",
    http2Enabled: "use protocol-port: tcpssl and alpn with alpn-policy",
    requestTimeout: HTTP,
    xforwardedforProto: CLIENT,
    xforwardedforSlbport: CLIENT,
    xforwardedforClientsrcport: CLIENT,
    healthCheckSwitch: "use health-check-flag",
    healthCheckTimeout: "use health-check-connect-timeout",
};

/** What takes the place of an NLB's setting on a CLB. */
const ON_CLB: Partial<Readonly<Record<SettingName, string>>> = {
    zoneMaps: "remove it: vswitch-id places an internal CLB, master-zoneid and slave-zoneid a public one",
    securityGroupIds: "remove it: restrict clients by acl-id, or by spec.loadBalancerSourceRanges",
    bandwidthPackageId: "remove it: charge-type and bandwidth say how traffic is paid for",
    preserveClientIp: "remove it: with externalTrafficPolicy Local, or pods as backends, they see the client's address",
    additionalCertIds: "use domain-extensions",
    listenerPortRange: "remove it: list the ports in spec.ports",
};

/** What to do about a setting that the other kind of load balancer does not have. */
export function alternativeOf(field: SettingName, to: LoadBalancerType): string {
    return (to === "nlb" ? ON_NLB : ON_CLB)[field] ?? "remove it";
}
