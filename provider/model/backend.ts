/** `ecs`: a node is the backend, on the Service's nodePort. `eni`: a pod is the backend, on its own address and targetPort. */
export type BackendKind = "ecs" | "eni";

/** Highest weight a backend can have. Source: SLB API, AddVServerGroupBackendServers, Weight; NLB API, AddServersToServerGroup, Weight. */
export const MAX_WEIGHT = 100;

/** What is kept for one backend; the key of the map says which one it is. */
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

/** Address of one backend, taken apart from its key. */
export type BackendAddress =
    | { readonly kind: "ecs"; readonly serverId: string; readonly port?: number }
    | { readonly kind: "eni"; readonly ip: string; readonly port?: number };

/** Key of a pod backend. */
export function podKey(ip: string, port: number): string {
    return `${addressKey(ip)}:${port}`;
}

/** Key of an address on the group's port. */
export function addressKey(ip: string): string {
    return ip.includes(":") ? `[${ip}]` : ip;
}

/**
 * Takes a backend's key apart.
 *
 * @throws Error if the key names neither an ECS instance nor `address:port`.
 */
export function parseBackendKey(key: string): BackendAddress {
    const pod = /^(?:\[([0-9a-fA-F:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::(\d+))?$/.exec(key);
    if (pod) {
        return { kind: "eni", ip: pod[1] ?? pod[2] ?? "", ...(pod[3] ? { port: Number(pod[3]) } : {}) };
    }
    const server = /^([\w-]+)(?::(\d+))?$/.exec(key);
    if (server?.[1]) {
        return { kind: "ecs", serverId: server[1], ...(server[2] ? { port: Number(server[2]) } : {}) };
    }
    throw new Error(`"${key}" is no backend: expected an ECS instance id, an address or address:port`);
}
