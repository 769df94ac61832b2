import assert from "node:assert/strict";
import { countByAction, type Session } from "../../lab";

/** State of the simulated cloud that the tests read. */
export interface CloudState {
    readonly slb: {
        readonly loadBalancers: readonly CloudInstance[];
        readonly listeners: readonly CloudListener[];
        readonly vServerGroups: readonly {
            id: string;
            loadBalancerId: string;
            name: string;
            backends: readonly CloudBackend[];
        }[];
        readonly domainExtensions: readonly {
            loadBalancerId: string;
            listenerPort: number;
            domain: string;
            certificateId: string;
        }[];
        readonly acls: readonly {
            id: string;
            name: string;
            ipVersion: string;
            entries: Record<string, unknown> | readonly unknown[];
        }[];
    };
    readonly nlb: {
        readonly loadBalancers: readonly NlbInstance[];
        readonly listeners: readonly NlbCloudListener[];
        readonly serverGroups: readonly NlbGroup[];
    };
    readonly ecs: { readonly securityGroups: readonly CloudSecurityGroup[] };
}

/** An NLB in the simulated cloud. */
export interface NlbInstance {
    readonly id: string;
    readonly name: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly ipv6AddressType: string;
    readonly resourceGroupId: string;
    readonly zones: readonly {
        zoneId: string;
        vSwitchId: string;
        privateAddress: string;
        allocationId: string;
        publicAddress: string;
    }[];
    readonly bandwidthPackageId: string;
    readonly crossZoneEnabled: boolean;
    readonly deletionProtection: { enabled: boolean };
    readonly modificationProtection: { status: string };
    readonly securityGroupIds: readonly string[];
    readonly dnsName: string;
    readonly tags: Record<string, string>;
}

/** A listener of an NLB in the simulated cloud. */
export interface NlbCloudListener {
    readonly id: string;
    readonly loadBalancerId: string;
    readonly protocol: string;
    readonly port: number;
    readonly startPort?: number;
    readonly endPort?: number;
    readonly serverGroupId: string;
    readonly description: string;
    readonly idleTimeout: number;
    readonly securityPolicyId: string;
    readonly certificateIds: readonly string[];
    readonly additionalCertificateIds: readonly string[];
    readonly caEnabled: boolean;
    readonly caCertificateIds: readonly string[];
    readonly alpnEnabled: boolean;
    readonly alpnPolicy: string;
    readonly proxyProtocolEnabled: boolean;
    readonly proxyProtocolV2Config: Readonly<Record<string, boolean>>;
    readonly cps?: number;
}

/** A server group of an NLB in the simulated cloud. */
export interface NlbGroup {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly protocol: string;
    readonly resourceGroupId: string;
    readonly vpcId: string;
    readonly anyPortEnabled: boolean;
    readonly addressIpVersion: string;
    readonly ipVersionAffinityMode: string;
    readonly connectionDrainEnabled: boolean;
    readonly connectionDrainTimeout: number;
    readonly scheduler: string;
    readonly preserveClientIpEnabled: boolean;
    readonly healthCheck: Record<string, unknown>;
    readonly servers: readonly {
        serverId: string;
        serverType: string;
        serverIp: string;
        port: number;
        weight: number;
        description: string;
    }[];
    readonly tags: Record<string, string>;
}

/** A security group in the simulated cloud. */
export interface CloudSecurityGroup {
    readonly id: string;
    readonly name: string;
    readonly resourceGroupId: string;
    readonly permissions: readonly {
        policy: string;
        priority: string;
        sourceCidrIp: string;
        ipv6SourceCidrIp: string;
    }[];
}

/** An instance in the simulated cloud. */
export interface CloudInstance {
    readonly id: string;
    readonly name: string;
    readonly address: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly vSwitchId: string;
    readonly masterZoneId: string;
    readonly slaveZoneId: string;
    readonly resourceGroupId: string;
    readonly instanceChargeType: string;
    readonly spec: string;
    readonly internetChargeType: string;
    readonly bandwidth: number;
    readonly deleteProtection: string;
    readonly modificationProtectionStatus: string;
    readonly tags: Record<string, string>;
}

/** A listener in the simulated cloud. */
export interface CloudListener {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: string;
    readonly status: string;
    readonly attributes: Record<string, string | number | boolean>;
    readonly aclIds: readonly string[];
}

/** A backend in the simulated cloud. */
export interface CloudBackend {
    readonly serverId: string;
    readonly port: number;
    readonly weight: number;
    readonly type: string;
    readonly serverIp: string;
    readonly description: string;
}

/** Runs an operation and gives the API calls that it made, by action. */
export async function callsOf(session: Session, operation: () => Promise<unknown>): Promise<Record<string, number>> {
    const since = await session.lastCall();
    await operation();
    return countByAction(await session.calls(since));
}

/** Calls of an operation that change something in the cloud, by action. */
export async function writesOf(session: Session, operation: () => Promise<unknown>): Promise<Record<string, number>> {
    const since = await session.lastCall();
    await operation();
    return countByAction((await session.calls(since)).filter(({ mutating }) => mutating));
}

/** The cloud's state. */
export function stateOf(session: Session): Promise<CloudState> {
    return session.cloud<CloudState>("/_state");
}

/** Asserts that no load balancer, group or listener is left. */
export function assertEmpty(state: CloudState): void {
    assert.deepEqual([state.slb.loadBalancers, state.slb.listeners, state.slb.vServerGroups], [[], [], []]);
    assert.deepEqual([state.nlb.loadBalancers, state.nlb.listeners, state.nlb.serverGroups], [[], [], []]);
}
