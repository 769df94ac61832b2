import { serverAddress, type Backend } from "../../schema/backend";
import { defined } from "../../schema/defined";
import {
    converted,
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

/** Weight and mark of a removed member may be left out. */
type Named = Omit<Backend, "weight"> & Partial<Backend>;

const BACKEND = converted(
    fields({
        id: ["ServerId", requiredText],
        ip: ["ServerIp", text],
        port: ["Port", requiredNumber],
        weight: ["Weight", defaulted(number, 100)],
        type: ["Type", defaulted(optional(literalOf("ecs", "eni", "eci")), "ecs")],
        mark: ["Description", text],
    }),
    ({ id, ip, type, ...backend }): Backend => ({ ...serverAddress({ id, ip, type }), ...backend }),
);

const SERVER_GROUP = fields({
    id: ["VServerGroupId", requiredText],
    name: ["VServerGroupName", defaulted(text, "")],
    loadBalancerId: ["LoadBalancerId", text],
    backends: ["BackendServers", defaulted<readonly Backend[]>(list(BACKEND, "BackendServer"), [])],
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
export async function addBackends(cloud: Cloud, id: string, backends: readonly Backend[]): Promise<void> {
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
export async function removeBackends(cloud: Cloud, id: string, backends: readonly Named[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL))
        await change(cloud, "RemoveVServerGroupBackendServers", id, batch);
}

/**
 * Sets weight and description of members, 20 a call, in order (SetVServerGroupAttribute). Other members stay.
 *
 * ModifyVServerGroupBackendServers would replace members and drop their connections.
 */
export async function setBackends(cloud: Cloud, id: string, backends: readonly Backend[]): Promise<void> {
    for (const batch of batches(backends, BACKENDS_PER_CALL))
        await change(cloud, "SetVServerGroupAttribute", id, batch);
}

/** True if both are one member. */
export const isSameMember = (a: Named, b: Named): boolean =>
    a.address === b.address && a.port === b.port && a.eni === b.eni;

async function change(cloud: Cloud, action: string, id: string, backends: readonly Named[]): Promise<void> {
    const BackendServers = JSON.stringify(backends.map(writeBackend));
    await cloud.call("slb", action, { VServerGroupId: id, BackendServers });
}

/** The API takes numbers as text. */
function writeBackend({ address, eni, port, weight, mark }: Named): Record<string, string> {
    return defined({
        ServerId: eni ?? address,
        ServerIp: eni && address,
        Port: String(port),
        Type: eni === undefined ? "ecs" : "eni",
        Weight: weight?.toString(),
        Description: mark,
    });
}
