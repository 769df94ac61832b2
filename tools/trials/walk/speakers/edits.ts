/** Edits of a Service's objects in the console of the cloud. */
import type { StatedCloud } from "../../../../lab/cloud";
import { serviceOf } from "../../../../provider/schema/names";
import { countedNodes, nameOf, type Version } from "../../service";
import { CHANGING } from "../../world";

export interface Edit {
    readonly action: string;
    readonly params: Readonly<Record<string, string>>;
    readonly product: "Slb" | "Nlb";
    /** Parameters that undo an edit which a run leaves as it is, and of which nothing is to be said. */
    readonly undo?: Readonly<Record<string, string>>;
}

const edit = (product: Edit["product"], action: string, params: Edit["params"], undo?: Edit["params"]): Edit => ({
    action,
    params,
    product,
    ...(undo && { undo }),
});

const WEIGHT = "77";

/**
 * Returns the edits of a Service's objects, in the order of the cloud's lists.
 *
 * @param isShared true if several Services have the instance
 */
export function editsOf({ slb, nlb }: StatedCloud, version: Version, isShared: boolean): Edit[] {
    const isOwn = (mark: unknown): boolean => serviceOf(String(mark)) === `default/${nameOf(version)}`;
    const ignoresWeights = version.annotations?.["ignore-weight-update"] === "on";
    // Without pods that count, backends stay as they are found.
    const edited = countedNodes(version).every((node) => node === CHANGING) ? 0 : 1;
    const listeners = slb.listeners.filter(({ attributes }) => isOwn(attributes["Description"]));
    const groups = slb.vServerGroups.filter(({ name }) => isOwn(name));
    const nlbListeners = nlb.listeners.filter(({ description }) => isOwn(description));
    const nlbGroups = nlb.serverGroups.filter(({ name }) => isOwn(name));
    const own = new Set([...listeners, ...nlbListeners].map(({ loadBalancerId }) => loadBalancerId));
    // The settings of a reused or shared instance are not the Service's.
    const instances = isShared || version.annotations?.["id"] !== undefined ? [] : [...own];
    return [
        ...listeners.flatMap(({ loadBalancerId, port, protocol, attributes }) => {
            const at = { LoadBalancerId: loadBalancerId, ListenerPort: String(port) };
            const typed = { ...at, ListenerProtocol: protocol.toLowerCase() };
            const set = (params: Edit["params"]): Edit =>
                edit("Slb", `SetLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, { ...at, ...params });
            return [
                set({ Scheduler: attributes["Scheduler"] === "wrr" ? "rr" : "wrr" }),
                set({ Description: "edited" }),
                // The check of an HTTP or HTTPS listener that is off has no thresholds.
                ...(attributes["HealthCheck"] === "off"
                    ? []
                    : [set({ UnhealthyThreshold: "7", HealthyThreshold: "7" })]),
                edit("Slb", "StopLoadBalancerListener", typed),
                edit("Slb", "DeleteLoadBalancerListener", typed),
            ];
        }),
        ...groups.flatMap(({ id, backends }) =>
            backends.slice(0, edited).flatMap(({ serverId, serverIp, port, type, weight, description }) => {
                const server = {
                    ServerId: serverId,
                    ServerIp: serverIp,
                    Port: port,
                    Type: type,
                    Description: description,
                };
                const servers = (one: object): Edit["params"] => ({
                    VServerGroupId: id,
                    BackendServers: JSON.stringify([one]),
                });
                const kept = servers({ ...server, Weight: weight });
                const weighed = servers({ ...server, Weight: WEIGHT });
                return [
                    edit("Slb", "SetVServerGroupAttribute", weighed, ignoresWeights ? kept : undefined),
                    edit("Slb", "RemoveVServerGroupBackendServers", kept),
                ];
            }),
        ),
        ...nlbListeners.flatMap(({ id, protocol }) => [
            // The timeout of a UDP listener is the cloud's unless the Service sets it.
            ...(/^udp$/i.test(protocol) && version.annotations?.["idle-timeout"] === undefined
                ? []
                : [edit("Nlb", "UpdateListenerAttribute", { ListenerId: id, IdleTimeout: "77" })]),
            edit("Nlb", "UpdateListenerAttribute", { ListenerId: id, ListenerDescription: "edited" }),
            edit("Nlb", "StopListener", { ListenerId: id }),
            edit("Nlb", "DeleteListener", { ListenerId: id }),
        ]),
        ...nlbGroups.flatMap(({ id, scheduler, servers }) => [
            edit("Nlb", "UpdateServerGroupAttribute", {
                ServerGroupId: id,
                Scheduler: /^wrr$/i.test(scheduler) ? "Rr" : "Wrr",
            }),
            edit("Nlb", "UntagResources", {
                ResourceType: "servergroup",
                "ResourceId.1": id,
                "TagKey.1": "ack.aliyun.com",
            }),
            ...servers.slice(0, edited).flatMap(({ serverId, serverIp, serverType, port, description, weight }) => {
                const server = {
                    ServerGroupId: id,
                    "Servers.1.ServerId": serverId,
                    "Servers.1.ServerType": serverType,
                    ...(serverIp === "" ? {} : { "Servers.1.ServerIp": serverIp }),
                    "Servers.1.Port": String(port),
                };
                const of = (one: string | number) => ({
                    ...server,
                    "Servers.1.Weight": String(one),
                    "Servers.1.Description": description,
                });
                const kept = ignoresWeights ? of(weight) : undefined;
                return [
                    edit("Nlb", "UpdateServerGroupServersAttribute", of(WEIGHT), kept),
                    edit("Nlb", "RemoveServersFromServerGroup", server),
                ];
            }),
        ]),
        ...instances.flatMap((id) => instanceEdits({ slb, nlb } as StatedCloud, id)),
    ];
}

function instanceEdits({ slb, nlb }: StatedCloud, id: string): Edit[] {
    const clb = slb.loadBalancers.find((one) => one.id === id);
    const network = nlb.loadBalancers.find((one) => one.id === id);
    const untag = { "ResourceId.1": id, "TagKey.1": "ack.aliyun.com" };
    if (clb !== undefined)
        return [
            edit("Slb", "SetLoadBalancerName", { LoadBalancerId: id, LoadBalancerName: "edited" }),
            edit("Slb", "SetLoadBalancerDeleteProtection", {
                LoadBalancerId: id,
                DeleteProtection: clb.deleteProtection === "on" ? "off" : "on",
            }),
            edit("Slb", "UntagResources", { ResourceType: "instance", ...untag }),
            edit("Slb", "SetLoadBalancerStatus", { LoadBalancerId: id, LoadBalancerStatus: "inactive" }),
        ];
    if (network === undefined) return [];
    return [
        edit("Nlb", "UpdateLoadBalancerAttribute", { LoadBalancerId: id, LoadBalancerName: "edited" }),
        edit("Nlb", "UpdateLoadBalancerAttribute", {
            LoadBalancerId: id,
            CrossZoneEnabled: String(!network.crossZoneEnabled),
        }),
        edit("Nlb", "UntagResources", { ResourceType: "loadbalancer", ...untag }),
    ];
}
