import type { BackendIdentity, BackendServer } from "../../model/backend";
import { batches } from "../http/batch";
import {
    list,
    number,
    object,
    oneOf,
    optional,
    rawItems,
    readAnswer,
    requiredText,
    text,
    textList,
    truth,
} from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import type { Json } from "../http/json";
import { tokenPages } from "../http/page";
import { change } from "./jobs";
import { NLB_TAGS, readNlbTags } from "./tags";
import type { Tags } from "../slb/tags";
import { defined } from "../../schema/defined";

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

/** Types of servers as the API writes them. */
const KINDS = { Ecs: "ecs", Eni: "eni", Eci: "eci", Ip: "ip" } as const;

const SERVER = object({
    ServerId: requiredText,
    ServerIp: text,
    ServerType: oneOf("Ecs", "Eni", "Eci", "Ip"),
    Port: number,
    Weight: number,
    Description: text,
});

const SERVERS = object({ Servers: list(SERVER) });

const SERVER_GROUP = object({
    ServerGroupId: requiredText,
    ServerGroupName: text,
    VpcId: text,
    ServerGroupType: text,
    Protocol: text,
    AnyPortEnabled: truth,
    Tags: NLB_TAGS,
    RelatedLoadBalancerIds: optional(textList),
    ConnectionDrainEnabled: truth,
    ConnectionDrainTimeout: number,
    IpVersionAffinityMode: text,
});

const SERVER_GROUPS = object({ ServerGroups: list(SERVER_GROUP) });

/** The server groups with these ids that exist (ListServerGroups, 20 ids a call); no call for none. */
export async function findServerGroupsById(cloud: Cloud, ids: readonly string[]): Promise<NlbServerGroup[]> {
    return (await describeNlbServerGroupsById(cloud, ids)).map(withoutAttributes);
}

/** The same with all their attributes. */
export async function describeNlbServerGroupsById(
    cloud: Cloud,
    ids: readonly string[],
): Promise<DescribedServerGroup[]> {
    const found = await Promise.all(
        batches([...new Set(ids)], IDS_PER_CALL).map((batch) => describeNlbServerGroups(cloud, { ids: batch })),
    );
    return found.flat();
}

const withoutAttributes = ({ attributes: _, ...group }: DescribedServerGroup): NlbServerGroup => group;

/** What server groups are looked for by. */
export interface ServerGroupFilter {
    readonly names?: readonly string[];
    readonly ids?: readonly string[];
    readonly tags?: Tags;
}

/** A server group with everything that the cloud says of it, by the API's own names. */
export interface DescribedServerGroup extends NlbServerGroup {
    readonly attributes: Json;
}

/** Server groups by name or by tags (ListServerGroups, every page). */
export async function findServerGroups(cloud: Cloud, filter: ServerGroupFilter): Promise<NlbServerGroup[]> {
    return (await describeNlbServerGroups(cloud, filter)).map(withoutAttributes);
}

/** The same with all their attributes (ListServerGroups, every page). */
export async function describeNlbServerGroups(
    cloud: Cloud,
    filter: ServerGroupFilter,
): Promise<DescribedServerGroup[]> {
    const action = "ListServerGroups";
    const params = {
        ...defined({ ServerGroupNames: filter.names, ServerGroupIds: filter.ids }),
        ...(filter.tags && { Tag: Object.entries(filter.tags).map(([Key, Value]) => ({ Key, Value })) }),
    };
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("nlb", action, { ...params, MaxResults: PAGE_SIZE, NextToken }),
    );
    return pages.flatMap((page) => {
        const attributes = rawItems(page, "ServerGroups");
        return (readAnswer(action, SERVER_GROUPS, page).ServerGroups ?? []).map((group, index) => ({
            ...readGroup(group),
            attributes: attributes[index] ?? {},
        }));
    });
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
        return pages.flatMap((page) => readAnswer(action, SERVERS, page).Servers ?? []).map(readServer);
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
        ...defined({ ServerIp: serverIp }),
        ServerType: TYPES[type],
        Port: port,
    };
}

function writeServer(server: BackendServer): Record<string, unknown> {
    return {
        ...writeKey(server),
        Weight: server.weight,
        ...defined({ Description: server.description }),
    };
}

function readServer(server: ReturnType<typeof SERVER.parse>): BackendServer {
    const { ServerId, ServerIp, ServerType, Port = 0, Weight = 100, Description } = server;
    return {
        serverId: ServerId,
        ...defined({ serverIp: ServerIp }),
        port: Port,
        weight: Weight,
        type: KINDS[ServerType],
        ...defined({ description: Description }),
    };
}

function readGroup(group: ReturnType<typeof SERVER_GROUP.parse>): NlbServerGroup {
    const drainTimeout = group.ConnectionDrainEnabled === true ? group.ConnectionDrainTimeout : undefined;
    return {
        id: group.ServerGroupId,
        name: group.ServerGroupName ?? "",
        ...defined({ vpcId: group.VpcId, type: group.ServerGroupType, protocol: group.Protocol }),
        anyPort: group.AnyPortEnabled === true,
        tags: readNlbTags(group.Tags),
        loadBalancerIds: group.RelatedLoadBalancerIds ?? [],
        ...defined({ drainTimeout, affinity: group.IpVersionAffinityMode }),
    };
}
