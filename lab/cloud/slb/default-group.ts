import { reads, writes, type Action } from "../actions";
import type { JsonObject, ParamSpecs } from "../core";
import type { World } from "../world";
import { backendView } from "./backend-view";
import { backendsOf, checkMembers, readBackends, resolveBackend } from "./backends";
import { changeable, findLoadBalancer, listenersOf } from "./lookup";
import type { Backend, Listener, LoadBalancer } from "./state";

const ID: ParamSpecs = { LoadBalancerId: { required: true } };

function answer(lb: LoadBalancer): JsonObject {
    return { LoadBalancerId: lb.id, BackendServers: { BackendServer: lb.backends.map(backendView) } };
}

/** Adds backends of the default group or, in a set call, changes those that are there. */
function put(world: World, lb: LoadBalancer, text: string | undefined): void {
    const members = [...lb.backends];
    for (const given of readBackends(world, text, false)) {
        const backend = resolveBackend(world, lb, given);
        const known = members.findIndex(
            (member) =>
                member.serverId === given.serverId &&
                (given.serverIp === undefined || member.serverIp === backend.serverIp),
        );
        if (known === -1) members.push(backend);
        else members[known] = { ...backend, description: given.description ?? members[known]?.description ?? "" };
    }
    checkMembers(
        world,
        lb.id,
        members,
        backendsOf(world, lb.id).filter((b) => !lb.backends.includes(b)),
    );
    lb.backends = members;
}

/** Members of the group that a listener sends traffic to, with the port that it uses. */
function targets(world: World, lb: LoadBalancer, listener: Listener): Backend[] {
    const group = listener.attributes.get("VServerGroupId") ?? listener.attributes.get("MasterSlaveServerGroupId");
    if (group === undefined)
        return lb.backends.map((b) => ({ ...b, port: Number(listener.attributes.get("BackendServerPort")) }));
    return (
        (world.slb.vServerGroups.get(String(group)) ?? world.slb.masterSlaveGroups.get(String(group)))?.backends ?? []
    );
}

/** Returns the health that a listener sees: `unavailable` without health check or while the listener does not run. */
function health(world: World, listener: Listener, backend: Backend): string {
    const checks = listener.attributes.get("HealthCheckSwitch") ?? listener.attributes.get("HealthCheck");
    if (checks !== "on" || listener.status.now(world.now()) !== "running") return "unavailable";
    return world.slb.health.get(backend.serverIp) ?? world.slb.health.get(backend.serverId) ?? "normal";
}

export const defaultGroupActions: readonly Action[] = [
    writes("AddBackendServers", ID, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        put(world, lb, p.text("BackendServers"));
        return answer(lb);
    }),
    writes("SetBackendServers", ID, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        put(world, lb, p.text("BackendServers"));
        return answer(lb);
    }),
    writes("RemoveBackendServers", ID, (p, world, caller) => {
        const lb = changeable(world, p.need("LoadBalancerId"), caller);
        // Only this action also takes a plain list of ids, as the alicloud plugin sends it.
        const text = p.text("BackendServers") ?? "[]";
        const ids = new Set(
            text.includes("{") ? readBackends(world, text, false).map((b) => b.serverId) : p.jsonList("BackendServers"),
        );
        lb.backends = lb.backends.filter((b) => !ids.has(b.serverId));
        return answer(lb);
    }),
    reads("DescribeHealthStatus", ID, (p, world) => {
        const lb = findLoadBalancer(world, p.need("LoadBalancerId"));
        const port = p.int("ListenerPort");
        const protocol = p.text("ListenerProtocol")?.toLowerCase();
        const listeners = listenersOf(world, lb.id).filter(
            (l) => (port ?? l.port) === l.port && (protocol ?? l.protocol) === l.protocol,
        );
        const rows = listeners.flatMap((listener) =>
            targets(world, lb, listener).map((backend) => ({
                ListenerPort: listener.port,
                Protocol: listener.protocol,
                ServerId: backend.serverId,
                ServerIp: backend.serverIp,
                Port: backend.port,
                Type: backend.type,
                ServerHealthStatus: health(world, listener, backend),
            })),
        );
        return { BackendServers: { BackendServer: rows } };
    }),
];
