/** `ecs`: a node is the backend, on the Service's nodePort. `eni`: a pod is the backend, on its own address and targetPort. */
export type BackendKind = "ecs" | "eni";

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
