/** Reads the load balancer of a Service with its listeners, server groups, backends and their health. */

import { isIP } from "node:net";
import { z } from "zod";
import { type Cloud, CloudError, openAccount } from "../../provider/cloud";
import type { Account } from "../../provider/schema/account";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { describeAcl, findAclsByName } from "../../provider/clb/acl";
import { describeServerCertificate, readWholeListener } from "../../provider/clb/certificate";
import { findLoadBalancersByAddress, findLoadBalancersByTag } from "../../provider/clb/load-balancer";
import { listTags } from "../../provider/clb/tags";
import * as nlb from "../../provider/nlb";
import { getCertificate, siteOf } from "../../provider/cloud/certificate";
import { readQuotas } from "../../provider/cloud/quotas";
import { findElasticAddresses } from "../../provider/cloud/vpc";
import { defined } from "../../provider/schema/defined";
import { formatBackendKey, serverAddress } from "../../provider/schema/backend";
import type { ServiceObject } from "../../provider/service/objects";
import { CLUSTER_TAG, OWNER_TAG, sameService, securityGroupMark } from "../../provider/schema/names";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import { firstLine } from "../../provider/net";
import { observeSecurityGroup } from "../../provider/plan/adoption";
import { instancesOf, observeLoadBalancer } from "../../provider/plan/reuse/instances";
import { clbProtocol } from "../../provider/schema/protocols";
import type { Settings } from "../../provider/schema/settings";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { instanceMarkOf, markOf } from "./groups";
import { addressesOf, loadBalancerManagerOf } from "./model";
import type { LiveCertificate, LiveCloud, LiveHealth, ObservedLiveListener } from "./model";

/** Client of the cloud, or the reason why it cannot be opened. */
export type CloudAccess =
    { readonly cloud: Cloud; readonly openSite: (region: string) => Cloud } | { readonly failure: unknown };

/** Opens the cloud of an account, which needs a region. */
export function openCloud(account: Account): CloudAccess {
    try {
        return { cloud: openAccount(account), openSite: (region) => openAccount({ ...account, region }) };
    } catch (failure) {
        return { failure };
    }
}

interface CloudQuery {
    readonly object: ServiceObject;
    readonly type: LoadBalancerType;
    readonly settings: Pick<Settings, "id" | "name" | "externalIpType">;
    readonly model: ClbDesired | NlbDesired | undefined;
}

/** Reads the load balancer of a Service. A failure is a result: the cluster is shown without the cloud. */
export async function readCloud(access: CloudAccess, query: CloudQuery): Promise<LiveCloud> {
    if ("failure" in access) return failed(access.failure);
    const { cloud } = access;
    const { type, settings, object, model } = query;
    try {
        const api = instancesOf(cloud, type);
        const id = settings.id ?? (await findInstance(cloud, query));
        const found = id === undefined ? undefined : await observeLoadBalancer(api, id);
        if (found === undefined) return { kind: "missing", lookedFor: settings.id ?? instanceMarkOf(object) };
        const listed = found.serverGroups.map((group) => group.id);
        const joined = (model?.serverGroups ?? []).flatMap((group) => group.joined ?? []);
        const tagged =
            type === "clb" ? [] : await nlb.findServerGroups(cloud, { tags: { [OWNER_TAG]: instanceMarkOf(object) } });
        const others = [...joined, ...tagged.map(({ id: own }) => own)].filter((one) => !listed.includes(one));
        const unused = type === "clb" ? [] : await api.listGroups(found.id, others);
        const serverGroups = [...found.serverGroups, ...unused].map(async (group) => {
            return { ...group, backends: await api.listBackends(group.id) };
        });
        const instance = { ...found, serverGroups: await Promise.all(serverGroups) };
        const [health, quotas, attributes, former] = await Promise.all([
            readHealth(cloud, type, instance),
            readQuotas(cloud, [type]),
            readAttributes(cloud, instance),
            loadBalancerManagerOf(object).kind === "ccm" ? findFormer(cloud, query, instance) : [],
        ]);
        const seen = Object.values(attributes.listeners);
        const [acl, securityGroup, elasticAddresses, certificates] = await Promise.all([
            readAcl(cloud, query, seen),
            readSecurityGroup(cloud, query, instance),
            settings.externalIpType === "eip" ? findElasticAddresses(cloud, instance.id) : [],
            readCertificates(cloud, type, seen, access.openSite),
        ]);
        const more = { acl, securityGroup, former, elasticAddresses, certificates };
        return { kind: "found", instance, health, quotas, ...attributes, ...more };
    } catch (error) {
        return failed(error);
    }
}

