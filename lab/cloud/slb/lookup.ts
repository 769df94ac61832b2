import type { Caller } from "../actions";
import { rule, refusal } from "../core";
import type { World } from "../world";
import { NOT_MODIFICATION_PROTECTED } from "./load-balancer-rules";
import { listenerKey, type Acl, type Listener, type LoadBalancer, type Protocol, type VServerGroup } from "./state";

export const LOAD_BALANCER_EXISTS = rule({
    id: "slb.load-balancer.exists",
    code: "InvalidLoadBalancerId.NotFound",
    status: 404,
    message: "The specified LoadBalancerId does not exist.",
    when: "the instance is unknown or was deleted",
    source: "testdata/alicloud-plugin (alb-gone)",
    enforcement: "always",
});

export const LISTENER_EXISTS = rule({
    id: "slb.listener.exists",
    code: "InvalidParameter",
    message: "The specified resource does not exist.",
    when: "the instance has no listener of this protocol and port; clients match the message",
    source: "testdata/alicloud-plugin (li-tcp-min); CLB API, common error codes",
    enforcement: "always",
});

export const GROUP_EXISTS = rule({
    id: "slb.server-group.exists",
    code: "InvalidParameter",
    message: "The specified VServerGroupId does not exist.",
    when: "the vServer group is unknown or was deleted",
    source: "testdata/alicloud-plugin (sg-gone, li-group-missing)",
    enforcement: "always",
});

export const ACL_EXISTS = rule({
    id: "slb.acl.exists",
    code: "AclNotExist",
    message: "The specified acl does not exist.",
    when: "the ACL is unknown or was deleted",
    source: "testdata/alicloud-plugin (acl-gone)",
    enforcement: "always",
});

export const SERVICE_READY = rule({
    id: "slb.listener.not-configuring",
    code: "ServiceIsConfiguring",
    message: "A previous configuration is pending; please try again later.",
    when: "the listener was changed less than `delays.listenerBusy` ago",
    source: "CLB API, common error codes",
    enforcement: "always",
});

export const GROUP_READY = rule({
    id: "slb.server-group.not-processing",
    code: "VServerGroupProcessing",
    message: "A previous configuration of the VServer group is pending; please try again later.",
    when: "the vServer group was changed less than `delays.serverGroupBusy` ago",
    source: "CLB API, common error codes",
    enforcement: "always",
});

export function findLoadBalancer(world: World, id: string): LoadBalancer {
    const found = world.slb.loadBalancers.get(id);
    if (found === undefined) throw refusal(LOAD_BALANCER_EXISTS);
    return found;
}

/** Returns the instance to change. Modification protection holds back a person in the console. */
export function changeable(world: World, id: string, caller: Caller): LoadBalancer {
    const loadBalancer = findLoadBalancer(world, id);
    const isProtected =
        caller.origin === "console" && loadBalancer.modificationProtectionStatus === "ConsoleProtection";
    world.rules.check(NOT_MODIFICATION_PROTECTED, !isProtected);
    return loadBalancer;
}

export function findListener(world: World, loadBalancerId: string, protocol: Protocol, port: number): Listener {
    const found = world.slb.listeners.get(listenerKey(loadBalancerId, protocol, port));
    if (found === undefined) throw refusal(LISTENER_EXISTS);
    return found;
}

export function findGroup(world: World, id: string): VServerGroup {
    const found = world.slb.vServerGroups.get(id);
    if (found === undefined) throw refusal(GROUP_EXISTS);
    return found;
}

export function findAcl(world: World, id: string): Acl {
    const found = world.slb.acls.get(id);
    if (found === undefined) throw refusal(ACL_EXISTS);
    return found;
}

/** Listeners of an instance, by port and protocol. */
export function listenersOf(world: World, loadBalancerId: string): Listener[] {
    return [...world.slb.listeners.values()]
        .filter((l) => l.loadBalancerId === loadBalancerId)
        .sort((a, b) => a.port - b.port || (a.protocol < b.protocol ? -1 : 1));
}

/** Marks a vServer group as just changed, or refuses if a change is still under way. */
export function changeGroup(world: World, group: VServerGroup): void {
    world.rules.check(GROUP_READY, world.now() >= group.busyUntil);
    group.busyUntil = world.now() + world.config.delays.serverGroupBusy;
}

/** Marks a listener as just changed, or refuses if a change is still under way. */
export function changeListener(world: World, listener: Listener): void {
    world.rules.check(SERVICE_READY, world.now() >= listener.busyUntil);
    listener.busyUntil = world.now() + world.config.delays.listenerBusy;
}
