import type { BackendIdentity, BackendServer } from "../../model/backend";
import { batches } from "../http/batch";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, number, requireText, text, type Json } from "../http/json";
import { tokenPages } from "../http/page";
import { change } from "./jobs";
import { readNlbTags } from "./tags";
import type { Tags } from "../slb/tags";

/** An NLB server group. */
export interface NlbServerGroup {
    readonly id: string;
    readonly name: string;
    readonly vpcId?: string;
    /** `Instance` or `Ip`. */
    readonly type?: string;
    /** `TCP`, `UDP`, `TCPSSL` or `TCP_UDP`. */
    readonly protocol?: string;
    /** Members answer on the port that the client has asked for. */
    readonly anyPort: boolean;
    readonly tags: Tags;
    /** Load balancers whose listeners use it. */
    readonly loadBalancerIds: readonly string[];
    /** Seconds; only while draining is on. */
    readonly drainTimeout?: number;
    /** `Affinity`, `NonAffinity`; absent where the group has no IPv6 members. */
    readonly affinity?: string;
}

/**
 * Most servers in one call. Source: NLB API, UpdateServerGroupServersAttribute and RemoveServersFromServerGroup; AddServersToServerGroup takes more in some regions, and
 * CCM sends as many.
 */
export const SERVERS_PER_CALL = 40;

const PAGE_SIZE = 100;

/** Most ids in one call. Source: NLB API, ListServerGroups, ServerGroupIds. */
const IDS_PER_CALL = 20;

/** The server groups with these ids that exist (ListServerGroups, 20 ids a call); no call for none. */
export async function findServerGroupsById(cloud: Cloud, ids: readonly string[]): Promise<NlbServerGroup[]> {
    const found = await Promise.all(
        batches([...new Set(ids)], IDS_PER_CALL).map((batch) => findServerGroups(cloud, { ids: batch })),
    );
    return found.flat();
}

/** Server groups by name or by tags (ListServerGroups, every page). */
export async function findServerGroups(
    cloud: Cloud,
    filter: { readonly names?: readonly string[]; readonly ids?: readonly string[]; readonly tags?: Tags },
): Promise<NlbServerGroup[]> {
    const action = "ListServerGroups";
    const params = {
        ...(filter.names === undefined ? {} : { ServerGroupNames: filter.names }),
        ...(filter.ids === undefined ? {} : { ServerGroupIds: filter.ids }),
        ...(filter.tags === undefined
            ? {}
            : { Tag: Object.entries(filter.tags).map(([Key, Value]) => ({ Key, Value })) }),
    };
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("nlb", action, { ...params, MaxResults: PAGE_SIZE, NextToken }),
    );
    return pages.flatMap((page) => list(page, "ServerGroups")).map((item) => readGroup(item, action));
}

/** Deletes a group; one that is gone already is fine (DeleteServerGroup). Fails while a listener uses it. */
export async function deleteNlbServerGroup(cloud: Cloud, id: string): Promise<void> {
    try {
        await change(cloud, "DeleteServerGroup", { ServerGroupId: id });
    } catch (error) {
        if (!isNotFound(error, "serverGroup")) throw error;
    }
}

/** Sets attributes by the API's own names; those not given stay (UpdateServerGroupAttribute). */
export async function updateServerGroup(
    cloud: Cloud,
    id: string,
    attributes: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
    await change(cloud, "UpdateServerGroupAttribute", { ServerGroupId: id, ...attributes });
}

/** All members of a group, or undefined if it is gone (ListServerGroupServers, every page). */
export async function listServers(cloud: Cloud, id: string): Promise<BackendServer[] | undefined> {
    const action = "ListServerGroupServers";
    try {
        const pages = await tokenPages(action, (NextToken) =>
            cloud.call("nlb", action, { ServerGroupId: id, MaxResults: PAGE_SIZE, NextToken }),
        );
        return pages.flatMap((page) => list(page, "Servers")).map((item) => readServer(item, action));
    } catch (error) {
        if (isNotFound(error, "serverGroup")) return undefined;
        throw error;
    }
}

/** Adds members, 40 a call, each call carried out before the next (AddServersToServerGroup). A failure leaves the batches before it added. */
export async function addServers(cloud: Cloud, id: string, servers: readonly BackendServer[]): Promise<void> {
    for (const batch of batches(servers, SERVERS_PER_CALL))
        await change(cloud, "AddServersToServerGroup", { ServerGroupId: id, Servers: batch.map(writeServer) });
}

/** Sets weight and description of members that are there, 40 a call (UpdateServerGroupServersAttribute). Others stay as they are. */
export async function updateServers(cloud: Cloud, id: string, servers: readonly BackendServer[]): Promise<void> {
    for (const batch of batches(servers, SERVERS_PER_CALL))
        await change(cloud, "UpdateServerGroupServersAttribute", {
            ServerGroupId: id,
            Servers: batch.map(writeServer),
        });
}

/** Removes members, 40 a call (RemoveServersFromServerGroup). Open connections end as the group's draining says. */
export async function removeServers(cloud: Cloud, id: string, servers: readonly BackendIdentity[]): Promise<void> {
    for (const batch of batches(servers, SERVERS_PER_CALL))
        await change(cloud, "RemoveServersFromServerGroup", { ServerGroupId: id, Servers: batch.map(writeKey) });
}

const TYPES = { ecs: "Ecs", eni: "Eni", eci: "Eci", ip: "Ip" } as const;

function writeKey({ serverId, serverIp, port, type }: BackendIdentity): Record<string, unknown> {
    return {
        ServerId: serverId,
        ...(serverIp === undefined ? {} : { ServerIp: serverIp }),
        ServerType: TYPES[type],
        Port: port,
    };
}

function writeServer(server: BackendServer): Record<string, unknown> {
    return {
        ...writeKey(server),
        Weight: server.weight,
        ...(server.description === undefined ? {} : { Description: server.description }),
    };
}

function readServer(item: Json, action: string): BackendServer {
    const word = requireText(item, "ServerType", action).toLowerCase();
    const serverIp = text(item, "ServerIp");
    const description = text(item, "Description");
    return {
        serverId: requireText(item, "ServerId", action),
        ...(serverIp === undefined ? {} : { serverIp }),
        port: number(item, "Port") ?? 0,
        weight: number(item, "Weight") ?? 100,
        type: word as BackendServer["type"],
        ...(description === undefined ? {} : { description }),
    };
}

function readGroup(item: Json, action: string): NlbServerGroup {
    const [vpcId, type, protocol] = [text(item, "VpcId"), text(item, "ServerGroupType"), text(item, "Protocol")];
    const drainTimeout = item["ConnectionDrainEnabled"] === true ? number(item, "ConnectionDrainTimeout") : undefined;
    const affinity = text(item, "IpVersionAffinityMode");
    const users = item["RelatedLoadBalancerIds"];
    return {
        id: requireText(item, "ServerGroupId", action),
        name: text(item, "ServerGroupName") ?? "",
        ...(vpcId === undefined ? {} : { vpcId }),
        ...(type === undefined ? {} : { type }),
        ...(protocol === undefined ? {} : { protocol }),
        anyPort: item["AnyPortEnabled"] === true,
        tags: readNlbTags(item),
        loadBalancerIds: Array.isArray(users) ? users.map(String) : [],
        ...(drainTimeout === undefined ? {} : { drainTimeout }),
        ...(affinity === undefined ? {} : { affinity }),
    };
}
