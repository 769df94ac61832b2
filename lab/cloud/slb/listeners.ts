import { reads, writes, type Action, type Caller } from "../actions";
import { Transition, type JsonObject, type Params, type ParamSpecs } from "../core";
import type { World } from "../world";
import { checkListener } from "./listener-checks";
import { fieldsOf, parameterName } from "./listener-fields";
import * as rules from "./listener-rules";
import { listenerDetail, listenerRow } from "./listener-view";
import { changeable, changeListener, findListener, findLoadBalancer, listenersOf } from "./lookup";
import { listenerKey, PROTOCOLS, type AttributeValue, type Listener, type Protocol } from "./state";
import { applyTags } from "./tags";

const ADDRESS: ParamSpecs = {
    LoadBalancerId: { required: true },
    ListenerPort: { required: true, min: 1, max: 65535 },
};

function specs(protocol: Protocol, creating: boolean): ParamSpecs {
    const fields = fieldsOf(protocol).filter((field) => field.fixed !== true && field.limits !== undefined);
    return {
        ...ADDRESS,
        BackendServerPort: { min: 1, max: 65535 },
        ...Object.fromEntries(fields.map((field) => [parameterName(field, protocol, creating), field.limits ?? {}])),
    };
}

/** Writes the attributes that the call carries into `attributes`. */
function readFields(p: Params, protocol: Protocol, creating: boolean, attributes: Map<string, AttributeValue>): void {
    for (const field of fieldsOf(protocol)) {
        if (field.fixed === true) continue;
        const name = parameterName(field, protocol, creating);
        const value = field.type === "int" ? p.int(name) : field.type === "bool" ? p.bool(name) : p.text(name);
        if (value !== undefined) attributes.set(field.name, value);
    }
    // -520 asks for the backend's own port, which is what an absent value means.
    if (Number(attributes.get("HealthCheckConnectPort") ?? 1) <= 0) attributes.delete("HealthCheckConnectPort");
    const backendPort = p.int("BackendServerPort");
    if (backendPort !== undefined) attributes.set("BackendServerPort", backendPort);
}

/** Applies `VServerGroupId` and `MasterSlaveServerGroupId`. In a set call `VServerGroup=off` takes the group away. */
function readTargets(p: Params, attributes: Map<string, AttributeValue>): void {
    for (const kind of ["VServerGroup", "MasterSlaveServerGroup"]) {
        const id = p.text(`${kind}Id`);
        if (p.text(kind) === "off") attributes.delete(`${kind}Id`);
        else if (id !== undefined) attributes.set(`${kind}Id`, id);
    }
}

function readAcls(p: Params, listener: Listener): void {
    const ids = p.text("AclId");
    if (ids !== undefined)
        listener.aclIds = ids
            .split(",")
            .map((id) => id.trim())
            .filter((id) => id !== "");
}

/** Reports whether a port is taken. TCP, HTTP and HTTPS listeners share a family of ports, and UDP has its own. */
function portTaken(world: World, loadBalancerId: string, protocol: Protocol, port: number): boolean {
    const rivals: readonly Protocol[] = protocol === "udp" ? ["udp"] : ["tcp", "http", "https"];
    return rivals.some((rival) => world.slb.listeners.has(listenerKey(loadBalancerId, rival, port)));
}

function create(protocol: Protocol, p: Params, world: World, caller: Caller): void {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const port = p.needInt("ListenerPort");
    world.rules.check(rules.PORT_FREE, !portTaken(world, lb.id, protocol, port));
    world.rules.check(
        rules.LISTENER_QUOTA,
        listenersOf(world, lb.id).length < world.config.quotas.listenersPerLoadBalancer,
    );
    const defaults = fieldsOf(protocol).flatMap((field): [string, AttributeValue][] =>
        field.default === undefined ? [] : [[field.name, field.default]],
    );
    const listener: Listener = {
        loadBalancerId: lb.id,
        port,
        protocol,
        status: new Transition("stopped"),
        attributes: new Map(defaults),
        aclIds: [],
        tags: new Map(),
        busyUntil: 0,
    };
    readFields(p, protocol, true, listener.attributes);
    readTargets(p, listener.attributes);
    readAcls(p, listener);
    applyTags(world, listener.tags, p.structs("Tag"));
    checkListener(world, listener, undefined);
    changeListener(world, listener);
    world.slb.listeners.set(listenerKey(lb.id, protocol, port), listener);
}

