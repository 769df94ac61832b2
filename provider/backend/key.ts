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