/** Reads the listeners with all their certificates, and the attributes of an NLB's server groups. */
async function readAttributes(cloud: Cloud, { kind, id, listeners, serverGroups }: ObservedLoadBalancer) {
    const ids = serverGroups.map((group) => group.id);
    const read = ({ protocol, port }: (typeof listeners)[number]) =>
        readWholeListener(cloud, { loadBalancerId: id, protocol: clbProtocol(protocol), port });
    const [found, groups] =
        kind === "clb"
            ? [await Promise.all(listeners.map(read)), []]
            : await Promise.all([nlb.listWholeListeners(cloud, id), nlb.findServerGroupsById(cloud, ids)]);
    const known = found.filter((one) => one !== undefined);
    return {
        listeners: Object.fromEntries(known.map((one) => [`${one.protocol}:${one.port}`, one])),
        groups: Object.fromEntries(groups.map((group) => [group.id, group])),
    };
}

const isRestricted = ({ model }: CloudQuery): boolean => (model?.loadBalancer.sourceRanges ?? []).length > 0;

/** Returns the list that the Service's source ranges fill, by its name, or by a listener if it has another. */
async function readAcl(cloud: Cloud, query: CloudQuery, listeners: readonly ObservedLiveListener[]) {
    if (query.type === "nlb" || !isRestricted(query)) return undefined;
    const used = listeners.flatMap((one) =>
        one.kind === "clb" && one.access.status === "on" ? (one.access.aclIds ?? []) : [],
    );
    const [id = used[0]] = await findAclsByName(cloud, instanceMarkOf(query.object));
    if (id === undefined) return undefined;
    const [acl, tags] = await Promise.all([describeAcl(cloud, id), listTags(cloud, id, "acl")]);
    return acl && { ...acl, entries: acl.entries.map(({ entry }) => entry), tags };
}

async function readSecurityGroup(cloud: Cloud, query: CloudQuery, { vpcId }: ObservedLoadBalancer) {
    if (query.type === "clb" || !isRestricted(query)) return undefined;
    const { namespace = "default", name } = query.object.metadata;
    const own = securityGroupMark({ namespace, name, clusterId: "" });
    return observeSecurityGroup(cloud, vpcId, instanceMarkOf(query.object), (description) =>
        description.startsWith(own),
    );
}

/**
 * Finds instances of the same cluster that were made for a former Service of this name: a Service that is created again
 * has another UID, and another instance.
 */
async function findFormer(cloud: Cloud, query: CloudQuery, { id, tags }: ObservedLoadBalancer) {
    const clusterId = tags[CLUSTER_TAG];
    if (clusterId === undefined) return [];
    const filter = { [CLUSTER_TAG]: clusterId };
    const all = await (query.type === "clb"
        ? findLoadBalancersByTag(cloud, filter)
        : nlb.findNlbLoadBalancers(cloud, { tags: filter }));
    const others: readonly { readonly id: string; readonly address?: string }[] = all.filter((one) => one.id !== id);
    return servingOf(cloud, query, others);
}

/** Returns the id of the instance with the Service's owner tag, or else of the instance with its name. */
async function findInstance(cloud: Cloud, query: CloudQuery): Promise<string | undefined> {
    const mark = instanceMarkOf(query.object);
    const [found] = await instancesOf(cloud, query.type).findMarked(mark, query.settings.name ?? mark);
    return found?.id ?? findByAddress(cloud, query);
}

/**
 * Finds a load balancer by the address and the Service's listener there. A shared load balancer has a name of its own,
 * and any may have lost name and tags.
 */
async function findByAddress(cloud: Cloud, query: CloudQuery): Promise<string | undefined> {
    const isClb = query.type === "clb";
    const addresses = addressesOf(query.object).filter((address) => (isIP(address) !== 0) === isClb);
    const find = (address: string) =>
        isClb ? findLoadBalancersByAddress(cloud, address) : nlb.findNlbLoadBalancers(cloud, { address });
    const listed: readonly { readonly id: string }[][] = await Promise.all(addresses.map(find));
    const [found] = await servingOf(cloud, query, listed.flat());
    return found?.id;
}

/** Returns the instances that have a listener with the mark of the Service. */
async function servingOf<Instance extends { readonly id: string }>(
    cloud: Cloud,
    query: CloudQuery,
    instances: readonly Instance[],
): Promise<Instance[]> {
    const api = instancesOf(cloud, query.type);
    const found = instances.map(async (one) => {
        const listeners = (await api.listListeners(one.id)) ?? [];
        return listeners.some(({ description }) => sameService(description, markOf(query))) ? [one] : [];
    });
    return (await Promise.all(found)).flat();
}

const failed = (error: unknown): LiveCloud =>
    error instanceof CloudError
        ? { kind: "failed", code: error.code, message: error.detail }
        : { kind: "failed", code: "", message: firstLine(error) };

