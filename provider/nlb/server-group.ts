/** Server groups of an NLB with their members: type, building, reading and writing. */

import { type Backend, isAddress, serverAddress } from "../schema/backend";
import type { ClusterFacts } from "../schema/facts";
import { defined } from "../schema/defined";
import { listenerProtocolOf, type NlbProtocol, nlbProtocol } from "../schema/protocols";
import { portText } from "../schema/listener-address";
import type { ObservedServerGroup, ServerGroup, ServerGroupType } from "../schema/server-group";
import type { Settings } from "../schema/settings";
import { joinedGroup, joinedKey, portKey } from "../clb/server-group";
import type { Service, ServicePort } from "../service/service";
import { backendTypeOf, settled } from "../service/annotations";
import { portRangeOf } from "../service/reuse";
import * as api from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { batches, listByToken } from "../cloud/http/page";
import { ignoreNotFound } from "../cloud/http/error";
import { buildNlbHealthCheck, NLB_HEALTH_CHECK, nlbCheckArguments, type NlbHealthCheck } from "./health-check";
import { change } from "./jobs";

/** NLB server group of a Service. It belongs to the VPC, and has attributes that a CLB has in its listeners. */
export interface NlbServerGroup extends ServerGroup {
    readonly protocol: NlbProtocol;
    readonly type: ServerGroupType;
    readonly anyPort: boolean;
    readonly ipVersion: "ipv4" | "ipv6" | "dualstack";
    /** As the API writes it: `Wrr`, `Sch`, … */
    readonly scheduler: string;
    /** Seconds that connections to a removed member may go on. If absent, they are left open. */
    readonly drainTimeout?: number;
    /** Absent = the cloud chooses. */
    readonly preserveClientIp?: boolean;
    readonly healthCheck: NlbHealthCheck;
}

export const protocolOf = ({ settings }: Service, port: ServicePort): NlbProtocol =>
    nlbProtocol(listenerProtocolOf(port, settings));

/**
 * Returns the key of a group. Pods with the same targetPort and protocol form a group, as in CCM, and a range of ports
 * has its own.
 */
export function nlbGroupKey(service: Service, port: ServicePort, facts: ClusterFacts): string {
    const { settings } = service;
    if (joinedGroup(service, port) !== undefined) return joinedKey(port);
    const shared = backendTypeOf(settings, facts) === "eni" && portRangeOf(settings, port).endPort === undefined;
    return shared ? `target-${protocolOf(service, port)}-${port.targetPort}` : portKey(port);
}

/** Builds the server groups of a Service, in the order in which its ports first need them. */
export function buildNlbServerGroups(service: Service, facts: ClusterFacts): NlbServerGroup[] {
    return [...Map.groupBy(service.ports, (port) => nlbGroupKey(service, port, facts))].map(([key, ports]) =>
        buildGroup(service, key, ports, facts),
    );
}

