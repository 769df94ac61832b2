import type { JsonObject } from "../core";
import type { World } from "../world";
import { fieldsOf } from "./listener-fields";
import { tagView } from "./tags";
import type { Listener } from "./state";

/** The attributes of a listener as answers show them. `BackendServerPort` is left out when a group is used. */
export function listenerAttributes(listener: Listener): JsonObject {
    const { attributes } = listener;
    const shown: Record<string, string | number | boolean> = {};
    for (const field of fieldsOf(listener.protocol)) {
        const value = attributes.get(field.name);
        if (value !== undefined) shown[field.answerName ?? field.name] = value;
    }
    for (const target of ["VServerGroupId", "MasterSlaveServerGroupId"]) {
        const id = attributes.get(target);
        if (id !== undefined) shown[target] = id;
    }
    const port = attributes.get("BackendServerPort");
    const grouped = attributes.has("VServerGroupId") || attributes.has("MasterSlaveServerGroupId");
    if (port !== undefined && !grouped) shown["BackendServerPort"] = port;
    if (listener.aclIds.length === 0) return shown;
    return { ...shown, AclId: listener.aclIds.join(","), AclIds: { AclId: listener.aclIds } };
}

/** A listener in DescribeLoadBalancer…ListenerAttribute. */
export function listenerDetail(world: World, listener: Listener): JsonObject {
    return {
        ListenerPort: listener.port,
        LoadBalancerId: listener.loadBalancerId,
        Status: listener.status.now(world.now()),
        ...listenerAttributes(listener),
        Tags: tagView(listener.tags),
    };
}

/** Attributes that DescribeLoadBalancerListeners shows beside the protocol's own object. */
const OUTSIDE = [
    "Bandwidth",
    "Scheduler",
    "Description",
    "VServerGroupId",
    "BackendServerPort",
    "AclId",
    "AclIds",
    "AclStatus",
    "AclType",
];

/** A row of DescribeLoadBalancerListeners: common attributes, and those of the protocol in `TCPListenerConfig` etc. */
export function listenerRow(world: World, listener: Listener): JsonObject {
    const attributes = listenerAttributes(listener);
    const pick = (outside: boolean): JsonObject =>
        Object.fromEntries(Object.entries(attributes).filter(([name]) => OUTSIDE.includes(name) === outside));
    return {
        LoadBalancerId: listener.loadBalancerId,
        ListenerPort: listener.port,
        ListenerProtocol: listener.protocol,
        Status: listener.status.now(world.now()),
        ...pick(true),
        [`${listener.protocol.toUpperCase()}ListenerConfig`]: pick(false),
        Tags: Object.entries(Object.fromEntries(listener.tags)).map(([TagKey, TagValue]) => ({ TagKey, TagValue })),
    };
}
