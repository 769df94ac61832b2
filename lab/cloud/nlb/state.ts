import type { JsonObject, Transition } from "../core";

/** Zone of an NLB instance with the addresses that it has there. */
export interface ZoneMapping {
    zoneId: string;
    vSwitchId: string;
    allocationId: string;
    publicAddress: string;
    privateAddress: string;
    ipv6Address: string;
    eniId: string;
    ipv4LocalAddresses: string[];
    ipv6LocalAddresses: string[];
}

/** An NLB instance. */
export interface NlbLoadBalancer {
    readonly id: string;
    name: string;
    type: string;
    addressType: string;
    addressIpVersion: string;
    ipv6AddressType: string;
    vpcId: string;
    zones: ZoneMapping[];
    bandwidthPackageId: string;
    crossZoneEnabled: boolean;
    cps: number | undefined;
    resourceGroupId: string;
    payType: string;
    deletionProtection: { enabled: boolean; enabledTime: string; reason: string };
    modificationProtection: { status: string; enabledTime: string; reason: string };
    securityGroupIds: string[];
    dnsName: string;
    /** `Provisioning`, `Active`, `Configuring`, `Inactive`, `CreateFailed`. */
    status: Transition<string>;
    tags: Map<string, string>;
    createdAt: number;
}

/** NLB listener: a port, or a range of ports, of an instance. */
export interface NlbListener {
    readonly id: string;
    readonly loadBalancerId: string;
    readonly protocol: string;
    readonly port: number;
    readonly startPort: number | undefined;
    readonly endPort: number | undefined;
    serverGroupId: string;
    /** The group that a job under way will switch to. */
    nextServerGroupId?: string;
    description: string;
    idleTimeout: number;
    securityPolicyId: string;
    certificateIds: string[];
    caCertificateIds: string[];
    additionalCertificateIds: string[];
    caEnabled: boolean;
    alpnEnabled: boolean;
    alpnPolicy: string;
    proxyProtocolEnabled: boolean;
    proxyProtocolV2Config: Record<string, boolean>;
    secSensorEnabled: boolean;
    cps: number | undefined;
    mss: number;
    /** `Provisioning`, `Running`, `Configuring`, `Stopping`, `Stopped`, `Starting`. */
    status: Transition<string>;
    tags: Map<string, string>;
}

export interface NlbServer {
    serverId: string;
    serverType: string;
    serverIp: string;
    port: number;
    weight: number;
    description: string;
    zoneId: string;
    /** `Adding`, `Available`, `Configuring`, `Removing`. */
    status: Transition<string>;
}

export interface NlbHealthCheck {
    HealthCheckEnabled: boolean;
    HealthCheckType: string;
    HealthCheckConnectPort: number;
    HealthyThreshold: number;
    UnhealthyThreshold: number;
    HealthCheckConnectTimeout: number;
    HealthCheckInterval: number;
    HealthCheckDomain: string;
    HealthCheckUrl: string;
    HttpCheckMethod: string;
    HealthCheckHttpCode: string[];
    HealthCheckReq: string;
    HealthCheckExp: string;
    HealthCheckHttpVersion: string;
}

/** NLB server group. It belongs to a VPC, not to an instance. */
export interface NlbServerGroup {
    readonly id: string;
    name: string;
    readonly type: string;
    readonly protocol: string;
    readonly vpcId: string;
    readonly anyPortEnabled: boolean;
    readonly addressIpVersion: string;
    ipVersionAffinityMode: string;
    connectionDrainEnabled: boolean;
    connectionDrainTimeout: number;
    scheduler: string;
    preserveClientIpEnabled: boolean;
    resourceGroupId: string;
    healthCheck: NlbHealthCheck;
    servers: NlbServer[];
    /** `Creating`, `Available`, `Configuring`, `Deleting`. */
    status: Transition<string>;
    /** Until when a further change is refused. */
    lockedUntil: number;
    tags: Map<string, string>;
    createdAt: number;
}

/** An asynchronous task. */
export interface Job {
    readonly id: string;
    readonly action: string;
    readonly resourceId: string;
    readonly resourceType: string;
    readonly status: Transition<string>;
    readonly startedAt: number;
}

/** Effect of a job at its end. */
export interface Pending {
    readonly at: number;
    readonly run: () => void;
}

export interface NlbState {
    loadBalancers: Map<string, NlbLoadBalancer>;
    listeners: Map<string, NlbListener>;
    serverGroups: Map<string, NlbServerGroup>;
    jobs: Map<string, Job>;
    /** Ends of jobs that are still to come, in order of time. */
    pending: Pending[];
    /** Client token of a creating call: what it answered and what it asked for. */
    clientTokens: Map<string, { request: string; answer: JsonObject }>;
}

export function emptyNlb(): NlbState {
    return {
        loadBalancers: new Map(),
        listeners: new Map(),
        serverGroups: new Map(),
        jobs: new Map(),
        pending: [],
        clientTokens: new Map(),
    };
}
