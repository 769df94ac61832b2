/** Reads the load balancer of a Service with its listeners, server groups, backends and their health. */

import { z } from "zod";
import { type Cloud, CloudError } from "../../provider/cloud";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { describeAcl, findAclsByName } from "../../provider/clb/acl";
import { readClbListener } from "../../provider/clb/listener";
import { findLoadBalancersByName, findLoadBalancersByTag } from "../../provider/clb/load-balancer";
import * as nlb from "../../provider/nlb";
import { readQuotas } from "../../provider/cloud/quotas";
import { instancesOf } from "../../provider/plan/reuse/instances";
import { formatBackendKey, serverAddress } from "../../provider/schema/backend";
import type { ServiceObject } from "../../provider/service/objects";
import { defaultLoadBalancerName, OWNER_TAG } from "../../provider/schema/names";
import type { ObservedLoadBalancer } from "../../provider/schema/observed";
import { firstLine } from "../../provider/net";
import { observeLoadBalancer } from "../../provider/plan/reuse/instances";
import { clbProtocol } from "../../provider/schema/protocols";
import type { Settings } from "../../provider/schema/settings";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { CloudAccess } from "./access";
import type { LiveCloud, LiveHealth } from "./model";

/** Service whose load balancer is read. */
interface CloudQuery {
    readonly object: ServiceObject;
    readonly type: LoadBalancerType;
    readonly settings: Pick<Settings, "id" | "name">;
    readonly model: ClbDesired | NlbDesired | undefined;
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
        const listed = new Set(found.serverGroups.map((group) => group.id));
        const joined = (query.model?.serverGroups ?? []).flatMap(({ joined: group = "" }) =>
            listed.has(group) ? [] : group,
        );
        const more =
            query.type === "nlb"
                ? await api.listGroups(
                      found.id,
                      joined.filter((group) => group !== ""),
                  )
                : [];
        const serverGroups = await Promise.all(
            [...found.serverGroups, ...more].map(async (group) => ({
                ...group,
                backends: await api.listBackends(group.id),
            })),
        );
        const instance = { ...found, serverGroups };
        const [health, quotas, attributes, aclEntries] = await Promise.all([
            readHealth(cloud, query.type, instance),
            readQuotas(cloud, [query.type]),
            query.type === "clb" ? clbAttributes(cloud, instance) : nlbAttributes(cloud, instance),
            readAclEntries(cloud, query),
        ]);
        return { kind: "found", instance, health, quotas, ...attributes, aclEntries };
    } catch (error) {
        return failed(error);
    }
}

type Attributes = Pick<Extract<LiveCloud, { kind: "found" }>, "listeners" | "groups">;

async function clbAttributes(cloud: Cloud, { id, listeners }: ObservedLoadBalancer): Promise<Attributes> {
    const found = listeners.map(async ({ protocol, port }) => {
        const listener = await readClbListener(cloud, id, { protocol: clbProtocol(protocol), port });
        return listener === undefined ? [] : [[`${protocol}:${port}`, listener] as const];
    });
    return { listeners: Object.fromEntries((await Promise.all(found)).flat()), groups: {} };
}

async function nlbAttributes(cloud: Cloud, { id, serverGroups }: ObservedLoadBalancer): Promise<Attributes> {
    const ids = serverGroups.map((group) => group.id);
    const [listeners, groups] = await Promise.all([
        nlb.listNlbListeners(cloud, id),
        nlb.findServerGroupsById(cloud, ids),
    ]);
    return {
        listeners: Object.fromEntries(listeners.map((one) => [`${one.protocol}:${one.port}`, one])),
        groups: Object.fromEntries(groups.map((group) => [group.id, group])),
    };
}

/** Returns the ranges of the list that the Service's source ranges fill; undefined without such a list. */
async function readAclEntries(cloud: Cloud, { object, type, model }: CloudQuery): Promise<string[] | undefined> {
    if (type === "nlb" || (model?.loadBalancer.sourceRanges ?? []).length === 0) return undefined;
    const [id] = await findAclsByName(cloud, markOf(object));
    const acl = id === undefined ? undefined : await describeAcl(cloud, id);
    return acl?.entries.map(({ entry }) => entry);
}

/** Returns ids of instances with the owner tag of the Service; without one, of those with its name. */
async function findInstances(cloud: Cloud, { object, type, settings }: CloudQuery): Promise<string[]> {
    const mark = markOf(object);
    const name = settings.name ?? mark;
    if (type === "clb") {
        const tagged = await findLoadBalancersByTag(cloud, { [OWNER_TAG]: mark });
        return (tagged.length > 0 ? tagged : await findLoadBalancersByName(cloud, name)).map(({ id }) => id);
    }
    const named = await nlb.findNlbLoadBalancers(cloud, name);
    const tagged = named.filter(({ tags }) => tags[OWNER_TAG] === mark);
    return (tagged.length > 0 ? tagged : named).map(({ id }) => id);
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
        for (const one of serverGroups.find((group) => group.id === serverGroupId)?.backends ?? []) {
            const key = formatBackendKey(one);
            health.push({
                listener: `${protocol}:${port}`,
                backend: key,
                state: stateOf(states.get(key) ?? "normal"),
            });
        }
    }
    return health;
}

const typeOf = (serverId: string): string => (/^i-/.test(serverId) ? "ecs" : /^eni-/.test(serverId) ? "eni" : "ip");

const keyOfServer = (id: string, ip: string, port: number, type: string): string =>
    formatBackendKey({ ...serverAddress({ id, ip, type }), port });

/** Returns the state for a status of either API. */
function stateOf(text: string): LiveHealth["state"] {
    const word = text.toLowerCase();
    if (word === "normal" || word === "healthy") return "normal";
    return word === "abnormal" || word === "unhealthy" ? "abnormal" : "unavailable";
}
