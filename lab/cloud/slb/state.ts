import type { Transition } from "../core";

/** Protocols of CLB listeners, as the API spells them in answers. */
export type Protocol = "tcp" | "udp" | "http" | "https";

export const PROTOCOLS: readonly Protocol[] = ["tcp", "udp", "http", "https"];

/** Member of a server group. */
export interface Backend {
    serverId: string;
    port: number;
    weight: number;
    /** `ecs`, `eni` or `eci`. */
    type: string;
    serverIp: string;
    description: string;
}

/** A CLB instance. */
export interface LoadBalancer {
    readonly id: string;
    name: string;
    address: string;
    addressType: string;
    addressIpVersion: string;
    networkType: string;
    vpcId: string;
    vSwitchId: string;
    /** Mbit/s. */
    bandwidth: number;
    internetChargeType: string;
    instanceChargeType: string;
    /** Empty for a shared-resource instance. */
    spec: string;
    payType: string;
    masterZoneId: string;
    slaveZoneId: string;
    resourceGroupId: string;
    deleteProtection: string;
    modificationProtectionStatus: string;
    modificationProtectionReason: string;
    status: Transition<string>;
    tags: Map<string, string>;
    createdAt: number;
}

export type AttributeValue = string | number | boolean;

/** Listener: a port and protocol of an instance. */
export interface Listener {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: Protocol;
    status: Transition<"stopped" | "starting" | "running" | "stopping" | "configuring">;
    /** Values that can be set, by their names in answers. See `listener-fields.ts`. */
    attributes: Map<string, AttributeValue>;
    aclIds: string[];
    tags: Map<string, string>;
    /** Until when a further change is refused. */
    busyUntil: number;
}

/** A vServer group. */
export interface VServerGroup {
    readonly id: string;
    readonly loadBalancerId: string;
    name: string;
    backends: Backend[];
    tags: Map<string, string>;
    busyUntil: number;
    createdAt: number;
}

/** A list of addresses that a listener lets in or keeps out. */
export interface Acl {
    readonly id: string;
    name: string;
    readonly ipVersion: string;
    resourceGroupId: string;
    entries: Map<string, { entry: string; comment: string }>;
    tags: Map<string, string>;
    createdAt: number;
}

/** A server certificate or a CA certificate. */
export interface Certificate {
    readonly id: string;
    readonly kind: "server" | "ca";
    readonly name: string;
    readonly commonName: string;
    readonly expiresAt: number;
    readonly createdAt: number;
    tags: Map<string, string>;
}

/** A further domain of an HTTPS listener with its own certificate. */
export interface DomainExtension {
    readonly id: string;
    readonly loadBalancerId: string;
    readonly listenerPort: number;
    readonly domain: string;
    certificateId: string;
}

export interface SlbState {
    loadBalancers: Map<string, LoadBalancer>;
    /** By `listenerKey`. */
    listeners: Map<string, Listener>;
    vServerGroups: Map<string, VServerGroup>;
    acls: Map<string, Acl>;
    certificates: Map<string, Certificate>;
    domainExtensions: Map<string, DomainExtension>;
    /** Client token of a CreateLoadBalancer call: the id it made and what it asked for. */
    clientTokens: Map<string, { loadBalancerId: string; request: string }>;
    /** Health that a test gave to a server, by server id or address: `normal`, `abnormal` or `unavailable`. */
    health: Map<string, string>;
}

export function emptySlb(): SlbState {
    return {
        loadBalancers: new Map(),
        listeners: new Map(),
        vServerGroups: new Map(),
        acls: new Map(),
        certificates: new Map(),
        domainExtensions: new Map(),
        clientTokens: new Map(),
        health: new Map(),
    };
}

export function listenerKey(loadBalancerId: string, protocol: string, port: number): string {
    return `${loadBalancerId}:${protocol}:${port}`;
}
