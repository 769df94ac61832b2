/** Reads the load balancer of a Service with its listeners, server groups, backends and their health. */

import { z } from "zod";
import { type Cloud, CloudError } from "../../cloud";
import { findLoadBalancersByTag } from "../../clb/load-balancer";
import * as nlb from "../../nlb";
import { readQuotas } from "../../cloud/quotas";
import { instancesOf } from "../../plan/reuse/observe";
import { backendOf, formatBackendKey } from "../../backends/member";
import type { ServiceObject } from "../../cluster";
import { defaultLoadBalancerName, OWNER_TAG } from "../../schema/names";
import type { ObservedLoadBalancer } from "../../schema/observed";
import { firstLine } from "../../net";
import { observeLoadBalancer } from "../../plan/reuse/observe";
import type { Settings } from "../../schema/settings";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { CloudAccess } from "../doctor/cloud";
import type { LiveCloud, LiveHealth } from "./model";

/** Service whose load balancer is read. */
interface CloudQuery {
    readonly object: ServiceObject;
    readonly type: LoadBalancerType;
    readonly settings: Pick<Settings, "id" | "name">;
}

/** Reads the load balancer of a Service. A failure is a result: the cluster is shown without the cloud. */
export async function readCloud(access: CloudAccess, query: CloudQuery): Promise<LiveCloud> {
    if ("failure" in access) return failed(access.failure);
    const { cloud } = access;
    try {
        const api = instancesOf(cloud, query.type);
        const [id] = query.settings.id === undefined ? await findInstances(cloud, query) : [query.settings.id];
        const found = id === undefined ? undefined : await observeLoadBalancer(api, id);
        if (found === undefined) return { kind: "missing", lookedFor: query.settings.id ?? markOf(query.object) };
        const serverGroups = await Promise.all(
            found.serverGroups.map(async (group) => ({ ...group, backends: await api.listBackends(group.id) })),
        );
        const instance = { ...found, serverGroups };
        const [health, quotas] = await Promise.all([
            readHealth(cloud, query.type, instance),
            readQuotas(cloud, [query.type]),
        ]);
        return { kind: "found", instance, health, quotas };
    } catch (error) {
        return failed(error);
    }
}

/** Returns ids of instances with the owner tag of the Service. NLBs are listed by name. */
async function findInstances(cloud: Cloud, { object, type, settings }: CloudQuery): Promise<string[]> {
    if (type === "clb")
        return (await findLoadBalancersByTag(cloud, { [OWNER_TAG]: markOf(object) })).map(({ id }) => id);
    const named = await nlb.findNlbLoadBalancers(cloud, settings.name ?? markOf(object));
    return named.filter(({ tags }) => tags[OWNER_TAG] === markOf(object)).map(({ id }) => id);
}

const markOf = ({ metadata }: ServiceObject): string => defaultLoadBalancerName(metadata.uid ?? "");

const failed = (error: unknown): LiveCloud =>
    error instanceof CloudError
        ? { kind: "failed", code: error.code, message: error.detail }
        : { kind: "failed", code: "", message: firstLine(error) };

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

/** Returns the health of all backends by listener; undefined if the caller may not read it or the answer is unknown. */
async function readHealth(
    cloud: Cloud,
    type: LoadBalancerType,
    instance: ObservedLoadBalancer,
): Promise<LiveHealth[] | undefined> {
    try {
        return type === "clb" ? await clbHealth(cloud, instance.id) : await nlbHealth(cloud, instance);
    } catch (error) {
        // A run needs no permission to read the health.
        if (error instanceof CloudError || error instanceof z.ZodError) return undefined;
        throw error;
    }
}

async function clbHealth(cloud: Cloud, id: string): Promise<LiveHealth[]> {
    const answer = CLB.parse(await cloud.call("slb", "DescribeHealthStatus", { LoadBalancerId: id }));
    return answer.BackendServers.BackendServer.map(
        ({ ListenerPort, Protocol, ServerId, ServerIp, Port, Type, ServerHealthStatus }) => ({
            listener: `${Protocol.toLowerCase()}:${ListenerPort}`,
            backend: keyOfServer(ServerId, ServerIp, Port, Type),
            state: stateOf(ServerHealthStatus),
        }),
    );
}

async function nlbHealth(cloud: Cloud, { listeners, serverGroups }: ObservedLoadBalancer): Promise<LiveHealth[]> {
    const health: LiveHealth[] = [];
    for (const { id, protocol, port, serverGroupId } of listeners) {
        if (id === undefined) continue;
        const answer = NLB.parse(await cloud.call("nlb", "GetListenerHealthStatus", { ListenerId: id }));
        const servers = answer.ListenerHealthStatus.flatMap(({ ServerGroupInfos }) => ServerGroupInfos).flatMap(
            ({ NonNormalServers }) => NonNormalServers,
        );
        const states = new Map(
            servers.map(({ ServerId, ServerIp, Port, Status }) => [
                keyOfServer(ServerId, ServerIp, Port, typeOf(ServerId)),
                Status,
            ]),
        );
        for (const { key } of serverGroups.find((group) => group.id === serverGroupId)?.backends ?? [])
            health.push({
                listener: `${protocol}:${port}`,
                backend: key,
                state: stateOf(states.get(key) ?? "normal"),
            });
    }
    return health;
}

const typeOf = (serverId: string): string => (/^i-/.test(serverId) ? "ecs" : /^eni-/.test(serverId) ? "eni" : "ip");

function keyOfServer(serverId: string, serverIp: string, port: number, type: string): string {
    const kind = type === "eni" || type === "eci" || type === "ip" ? type : "ecs";
    return formatBackendKey(backendOf({ serverId, port, type: kind, ...(serverIp !== "" && { serverIp }) }));
}

/** Returns the state for a status of either API. */
function stateOf(text: string): LiveHealth["state"] {
    const word = text.toLowerCase();
    if (word === "normal" || word === "healthy") return "normal";
    return word === "abnormal" || word === "unhealthy" ? "abnormal" : "unavailable";
}