const NUMBER = z.union([z.number(), z.string().transform(Number)]);

const SERVER = z.object({ ServerId: z.string(), ServerIp: z.string().default(""), Port: NUMBER });

/** Source: SLB API, DescribeHealthStatus. */
const CLB_SERVER = SERVER.extend({
    ListenerPort: NUMBER,
    Protocol: z.string().default("tcp"),
    Type: z.string().default("ecs"),
    ServerHealthStatus: z.string(),
});
const CLB = z.object({ BackendServers: z.object({ BackendServer: z.array(CLB_SERVER) }) });

/** Source: NLB API, GetListenerHealthStatus, which lists only servers that are not healthy. */
const NLB_GROUP = z.object({ NonNormalServers: z.array(SERVER.extend({ Status: z.string() })).default([]) });
const NLB = z.object({
    ListenerHealthStatus: z.array(z.object({ ServerGroupInfos: z.array(NLB_GROUP) })).default([]),
});

/**
 * Returns the health of all backends by listener, or undefined if the caller may not read it or the answer is unknown.
 */
async function readHealth(cloud: Cloud, type: LoadBalancerType, instance: ObservedLoadBalancer) {
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
    return answer.BackendServers.BackendServer.map((one) => ({
        listener: `${one.Protocol.toLowerCase()}:${one.ListenerPort}`,
        backend: keyOfServer(one, one.Type),
        state: stateOf(one.ServerHealthStatus),
    }));
}

/** Healthy backends are those of a listener's group that the answer does not list. */
async function nlbHealth(cloud: Cloud, { listeners, serverGroups }: ObservedLoadBalancer): Promise<LiveHealth[]> {
    const health = listeners.map(async ({ id, protocol, port, serverGroupId }): Promise<LiveHealth[]> => {
        if (id === undefined) return [];
        const answer = NLB.parse(await cloud.call("nlb", "GetListenerHealthStatus", { ListenerId: id }));
        const groups = answer.ListenerHealthStatus.flatMap(({ ServerGroupInfos }) => ServerGroupInfos);
        const servers = groups.flatMap(({ NonNormalServers }) => NonNormalServers);
        const states = new Map(servers.map((one) => [keyOfServer(one, typeOf(one.ServerId)), one.Status]));
        const backends = serverGroups.find((group) => group.id === serverGroupId)?.backends ?? [];
        return backends.map(formatBackendKey).map((backend) => ({
            listener: `${protocol}:${port}`,
            backend,
            state: stateOf(states.get(backend) ?? "normal"),
        }));
    });
    return (await Promise.all(health)).flat();
}

const typeOf = (serverId: string): string => (/^i-/.test(serverId) ? "ecs" : /^eni-/.test(serverId) ? "eni" : "ip");

const keyOfServer = ({ ServerId: id, ServerIp: ip, Port: port }: z.output<typeof SERVER>, type: string): string =>
    formatBackendKey({ ...serverAddress({ id, ip, type }), port });

function stateOf(text: string): LiveHealth["state"] {
    const word = text.toLowerCase();
    if (word === "normal" || word === "healthy") return "normal";
    return word === "abnormal" || word === "unhealthy" ? "abnormal" : "unavailable";
}

/** Returns the ids of a listener's certificates. */
export function certificatesOf(listener: ObservedLiveListener): string[] {
    const more =
        listener.kind === "clb"
            ? (listener.tls?.domains ?? []).map(({ certId }) => certId)
            : (listener.tls?.additionalCertIds ?? []);
    return [...new Set([listener.tls?.certId ?? "", ...more])].filter((id) => id !== "");
}

/**
 * Reads the certificates of listeners, each once. One that the caller may not read is absent.
 *
 * @param openSite opens the cloud in a region: the certificates of an NLB are those of a regional service
 */
async function readCertificates(
    cloud: Cloud,
    type: "clb" | "nlb",
    listeners: readonly ObservedLiveListener[],
    openSite: (region: string) => Cloud,
): Promise<LiveCertificate[]> {
    const ids = [...new Set(listeners.flatMap(certificatesOf))];
    const read = async (id: string): Promise<LiveCertificate[]> => {
        if (type === "nlb") {
            const found = await getCertificate(openSite(siteOf(id)), id);
            if (found.kind !== "found") return [];
            return [{ id, expired: found.expired, ...defined({ expiresAt: found.expiresAt }) }];
        }
        const found = await describeServerCertificate(cloud, id);
        return found === undefined ? [] : [{ ...found, expired: false }];
    };
    const all = ids.map((id) =>
        read(id).catch((error: unknown): LiveCertificate[] => {
            if (error instanceof CloudError) return [];
            throw error;
        }),
    );
    return (await Promise.all(all)).flat();
}