function update(protocol: Protocol, p: Params, world: World, caller: Caller): void {
    changeable(world, p.need("LoadBalancerId"), caller);
    const current = findListener(world, p.need("LoadBalancerId"), protocol, p.needInt("ListenerPort"));
    const next: Listener = { ...current, attributes: new Map(current.attributes), aclIds: [...current.aclIds] };
    readFields(p, protocol, false, next.attributes);
    readTargets(p, next.attributes);
    readAcls(p, next);
    checkListener(world, next, current.attributes);
    changeListener(world, current);
    current.attributes = next.attributes;
    current.aclIds = next.aclIds;
}

/** The listener that Start, Stop and Delete mean. Without a protocol the port alone must tell. */
function named(p: Params, world: World, caller: Caller): Listener {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const port = p.needInt("ListenerPort");
    const given = p.text("ListenerProtocol")?.toLowerCase() as Protocol | undefined;
    const protocol =
        given ?? PROTOCOLS.find((candidate) => world.slb.listeners.has(listenerKey(lb.id, candidate, port))) ?? "tcp";
    return findListener(world, lb.id, protocol, port);
}

function start(p: Params, world: World, caller: Caller): void {
    const listener = named(p, world, caller);
    if (listener.status.now(world.now()) === "running") return;
    changeListener(world, listener);
    listener.status.go("starting", "running", world.config.delays.listenerStart, world.now());
}

function stop(p: Params, world: World, caller: Caller): void {
    const listener = named(p, world, caller);
    changeListener(world, listener);
    listener.status.go("stopping", "stopped", world.config.delays.listenerStop, world.now());
}

function remove(p: Params, world: World, caller: Caller): void {
    const listener = named(p, world, caller);
    const { loadBalancerId, port, protocol } = listener;
    const redirected = listenersOf(world, loadBalancerId).some(
        (l) => l.attributes.get("ListenerForward") === "on" && l.attributes.get("ForwardPort") === port,
    );
    world.rules.check(rules.NOT_FORWARD_TARGET, protocol !== "https" || !redirected);
    changeListener(world, listener);
    world.slb.listeners.delete(listenerKey(loadBalancerId, protocol, port));
    if (protocol !== "https") return;
    for (const extension of world.slb.domainExtensions.values())
        if (extension.loadBalancerId === loadBalancerId && extension.listenerPort === port)
            world.slb.domainExtensions.delete(extension.id);
}

/** DescribeLoadBalancerListeners: all listeners of up to ten instances, page by page. */
function list(p: Params, world: World): JsonObject {
    const ids = p.list("LoadBalancerId");
    const single = p.text("LoadBalancerId");
    const desired = ids.length > 0 ? ids : single === undefined ? [...world.slb.loadBalancers.keys()] : [single];
    const protocol = p.text("ListenerProtocol")?.toLowerCase();
    const all = desired
        .filter((id) => world.slb.loadBalancers.has(id))
        .flatMap((id) => listenersOf(world, id))
        .filter(
            (l) => (protocol === undefined || l.protocol === protocol) && (p.int("ListenerPort") ?? l.port) === l.port,
        );
    const size = p.int("MaxResults") ?? 20;
    const from = Number(p.text("NextToken") ?? 0);
    const page = all.slice(from, from + size);
    const next = from + size < all.length ? String(from + size) : "";
    return {
        Listeners: page.map((l) => listenerRow(world, l)),
        NextToken: next,
        MaxResults: size,
        TotalCount: all.length,
    };
}

const perProtocol = PROTOCOLS.flatMap((protocol): Action[] => {
    const upper = protocol.toUpperCase();
    return [
        writes(`CreateLoadBalancer${upper}Listener`, specs(protocol, true), (p, world, caller) =>
            create(protocol, p, world, caller),
        ),
        writes(`SetLoadBalancer${upper}ListenerAttribute`, specs(protocol, false), (p, world, caller) =>
            update(protocol, p, world, caller),
        ),
        reads(`DescribeLoadBalancer${upper}ListenerAttribute`, ADDRESS, (p, world) => {
            findLoadBalancer(world, p.need("LoadBalancerId"));
            return listenerDetail(
                world,
                findListener(world, p.need("LoadBalancerId"), protocol, p.needInt("ListenerPort")),
            );
        }),
    ];
});

const NAMED: ParamSpecs = {
    ...ADDRESS,
    ListenerProtocol: { allowed: ["tcp", "udp", "http", "https", "TCP", "UDP", "HTTP", "HTTPS"] },
};

export const listenerActions: readonly Action[] = [
    ...perProtocol,
    writes("StartLoadBalancerListener", NAMED, start),
    writes("StopLoadBalancerListener", NAMED, stop),
    writes("DeleteLoadBalancerListener", NAMED, remove),
    reads("DescribeLoadBalancerListeners", { MaxResults: { min: 1, max: 100 } }, list),
];
