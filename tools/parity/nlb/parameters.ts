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
