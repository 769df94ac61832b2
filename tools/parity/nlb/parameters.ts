/** Request parameters of network load balancers whose values the cloud understands in capital and in small letters. */
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
