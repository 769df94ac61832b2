/** Keys of backends: the text by which a backend stands in a map of state, in messages and in comparisons. */
import type { BackendIdentity } from "../model/backend";

/** What a backend key names: an ECS instance, or an address of the VPC. Without a port, the backend answers on its group's. */
export type BackendAddress =
    | { readonly kind: "ecs"; readonly serverId: string; readonly port?: number | undefined }
    | { readonly kind: "eni"; readonly ip: string; readonly port?: number | undefined };

/** `i-bp1…`, `10.0.1.7` or `[2001:db8::7]`, and the port behind a colon. */
export function formatBackendKey(backend: BackendAddress): string {
    const host = backend.kind === "ecs" ? backend.serverId : backend.ip.includes(":") ? `[${backend.ip}]` : backend.ip;
    return backend.port === undefined ? host : `${host}:${backend.port}`;
}

/**
 * What a backend key names.
 *
 * @throws Error if it is neither an ECS instance nor an address.
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

/** The backend that a member of a server group is. The cloud may report an address for an ECS instance too; only others are identified by it. */
export function backendOf({
    serverId,
    serverIp,
    type,
    port,
}: BackendIdentity): BackendAddress & { readonly port: number } {
    const ip = type === "ecs" ? undefined : (serverIp ?? (type === "ip" ? serverId : undefined));
    return ip === undefined ? { kind: "ecs", serverId, port } : { kind: "eni", ip, port };
}
