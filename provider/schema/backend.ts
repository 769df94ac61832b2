/** `ecs`: nodes are backends, on the Service's nodePort. `eni`: pods are backends, on their address and targetPort. */
export type BackendKind = "ecs" | "eni";

/** IP version of the pods' addresses in a server group. */
export type BackendIpVersion = "ipv4" | "ipv6" | "dualstack";

/** Highest weight of a backend. Source: SLB API, AddVServerGroupBackendServers; NLB API, AddServersToServerGroup. */
export const MAX_WEIGHT = 100;

/**
 * Backends of a server group by key: `i-bp1…` for an ECS instance on the group's port (`i-bp1…:31080` on another),
 * `10.0.1.7:8080` or `[2001:db8::7]:8080` for a pod, `10.0.1.7` or `[2001:db8::7]` for an address on the group's port.
 * A map and not a list, because the engine compares lists by index. Weights: 0 to 100; 0 takes no new traffic.
 */
export type Backends = Readonly<Record<string, { readonly weight: number }>>;

/** Member of a server group, as the API describes it. Each serverId, serverIp and port is there at most once. */
export interface BackendServer {
    /** Id of the ECS instance (`i-…`) or of the elastic network interface (`eni-…`); the address with type ip. */
    readonly serverId: string;
    /** Address of the pod, with type eni; an interface can have many. */
    readonly serverIp?: string;
    readonly port: number;
    /** 0 to 100; 0 takes no new traffic. */
    readonly weight: number;
    /** `ip`: an address without an interface of the VPC, in NLB server groups only. */
    readonly type: "ecs" | "eni" | "eci" | "ip";
    /** Ownership mark, 1 to 80 characters. CCM writes its group's name and leaves members with another one alone. */
    readonly description?: string;
}

/** Fields that identify a member of a server group. */
export type BackendIdentity = Pick<BackendServer, "serverId" | "serverIp" | "port" | "type">;
