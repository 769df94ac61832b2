/**
 * What the alicloud plugin writes for an object: the actions whose quotas it uses.
 *
 * Measured through the plugin (docs/api-calls.md). An update counts the action that is most often needed; others, such as another specification, are rare beside it.
 */
import type { LoadBalancerType } from "../schema/load-balancer-type";

/** Objects that the plugin makes for every Service. */
export type WrittenNoun = "instance" | "listener" | "group";

/** What is done to one. */
export type Operation = "create" | "update";

/** Actions with a quota of their own for each protocol have an asterisk in its place: `CreateLoadBalancer*Listener`. */
type Writes = Readonly<Record<WrittenNoun, Readonly<Record<Operation, readonly string[]>>>>;

/** Actions, each called once. Source: SLB API 2014-05-15, NLB API 2022-04-30, and the calls of the plugin. */
export const PLUGIN_WRITES: Readonly<Record<LoadBalancerType, Writes>> = {
    clb: {
        instance: {
            create: ["CreateLoadBalancer", "TagResources"],
            update: ["SetLoadBalancerModificationProtection", "SetLoadBalancerName"],
        },
        listener: {
            create: ["CreateLoadBalancer*Listener", "SetLoadBalancer*ListenerAttribute", "StartLoadBalancerListener"],
            update: ["SetLoadBalancer*ListenerAttribute"],
        },
        group: {
            create: ["CreateVServerGroup", "SetVServerGroupAttribute"],
            update: ["SetVServerGroupAttribute"],
        },
    },
    nlb: {
        instance: {
            create: ["CreateLoadBalancer", "TagResources", "UpdateLoadBalancerAttribute"],
            update: ["UpdateLoadBalancerAttribute"],
        },
        listener: { create: ["CreateListener"], update: ["UpdateListenerAttribute"] },
        group: {
            create: ["CreateServerGroup"],
            update: ["UpdateServerGroupAttribute"],
        },
    },
};

/** Actions that change the members of a server group: to add, to change and to remove. */
export const MEMBER_WRITES: Readonly<Record<LoadBalancerType, Readonly<Record<Operation | "delete", string>>>> = {
    clb: {
        create: "AddVServerGroupBackendServers",
        update: "SetVServerGroupAttribute",
        delete: "RemoveVServerGroupBackendServers",
    },
    nlb: {
        create: "AddServersToServerGroup",
        update: "UpdateServerGroupServersAttribute",
        delete: "RemoveServersFromServerGroup",
    },
};

/** An action for a protocol, as the cloud calls it. */
export const actionFor = (action: string, protocol: string): string => action.replace("*", protocol.toUpperCase());
