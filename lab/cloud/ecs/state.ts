/** Virtual machine, which may be a cluster node. */
export interface Instance {
    readonly id: string;
    name: string;
    vpcId: string;
    vSwitchId: string;
    zoneId: string;
    privateIp: string;
    /** `Running`, `Stopped`, …. Only running instances can become backends. */
    status: string;
    tags: Map<string, string>;
}

/** Network interface (ENI). Pods of a Terway cluster have its addresses. */
export interface NetworkInterface {
    readonly id: string;
    instanceId: string;
    vpcId: string;
    vSwitchId: string;
    zoneId: string;
    /** `Primary`, `Secondary` or `Trunk`. */
    type: string;
    /** `InUse`, `Available`, … */
    status: string;
    /** Private IPv4 addresses, the primary address first. */
    privateIps: string[];
    ipv6Addresses: string[];
    tags: Map<string, string>;
}

/** Inbound or outbound rule of a security group. */
export interface Permission {
    readonly id: string;
    direction: "ingress" | "egress";
    policy: string;
    priority: string;
    ipProtocol: string;
    portRange: string;
    sourceCidrIp: string;
    ipv6SourceCidrIp: string;
    description: string;
    nicType: string;
}

export interface SecurityGroup {
    readonly id: string;
    name: string;
    description: string;
    vpcId: string;
    type: string;
    resourceGroupId: string;
    permissions: Permission[];
    tags: Map<string, string>;
}

export interface EcsState {
    instances: Map<string, Instance>;
    networkInterfaces: Map<string, NetworkInterface>;
    securityGroups: Map<string, SecurityGroup>;
}

export function emptyEcs(): EcsState {
    return { instances: new Map(), networkInterfaces: new Map(), securityGroups: new Map() };
}
