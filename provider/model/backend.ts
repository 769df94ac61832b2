/** `ecs`: a node is the backend, on the Service's nodePort. `eni`: a pod is the backend, on its own address and targetPort. */
export type BackendKind = "ecs" | "eni";

/** Which addresses of pods a server group holds. */
export type BackendIpVersion = "ipv4" | "ipv6" | "dualstack";

/** Highest weight a backend can have. Source: SLB API, AddVServerGroupBackendServers, Weight; NLB API, AddServersToServerGroup, Weight. */
export const MAX_WEIGHT = 100;

/** One backend; its key in the map names it. */
export interface BackendState {
    /** 0 to 100; 0 takes no new traffic. */
    readonly weight: number;
}

/**
 * Backends of a server group, keyed so that a change reads as one line: `i-bp1…` for an ECS instance on the group's port (`i-bp1…:31080` for one that was left on
 * another), `10.0.1.7:8080` or `[2001:db8::7]:8080` for a pod, `10.0.1.7` or `[2001:db8::7]` for an address on the group's port. A map and not a list, because the
 * engine compares lists by index.
 */
export type Backends = Readonly<Record<string, BackendState>>;

/** A member of a server group, as the cloud's APIs describe it. A group holds each combination of serverId, serverIp and port at most once. */
export interface BackendServer {
    /** Id of the ECS instance (`i-…`) or of the elastic network interface (`eni-…`); the address itself with type ip. */
    readonly serverId: string;
    /** Address of the pod, with type eni; an interface can carry many. */
    readonly serverIp?: string;
    readonly port: number;
    /** 0 to 100; 0 takes no new traffic. */
    readonly weight: number;
    /** `ip`: an address without an interface of the VPC, in NLB server groups only. */
    readonly type: "ecs" | "eni" | "eci" | "ip";
    /** 1 to 80 characters: the ownership mark. CCM writes its group's name here and takes members with another one for user-managed. */
    readonly description?: string;
}

/** What identifies a member of a server group. */
export type BackendIdentity = Pick<BackendServer, "serverId" | "serverIp" | "port" | "type">;
