import type { BackendIdentity, BackendServer } from "../../schema/backend";
import { defined } from "../../schema/defined";
import {
    defaulted,
    fields,
    list,
    number,
    object,
    literalOf,
    optional,
    type Read,
    readAnswer,
    requiredNumber,
    requiredText,
    text,
} from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import { CloudError, ignoreNotFound } from "../../cloud/http/error";
import { batches } from "../../cloud/http/page";

/** Most members in one call. Source: SLB API, AddVServerGroupBackendServers and its siblings. */
export const BACKENDS_PER_CALL = 20;

const BACKEND_SERVER = fields({
    serverId: ["ServerId", requiredText],
    serverIp: ["ServerIp", text],
    port: ["Port", requiredNumber],
    weight: ["Weight", defaulted(number, 100)],
    type: ["Type", defaulted(optional(literalOf("ecs", "eni", "eci")), "ecs")],
    description: ["Description", text],
});

const SERVER_GROUP = fields({
    id: ["VServerGroupId", requiredText],
    name: ["VServerGroupName", defaulted(text, "")],
    loadBalancerId: ["LoadBalancerId", text],
    backends: ["BackendServers", defaulted<readonly BackendServer[]>(list(BACKEND_SERVER, "BackendServer"), [])],
});

const SERVER_GROUPS = object({
    VServerGroups: list(
        fields({ id: ["VServerGroupId", requiredText], name: ["VServerGroupName", defaulted(text, "")] }),
        "VServerGroup",
    ),
});

/** Returns id and name of every vServer group of a load balancer (DescribeVServerGroups; one page holds all). */
export async function describeServerGroups(
    cloud: Cloud,
    loadBalancerId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
    const action = "DescribeVServerGroups";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId });
    return readAnswer(action, SERVER_GROUPS, answer).VServerGroups ?? [];
}

/** Returns a vServer group with all its members; undefined if it does not exist (DescribeVServerGroupAttribute). */
export async function describeServerGroup(cloud: Cloud, id: string): Promise<Read<typeof SERVER_GROUP> | undefined> {
    const action = "DescribeVServerGroupAttribute";
    const answer = await ignoreNotFound("serverGroup", cloud.call("slb", action, { VServerGroupId: id }));
    return answer && readAnswer(action, SERVER_GROUP, answer);
}

/** Deletes a group with its members, if it exists (DeleteVServerGroup). Fails while a listener uses it. */
export async function deleteServerGroup(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("serverGroup", cloud.call("slb", "DeleteVServerGroup", { VServerGroupId: id }));
}

/**
 * Adds members, 20 a call, in order (AddVServerGroupBackendServers). A failure leaves the batches before it added.
 *
 * If it is uncertain that a call was carried out, reads the group and adds only the missing members.
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

/**
 * Removes members, 20 a call, in order (RemoveVServerGroupBackendServers). The listener's drain applies to open
 * connections.
 */
export async function removeBackends(cloud: Cloud, id: string, backends: readonly BackendIdentity[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL))
        await change(cloud, "RemoveVServerGroupBackendServers", id, batch);
}

/**
 * Sets weight and description of members, 20 a call, in order (SetVServerGroupAttribute). Other members stay.
 *
 * ModifyVServerGroupBackendServers would replace members and drop their connections.
 */
export async function setBackends(cloud: Cloud, id: string, backends: readonly BackendServer[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL))
        await change(cloud, "SetVServerGroupAttribute", id, batch);
}

/** True if both describe one member. ECS instances are compared without their address, which the cloud may omit. */
export function isSameMember(a: BackendIdentity, b: BackendIdentity): boolean {
    return a.serverId === b.serverId && a.port === b.port && (a.type === "ecs" || a.serverIp === b.serverIp);
}

async function change(
    cloud: Cloud,
    action: string,
    id: string,
    backends: readonly (BackendIdentity & Partial<BackendServer>)[],
): Promise<void> {
    const BackendServers = JSON.stringify(backends.map(writeBackend));
    await cloud.call("slb", action, { VServerGroupId: id, BackendServers });
}

/** The API takes numbers as text. */
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
