import type { BackendIdentity, BackendServer } from "../../model/backend";
import { batches } from "../http/batch";
import { list, number, object, oneOf, optional, readAnswer, requiredNumber, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import type { Json } from "../http/json";
import { CloudError, isNotFound } from "../http/error";
import { defined } from "../../schema/defined";

/** A vServer group with its members. */
export interface ServerGroup {
    readonly id: string;
    readonly name: string;
    readonly loadBalancerId?: string;
    readonly backends: readonly BackendServer[];
}

/** Most members in one call (API reference of AddVServerGroupBackendServers and its siblings). */
export const BACKENDS_PER_CALL = 20;

const BACKEND_SERVER = object({
    ServerId: requiredText,
    ServerIp: text,
    Port: requiredNumber,
    Weight: number,
    Type: optional(oneOf("ecs", "eni", "eci")),
    Description: text,
});

const SERVER_GROUP = object({
    VServerGroupId: requiredText,
    VServerGroupName: text,
    LoadBalancerId: text,
    BackendServers: list(BACKEND_SERVER, "BackendServer"),
});

const SERVER_GROUPS = object({
    VServerGroups: list(object({ VServerGroupId: requiredText, VServerGroupName: text }), "VServerGroup"),
});

/** Id and name of every server group of a load balancer (DescribeVServerGroups; one page holds all). */
export async function describeServerGroups(
    cloud: Cloud,
    loadBalancerId: string,
): Promise<Pick<ServerGroup, "id" | "name">[]> {
    const action = "DescribeVServerGroups";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId });
    const { VServerGroups = [] } = readAnswer(action, SERVER_GROUPS, answer);
    return VServerGroups.map(({ VServerGroupId, VServerGroupName = "" }) => ({
        id: VServerGroupId,
        name: VServerGroupName,
    }));
}

/** The group with all its members, or undefined if it is gone (DescribeVServerGroupAttribute). */
export async function describeServerGroup(cloud: Cloud, id: string): Promise<ServerGroup | undefined> {
    const action = "DescribeVServerGroupAttribute";
    let answer: Json;
    try {
        answer = await cloud.call("slb", action, { VServerGroupId: id });
    } catch (error) {
        if (isNotFound(error, "serverGroup")) return undefined;
        throw error;
    }
    const group = readAnswer(action, SERVER_GROUP, answer);
    return {
        id: group.VServerGroupId,
        name: group.VServerGroupName ?? "",
        ...defined({ loadBalancerId: group.LoadBalancerId }),
        backends: (group.BackendServers ?? []).map(readBackend),
    };
}

/** Deletes a group with its members; one that is gone already is fine (DeleteVServerGroup). Fails while a listener uses it. */
export async function deleteServerGroup(cloud: Cloud, id: string): Promise<void> {
    try {
        await cloud.call("slb", "DeleteVServerGroup", { VServerGroupId: id });
    } catch (error) {
        if (!isNotFound(error, "serverGroup")) throw error;
    }
}

/**
 * Adds members, 20 a call, in order (AddVServerGroupBackendServers). When it is not known whether a call was carried out, the group is
 * read and only what is missing is added. A failure leaves the batches before it added.
 */
export async function addBackends(cloud: Cloud, id: string, backends: readonly BackendServer[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL)) {
        try {
            await change(cloud, "AddVServerGroupBackendServers", id, batch);
        } catch (error) {
            if (!(error instanceof CloudError && error.uncertain)) throw error;
            const present = (await describeServerGroup(cloud, id))?.backends ?? [];
            const missing = batch.filter((backend) => !present.some((member) => isSameMember(backend, member)));
            if (missing.length > 0) await change(cloud, "AddVServerGroupBackendServers", id, missing);
        }
    }
}

/** Removes members, 20 a call, in order (RemoveVServerGroupBackendServers). Open connections end as the listener's draining says. */
export async function removeBackends(cloud: Cloud, id: string, backends: readonly BackendIdentity[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL))
        await change(cloud, "RemoveVServerGroupBackendServers", id, batch);
}

/**
 * Sets weight and description of members that are there, 20 a call, in order (SetVServerGroupAttribute). Members that are not named
 * stay as they are and none is removed: unlike ModifyVServerGroupBackendServers, which exchanges members and so drops connections.
 */
export async function setBackends(cloud: Cloud, id: string, backends: readonly BackendServer[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL))
        await change(cloud, "SetVServerGroupAttribute", id, batch);
}

/** Whether two descriptions are of one member. The address is part of it for pods alone: for an ECS instance the cloud may or may not report it. */
export function isSameMember(a: BackendIdentity, b: BackendIdentity): boolean {
    return a.serverId === b.serverId && a.port === b.port && (a.type === "ecs" || a.serverIp === b.serverIp);
}

async function change(
    cloud: Cloud,
    action: string,
    id: string,
    backends: readonly (BackendIdentity & Partial<BackendServer>)[],
): Promise<void> {
    const payload = JSON.stringify(backends.map(writeBackend));
    await cloud.call("slb", action, { VServerGroupId: id, BackendServers: payload });
}

/** A member as the API wants it: numbers as text, names capitalised, nothing that is unset. */
function writeBackend(backend: BackendIdentity & Partial<BackendServer>): Record<string, string> {
    return defined({
        ServerId: backend.serverId,
        ServerIp: backend.serverIp,
        Port: String(backend.port),
        Type: backend.type,
        Weight: backend.weight?.toString(),
        Description: backend.description,
    });
}

function readBackend(server: ReturnType<typeof BACKEND_SERVER.parse>): BackendServer {
    const { ServerId, ServerIp, Port, Weight = 100, Type = "ecs", Description } = server;
    return {
        serverId: ServerId,
        ...defined({ serverIp: ServerIp }),
        port: Port,
        weight: Weight,
        type: Type,
        ...defined({ description: Description }),
    };
}
