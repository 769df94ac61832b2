/** Health of backends as the cloud sees it. */

import { z } from "zod";
import { type Cloud, CloudError } from "../../alicloud";
import { backendOf, formatBackendKey } from "../../backend/member";
import type { ObservedLoadBalancer } from "../../model/observed";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { LiveHealth } from "./model";

const NUMBER = z.union([z.number(), z.string().transform(Number)]);

/** Source: SLB API, DescribeHealthStatus. */
const CLB = z.looseObject({
    BackendServers: z.looseObject({
        BackendServer: z.array(
            z.looseObject({
                ListenerPort: NUMBER,
                Protocol: z.string().default("tcp"),
                ServerId: z.string(),
                ServerIp: z.string().default(""),
                Port: NUMBER,
                Type: z.string().default("ecs"),
                ServerHealthStatus: z.string(),
            }),
        ),
    }),
});

/** Source: NLB API, GetListenerHealthStatus; it lists only servers that are not healthy. */
const NLB = z.looseObject({
    ListenerHealthStatus: z
        .array(
            z.looseObject({
                ServerGroupInfos: z.array(
                    z.looseObject({
                        NonNormalServers: z
                            .array(
                                z.looseObject({
                                    ServerId: z.string(),
                                    ServerIp: z.string().default(""),
                                    Port: NUMBER,
                                    Status: z.string(),
                                }),
                            )
                            .default([]),
                    }),
                ),
            }),
        )
        .default([]),
});

/** The health of every backend behind every listener; undefined where the caller may not ask, or the cloud answers something else. */
export async function readHealth(
    cloud: Cloud,
    type: LoadBalancerType,
    instance: ObservedLoadBalancer,
): Promise<LiveHealth[] | undefined> {
    try {
        return type === "clb" ? await clbHealth(cloud, instance.id) : await nlbHealth(cloud, instance);
    } catch (error) {
        // Health is worth knowing and nothing more: the permission for it is not among those of a run.
        if (error instanceof CloudError || error instanceof z.ZodError) return undefined;
        throw error;
    }
}

async function clbHealth(cloud: Cloud, id: string): Promise<LiveHealth[]> {
    const answer = CLB.parse(await cloud.call("slb", "DescribeHealthStatus", { LoadBalancerId: id }));
    return answer.BackendServers.BackendServer.map(
        ({ ListenerPort, Protocol, ServerId, ServerIp, Port, Type, ServerHealthStatus }) => ({
            listener: `${Protocol.toLowerCase()}:${ListenerPort}`,
            backend: keyOf(ServerId, ServerIp, Port, Type),
            state: stateOf(ServerHealthStatus),
        }),
    );
}

async function nlbHealth(cloud: Cloud, { listeners, serverGroups }: ObservedLoadBalancer): Promise<LiveHealth[]> {
    const found: LiveHealth[] = [];
    for (const { id, protocol, port, serverGroupId } of listeners) {
        if (id === undefined) continue;
        const answer = NLB.parse(await cloud.call("nlb", "GetListenerHealthStatus", { ListenerId: id }));
        const bad = answer.ListenerHealthStatus.flatMap(({ ServerGroupInfos }) => ServerGroupInfos)
            .flatMap(({ NonNormalServers }) => NonNormalServers)
            .map(
                ({ ServerId, ServerIp, Port, Status }) =>
                    [keyOf(ServerId, ServerIp, Port, typeOf(ServerId)), Status] as const,
            );
        const states = new Map(bad);
        const members = serverGroups.find((group) => group.id === serverGroupId)?.backends ?? [];
        found.push(
            ...members.map(({ key }) => ({
                listener: `${protocol}:${port}`,
                backend: key,
                state: stateOf(states.get(key) ?? "normal"),
            })),
        );
    }
    return found;
}

const typeOf = (serverId: string): string => (/^i-/.test(serverId) ? "ecs" : /^eni-/.test(serverId) ? "eni" : "ip");

function keyOf(serverId: string, serverIp: string, port: number, type: string): string {
    const kind = type === "eni" || type === "eci" || type === "ip" ? type : "ecs";
    return formatBackendKey(backendOf({ serverId, port, type: kind, ...(serverIp === "" ? {} : { serverIp }) }));
}

/** The words of both APIs. */
function stateOf(text: string): LiveHealth["state"] {
    const word = text.toLowerCase();
    if (word === "normal" || word === "healthy") return "normal";
    return word === "abnormal" || word === "unhealthy" ? "abnormal" : "unavailable";
}
