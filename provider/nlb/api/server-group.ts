import { serverAddress, type Backend, isAddress } from "../../schema/backend";
import { defined } from "../../schema/defined";
import {
    converted,
    defaulted,
    fields,
    type Json,
    list,
    number,
    object,
    literalOf,
    optional,
    rawItems,
    type Read,
    readAnswer,
    requiredText,
    tagList,
    type Tags,
    text,
    textList,
    truth,
} from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import { ignoreNotFound } from "../../cloud/http/error";
import { batches, tokenItems } from "../../cloud/http/page";
import { change } from "./jobs";

/**
 * Most servers in one call. Source: NLB API, UpdateServerGroupServersAttribute and RemoveServersFromServerGroup; CCM.
 * AddServersToServerGroup takes more in some regions.
 */
const SERVERS_PER_CALL = 40;

/** Source: NLB API, ListServerGroups, ServerGroupIds. */
const IDS_PER_CALL = 20;

const PAGE_SIZE = 100;

const SERVERS = object({
    Servers: list(
        converted(
            fields({
                id: ["ServerId", requiredText],
                ip: ["ServerIp", text],
                type: ["ServerType", literalOf("Ecs", "Eni", "Eci", "Ip")],
                port: ["Port", defaulted(number, 0)],
                weight: ["Weight", defaulted(number, 100)],
                mark: ["Description", text],
            }),
            ({ id, ip, type, ...backend }): Backend => ({
                ...serverAddress({ id, ip, type: type.toLowerCase() }),
                ...backend,
            }),
        ),
    ),
});

const SERVER_GROUP = converted(
    fields({
        id: ["ServerGroupId", requiredText],
        name: ["ServerGroupName", defaulted(text, "")],
        vpcId: ["VpcId", text],
        /** `Instance` or `Ip`. */
        type: ["ServerGroupType", text],
        /** `TCP`, `UDP`, `TCPSSL` or `TCP_UDP`. */
        protocol: ["Protocol", text],
        /** Members answer on the port of the client's request. */
        anyPort: ["AnyPortEnabled", converted(truth, (enabled) => enabled === true)],
        tags: ["Tags", tagList()],
        /** Load balancers whose listeners use it. */
        loadBalancerIds: ["RelatedLoadBalancerIds", defaulted<readonly string[]>(optional(textList), [])],
        drains: ["ConnectionDrainEnabled", truth],
        /** Seconds; absent while the drain is off. */
        drainTimeout: ["ConnectionDrainTimeout", number],
        /** `Affinity` or `NonAffinity`; absent without IPv6 members. */
        affinity: ["IpVersionAffinityMode", text],
    }),
    ({ drains, drainTimeout, ...group }) => ({
        ...group,
        ...defined({ drainTimeout: drains === true ? drainTimeout : undefined }),
    }),
);

/** Server group of an NLB as observed. */
type ListedServerGroup = Read<typeof SERVER_GROUP>;

/** Server group with all its attributes by the API's names. */
type DescribedServerGroup = ListedServerGroup & { readonly attributes: Json };

const SERVER_GROUPS = object({ ServerGroups: list(SERVER_GROUP) });

/** Returns the server groups with these ids that exist (ListServerGroups, 20 ids a call). */
export async function findServerGroupsById(cloud: Cloud, ids: readonly string[]): Promise<ListedServerGroup[]> {
    return (await describeNlbServerGroupsById(cloud, ids)).map(withoutAttributes);
}

/** Returns the server groups with these ids that exist, with their attributes (ListServerGroups, 20 ids a call). */
export async function describeNlbServerGroupsById(
    cloud: Cloud,
    ids: readonly string[],
): Promise<DescribedServerGroup[]> {
    const found = await Promise.all(
        batches([...new Set(ids)], IDS_PER_CALL).map((batch) => describeNlbServerGroups(cloud, { ids: batch })),
    );
    return found.flat();
}

const withoutAttributes = ({ attributes: _, ...group }: DescribedServerGroup): ListedServerGroup => group;

interface ServerGroupFilter {
    readonly names?: readonly string[];
    readonly ids?: readonly string[];
    readonly tags?: Tags;
}

