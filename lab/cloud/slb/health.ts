import { reads, type Action } from "../actions";
import type { World } from "../world";
import { findLoadBalancer, listenersOf } from "./lookup";
import type { Backend, Listener } from "./state";

/** Returns the health that a listener sees: `unavailable` without health check or while the listener does not run. */
function health(world: World, listener: Listener, backend: Backend): string {
    const checks = listener.attributes.get("HealthCheckSwitch") ?? listener.attributes.get("HealthCheck");
    if (checks !== "on" || listener.status.now(world.now()) !== "running") return "unavailable";
    return world.slb.health.get(backend.serverIp) ?? world.slb.health.get(backend.serverId) ?? "normal";
}

export const healthActions: readonly Action[] = [
    reads("DescribeHealthStatus", { LoadBalancerId: { required: true } }, (p, world) => {
        const lb = findLoadBalancer(world, p.need("LoadBalancerId"));
        const port = p.int("ListenerPort");
        const protocol = p.text("ListenerProtocol")?.toLowerCase();
        const listeners = listenersOf(world, lb.id).filter(
            (l) => (port ?? l.port) === l.port && (protocol ?? l.protocol) === l.protocol,
        );
        const rows = listeners.flatMap((listener) => {
            const group = world.slb.vServerGroups.get(String(listener.attributes.get("VServerGroupId")));
            return (group?.backends ?? []).map((backend) => ({
                ListenerPort: listener.port,
                Protocol: listener.protocol,
                ServerId: backend.serverId,
                ServerIp: backend.serverIp,
                Port: backend.port,
                Type: backend.type,
                ServerHealthStatus: health(world, listener, backend),
            }));
        });
        return { BackendServers: { BackendServer: rows } };
    }),
];