function buildGroup(
    service: Service,
    key: string,
    served: readonly ServicePort[],
    facts: ClusterFacts,
): NlbServerGroup {
    const { settings } = service;
    const [port] = served as [ServicePort];
    const kind = backendTypeOf(settings, facts);
    const protocol = protocolOf(service, port);
    const ports = portRangeOf(settings, port);
    const anyPort = ports.endPort !== undefined;
    const type = settled(settings, "serverGroupType", "nlb");
    return defined({
        key,
        kind,
        ports: served.map(({ port: number, protocol: transport }) => ({ port: number, protocol: transport })),
        backendPort: anyPort ? undefined : kind === "eni" ? port.targetPort : port.nodePort,
        joined: joinedGroup(service, port),
        protocol,
        type,
        anyPort,
        ipVersion: settled(settings, "backendIpVersion", "nlb"),
        scheduler: capitalised(settled(settings, "scheduler", "nlb")),
        drainTimeout: settings.connectionDrain === "on" ? settings.connectionDrainTimeout : undefined,
        preserveClientIp: preservesClientIp(settings, protocol, type),
        healthCheck: buildNlbHealthCheck(settings, port, anyPort),
        range: anyPort ? portText(ports) : undefined,
    });
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * Returns the setting. Groups of TLS listeners cannot keep the client's address, and for groups of addresses no default
 * is documented.
 */
function preservesClientIp(
    settings: Settings,
    protocol: NlbProtocol,
    type: NlbServerGroup["type"],
): boolean | undefined {
    if (protocol === "tcpssl") return false;
    if (settings.preserveClientIp !== undefined) return settings.preserveClientIp === "on";
    return type === "Ip" ? undefined : true;
}

/** Attributes of a group that do not depend on its place in a Service. */
type GroupAttributes = Omit<NlbServerGroup, Exclude<keyof ServerGroup, "type" | "anyPort" | "ipVersion">>;

/** Shortest draining time that the alicloud plugin takes, in seconds. The cloud takes shorter times. */
const SHORTEST_DRAIN = 10;

/**
 * Returns the IP version of a group, as the plugin writes it. Undefined for IPv4: plugin and cloud do not write it
 * alike, and a difference would replace the group.
 */
export const addressIpVersionOf = ({ ipVersion }: Pick<NlbServerGroup, "ipVersion">): "DualStack" | undefined =>
    ipVersion === "ipv4" ? undefined : "DualStack";

/** Returns the arguments of the alicloud plugin for a group, but for its name, VPC, resource group and tags. */
export function nlbGroupArguments(group: GroupAttributes & { readonly protocol: string }) {
    const { drainTimeout } = group;
    return {
        protocol: group.protocol.toUpperCase(),
        serverGroupType: group.type,
        anyPortEnabled: group.anyPort,
        ...defined({ addressIpVersion: addressIpVersionOf(group) }),
        scheduler: group.scheduler,
        connectionDrainEnabled: drainTimeout !== undefined,
        ...(drainTimeout !== undefined && drainTimeout >= SHORTEST_DRAIN
            ? { connectionDrainTimeout: drainTimeout }
            : {}),
        preserveClientIpEnabled: group.preserveClientIp,
        healthCheck: nlbCheckArguments(group.healthCheck),
    };
}

/** Affinity by IP version: a dual-stack group prefers backends of the client's version, or any. */
const AFFINITY = { ipv4: undefined, ipv6: "NonAffinity", dualstack: "Affinity" } as const;

/** Returns the attributes that the plugin cannot set, or only in part, by the API's names. */
export function serverGroupOptions({ drainTimeout, ipVersion }: NlbServerGroup): Record<string, string> {
    return defined({
        ConnectionDrainTimeout: drainTimeout?.toString(),
        IpVersionAffinityMode: AFFINITY[ipVersion],
    });
}

/**
 * Most servers in a call. Source: NLB API, UpdateServerGroupServersAttribute and RemoveServersFromServerGroup, and CCM.
 * AddServersToServerGroup takes more in some regions.
 */
export const SERVERS_PER_CALL = 40;

/** Source: NLB API, ListServerGroups, ServerGroupIds. */
const IDS_PER_CALL = 20;

const PAGE_SIZE = 100;

const SERVER = api.converted(
    api.fields({
        id: ["ServerId", api.requiredText],
        ip: ["ServerIp", api.text],
        type: ["ServerType", api.literalOf("Ecs", "Eni", "Eci", "Ip")],
        port: ["Port", api.defaulted(api.number, 0)],
        weight: ["Weight", api.defaulted(api.number, 100)],
        mark: ["Description", api.text],
    }),
    ({ id, ip, type, ...backend }): Backend => ({
        ...serverAddress({ id, ip, type: type.toLowerCase() }),
        ...backend,
    }),
);

/** Server group of an NLB as observed. The API may write words in another case. */
export interface ObservedNlbServerGroup extends ObservedServerGroup, GroupAttributes {
    readonly type: ServerGroupType;
    readonly anyPort: boolean;
    readonly protocol: NlbProtocol | "tcp_udp";
    readonly resourceGroupId?: string;
    readonly tags: api.Tags;
    /** Load balancers whose listeners use it. */
    readonly loadBalancerIds: readonly string[];
    /** `Affinity` or `NonAffinity`, absent without IPv6 members. */
    readonly affinity?: string;
    /** Request and answer of a UDP check. No Service sets them. */
    readonly checkRequest?: string;
    readonly checkAnswer?: string;
}

const SERVER_GROUP = api.converted(
    api.fields({
        id: ["ServerGroupId", api.requiredText],
        name: ["ServerGroupName", api.defaulted(api.text, "")],
        vpcId: ["VpcId", api.text],
        resourceGroupId: ["ResourceGroupId", api.text],
        type: ["ServerGroupType", api.converted(api.text, (type = "Instance") => type as ServerGroupType)],
        protocol: ["Protocol", api.converted(api.text, (word = "") => word.toLowerCase() as NlbProtocol | "tcp_udp")],
        anyPort: ["AnyPortEnabled", api.flag],
        ipVersion: [
            "AddressIPVersion",
            api.converted(api.text, (version): NlbServerGroup["ipVersion"] =>
                /^dualstack$/i.test(version ?? "") ? "dualstack" : "ipv4",
            ),
        ],
        scheduler: ["Scheduler", api.defaulted(api.text, "")],
        preserveClientIp: ["PreserveClientIpEnabled", api.flag],
        check: ["HealthCheck", api.optional(NLB_HEALTH_CHECK)],
        tags: ["Tags", api.tagList()],
        loadBalancerIds: ["RelatedLoadBalancerIds", api.defaulted<readonly string[]>(api.optional(api.textList), [])],
        drains: ["ConnectionDrainEnabled", api.flag],
        drainTimeout: ["ConnectionDrainTimeout", api.number],
        affinity: ["IpVersionAffinityMode", api.text],
    }),
    ({ drains, drainTimeout, check, ...group }): ObservedNlbServerGroup => ({
        ...group,
        ...(check ?? { healthCheck: { enabled: false } }),
        ...defined({ drainTimeout: drains ? drainTimeout : undefined }),
    }),
);

/** Returns the server groups with these ids that exist (ListServerGroups, 20 ids a call). */
export async function findServerGroupsById(cloud: Cloud, ids: readonly string[]): Promise<ObservedNlbServerGroup[]> {
    const found = await Promise.all(
        batches([...new Set(ids)], IDS_PER_CALL).map((batch) => findServerGroups(cloud, { ids: batch })),
    );
    return found.flat();
}

/** Returns the server groups that match a filter (ListServerGroups, every page). */
export function findServerGroups(
    cloud: Cloud,
    by: { readonly names?: readonly string[]; readonly ids?: readonly string[]; readonly tags?: api.Tags },
): Promise<ObservedNlbServerGroup[]> {
    const params = defined({
        ServerGroupNames: by.names,
        ServerGroupIds: by.ids,
        Tag: by.tags && Object.entries(by.tags).map(([Key, Value]) => ({ Key, Value })),
        MaxResults: PAGE_SIZE,
    });
    return listByToken(cloud, "nlb", "ListServerGroups", params, ["ServerGroups", SERVER_GROUP]);
}

/** Deletes a group, if it exists (DeleteServerGroup). Fails while a listener uses it. */
export async function deleteNlbServerGroup(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("serverGroup", change(cloud, "DeleteServerGroup", { ServerGroupId: id }));
}

/** Sets attributes by the API's names, and leaves others (UpdateServerGroupAttribute). */
export async function updateServerGroup(
    cloud: Cloud,
    id: string,
    attributes: Readonly<Record<string, string>>,
): Promise<void> {
    await change(cloud, "UpdateServerGroupAttribute", { ServerGroupId: id, ...attributes });
}

/** Returns all members of a group, or undefined if it does not exist (ListServerGroupServers, every page). */
export function listServers(cloud: Cloud, id: string): Promise<Backend[] | undefined> {
    const params = { ServerGroupId: id, MaxResults: PAGE_SIZE };
    const servers = listByToken(cloud, "nlb", "ListServerGroupServers", params, ["Servers", SERVER]);
    return ignoreNotFound("serverGroup", servers);
}

/** Adds members, 40 a call, in order (AddServersToServerGroup). A failure leaves the batches before it added. */
export const addServers = (cloud: Cloud, id: string, servers: readonly Backend[]): Promise<void> =>
    changeServers(cloud, "AddServersToServerGroup", id, servers.map(writeServer));

/** Sets weight and description of members, 40 a call (UpdateServerGroupServersAttribute). Other members stay. */
export const updateServers = (cloud: Cloud, id: string, servers: readonly Backend[]): Promise<void> =>
    changeServers(cloud, "UpdateServerGroupServersAttribute", id, servers.map(writeServer));

/** Removes members, 40 a call (RemoveServersFromServerGroup). The group's drain applies to open connections. */
export const removeServers = (cloud: Cloud, id: string, servers: readonly Omit<Backend, "weight">[]): Promise<void> =>
    changeServers(cloud, "RemoveServersFromServerGroup", id, servers.map(writeKey));

async function changeServers(cloud: Cloud, action: string, id: string, servers: readonly object[]): Promise<void> {
    for (const Servers of batches(servers, SERVERS_PER_CALL))
        await change(cloud, action, { ServerGroupId: id, Servers });
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