/** Returns the server groups that match a filter (ListServerGroups, every page). */
export async function findServerGroups(cloud: Cloud, filter: ServerGroupFilter): Promise<ListedServerGroup[]> {
    return (await describeNlbServerGroups(cloud, filter)).map(withoutAttributes);
}

/** Returns the server groups that match a filter, with their attributes (ListServerGroups, every page). */
export function describeNlbServerGroups(
    cloud: Cloud,
    { names, ids, tags }: ServerGroupFilter,
): Promise<DescribedServerGroup[]> {
    const action = "ListServerGroups";
    const params = defined({
        ServerGroupNames: names,
        ServerGroupIds: ids,
        Tag: tags && Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        MaxResults: PAGE_SIZE,
    });
    return tokenItems(
        action,
        (NextToken) => cloud.call("nlb", action, { ...params, NextToken }),
        (page) => {
            const { ServerGroups = [] } = readAnswer(action, SERVER_GROUPS, page);
            const attributes = rawItems(page, "ServerGroups");
            return ServerGroups.map((group, index) => ({ ...group, attributes: attributes[index] ?? {} }));
        },
    );
}

/** Deletes a group, if it exists (DeleteServerGroup). Fails while a listener uses it. */
export async function deleteNlbServerGroup(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("serverGroup", change(cloud, "DeleteServerGroup", { ServerGroupId: id }));
}

/** Sets attributes by the API's names; others stay (UpdateServerGroupAttribute). */
export async function updateServerGroup(
    cloud: Cloud,
    id: string,
    attributes: Readonly<Record<string, string>>,
): Promise<void> {
    await change(cloud, "UpdateServerGroupAttribute", { ServerGroupId: id, ...attributes });
}

/** Returns all members of a group; undefined if it does not exist (ListServerGroupServers, every page). */
export function listServers(cloud: Cloud, id: string): Promise<Backend[] | undefined> {
    const action = "ListServerGroupServers";
    const servers = tokenItems<Backend>(
        action,
        (NextToken) => cloud.call("nlb", action, { ServerGroupId: id, MaxResults: PAGE_SIZE, NextToken }),
        (page) => readAnswer(action, SERVERS, page).Servers ?? [],
    );
    return ignoreNotFound("serverGroup", servers);
}

/** Adds members, 40 a call, in order (AddServersToServerGroup). A failure leaves the batches before it added. */
export async function addServers(cloud: Cloud, id: string, servers: readonly Backend[]): Promise<void> {
    for (const batch of batches(servers, SERVERS_PER_CALL))
        await change(cloud, "AddServersToServerGroup", { ServerGroupId: id, Servers: batch.map(writeServer) });
}

/** Sets weight and description of members, 40 a call (UpdateServerGroupServersAttribute). Other members stay. */
export async function updateServers(cloud: Cloud, id: string, servers: readonly Backend[]): Promise<void> {
    for (const batch of batches(servers, SERVERS_PER_CALL)) {
        const Servers = batch.map(writeServer);
        await change(cloud, "UpdateServerGroupServersAttribute", { ServerGroupId: id, Servers });
    }
}

/** Removes members, 40 a call (RemoveServersFromServerGroup). The group's drain applies to open connections. */
export async function removeServers(
    cloud: Cloud,
    id: string,
    servers: readonly Omit<Backend, "weight">[],
): Promise<void> {
    for (const batch of batches(servers, SERVERS_PER_CALL))
        await change(cloud, "RemoveServersFromServerGroup", { ServerGroupId: id, Servers: batch.map(writeKey) });
}

function writeKey({ address, eni, port }: Omit<Backend, "weight">): Record<string, unknown> {
    if (eni !== undefined) return { ServerId: eni, ServerIp: address, ServerType: "Eni", Port: port };
    return isAddress({ address })
        ? { ServerId: address, ServerIp: address, ServerType: "Ip", Port: port }
        : { ServerId: address, ServerType: "Ecs", Port: port };
}

function writeServer(backend: Backend): Record<string, unknown> {
    return { ...writeKey(backend), Weight: backend.weight, ...defined({ Description: backend.mark }) };
}
