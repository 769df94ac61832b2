/** The compared state of NLB in the simulated cloud. */

/** One zone of an instance. */
export interface NlbZone {
    readonly zoneId: string;
    readonly vSwitchId: string;
    readonly allocationId: string;
    readonly privateAddress: string;
}

/** An instance. */
export interface NlbLoadBalancer {
    readonly id: string;
    readonly name: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly ipv6AddressType: string;
    readonly vpcId: string;
    readonly zones: readonly NlbZone[];
    readonly bandwidthPackageId: string;
    readonly crossZoneEnabled: boolean;
    readonly resourceGroupId: string;
    readonly deletionProtection: { readonly enabled: boolean };
    readonly modificationProtection: { readonly status: string; readonly reason: string };
    readonly securityGroupIds: readonly string[];
    readonly dnsName: string;
    readonly tags: Readonly<Record<string, string>>;
}

/** A listener; one for a range of ports has port 0. */
export interface NlbListener {
    readonly id: string;
    readonly loadBalancerId: string;
    readonly protocol: string;
    readonly port: number;
    readonly startPort?: number;
    readonly endPort?: number;
    readonly serverGroupId: string;
    readonly description: string;
    readonly idleTimeout: number;
    readonly cps?: number;
    readonly securityPolicyId: string;
    readonly certificateIds: readonly string[];
    readonly caCertificateIds: readonly string[];
    readonly additionalCertificateIds: readonly string[];
    readonly caEnabled: boolean;
    readonly alpnEnabled: boolean;
    readonly alpnPolicy: string;
    readonly proxyProtocolEnabled: boolean;
    readonly proxyProtocolV2Config: Readonly<Record<string, boolean>>;
    readonly status: string;
}

/** A server group. It belongs to a VPC, not to an instance. */
export interface NlbServerGroup {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly protocol: string;
    readonly vpcId: string;
    readonly anyPortEnabled: boolean;
    readonly addressIpVersion: string;
    readonly ipVersionAffinityMode: string;
    readonly connectionDrainEnabled: boolean;
    readonly connectionDrainTimeout: number;
    readonly scheduler: string;
    readonly preserveClientIpEnabled: boolean;
    readonly resourceGroupId: string;
    readonly healthCheck: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    readonly servers: readonly {
        readonly serverId: string;
        readonly serverType: string;
        readonly serverIp: string;
        readonly port: number;
        readonly weight: number;
        readonly description: string;
    }[];
    readonly tags: Readonly<Record<string, string>>;
}

/** A security group with its ingress rules. */
export interface SecurityGroup {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly vpcId: string;
    readonly type: string;
    readonly permissions: readonly {
        readonly direction: string;
        readonly policy: string;
        readonly priority: string;
        readonly ipProtocol: string;
        readonly portRange: string;
        readonly sourceCidrIp: string;
        readonly ipv6SourceCidrIp: string;
        readonly description: string;
    }[];
    readonly tags: Readonly<Record<string, string>>;
}

/** All objects of NLB. */
export interface NlbState {
    readonly loadBalancers: readonly NlbLoadBalancer[];
    readonly listeners: readonly NlbListener[];
    readonly serverGroups: readonly NlbServerGroup[];
    readonly securityGroups: readonly SecurityGroup[];
}

/** A cloud without NLB. */
export const NO_NLB: NlbState = { loadBalancers: [], listeners: [], serverGroups: [], securityGroups: [] };

/** Takes the state of a cloud apart. Jobs, locks and the like are left out, as they change by themselves. */
export function nlbStateOf({
    nlb,
    ecs,
}: {
    readonly nlb: Omit<NlbState, "securityGroups">;
    readonly ecs: Pick<NlbState, "securityGroups">;
}): NlbState {
    const { loadBalancers, listeners } = nlb;
    const serverGroups = nlb.serverGroups.map((group) => ({ ...group, lockedUntil: 0 }));
    return { loadBalancers, listeners, serverGroups, securityGroups: ecs.securityGroups };
}
