/** A limit of the cloud that no account can have raised. */
interface FixedLimit {
    readonly most: number;
    /** Document and section, or API action and parameter. */
    readonly source: string;
}

/**
 * Fixed numbers and lengths that a Service can exceed. `check`, runs and the policy pack refuse what exceeds them,
 * before the first call. Quotas that an account can have raised are in `QUOTAS`, and refuse nothing. Ranges of numbers
 * are in the catalogue of annotations.
 */
export const LIMITS = {
    tags: { most: 20, source: "SLB API and NLB API, TagResources, tags of an instance" },
    clbTagKey: { most: 128, source: "SLB API, TagResources, Tag.N.Key" },
    nlbTagKey: { most: 64, source: "NLB API, CreateLoadBalancer and TagResources, Tag.N.Key" },
    tagValue: { most: 128, source: "SLB API and NLB API, TagResources, Tag.N.Value" },
    instanceName: { most: 128, source: "SLB API and NLB API, CreateLoadBalancer, LoadBalancerName" },
    checkUri: { most: 80, source: "SLB API, CreateLoadBalancerTCPListener, HealthCheckURI; NLB API, HealthCheckUrl" },
    checkDomain: { most: 80, source: "SLB API and NLB API, HealthCheckDomain" },
    cookie: { most: 200, source: "SLB API, CreateLoadBalancerHTTPListener, Cookie" },
    extraDomains: { most: 10, source: "CLB quotas, slb_quota_domain_extensions_num, the most that can be applied for" },
    listEntries: { most: 300, source: "SLB API, CreateAccessControlList, entries of a list" },
    securityGroups: { most: 4, source: "NLB API, LoadBalancerJoinSecurityGroup" },
    securityGroupRules: { most: 200, source: "ECS quotas, enterprise security group" },
    zones: { most: 10, source: "NLB API, CreateLoadBalancer, ZoneMappings" },
    udpIdleSeconds: { most: 90, source: "NLB API, CreateListener, IdleTimeout" },
    serverGroupName: { most: 128, source: "NLB API, CreateServerGroup, ServerGroupName" },
} as const satisfies Readonly<Record<string, FixedLimit>>;

/** Tags of this package on the instance of a Service, own or reused. */
export const OWN_TAGS = 2;
