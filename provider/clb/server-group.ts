/** vServer groups of a CLB with their members: type, building, reading and writing. */
import { type Backend, serverAddress } from "../schema/backend";
import type { ClusterFacts } from "../schema/facts";
import { defined } from "../schema/defined";
import type { ServerGroup } from "../schema/server-group";
import type { Service, ServicePort } from "../service/service";
import { backendTypeOf } from "../service/annotations";
import * as api from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { CloudError, ignoreNotFound } from "../cloud/http/error";
import { batches, readList, readObject } from "../cloud/http/page";

/** Returns the key of a listener and of an ecs server group. It survives a change between tcp, http and https. */
export function portKey(port: { readonly port: number; readonly protocol: "TCP" | "UDP" }): string {
    return `${port.protocol.toLowerCase()}-${port.port}`;
}

/** Returns the user-managed group of a port's backends. Source: "Configure CLB using annotations", vServer groups. */
export function joinedGroup({ settings }: Service, { port }: ServicePort): string | undefined {
    return settings.id === undefined ? undefined : settings.vgroupPort?.find((entry) => entry.port === port)?.vgroupId;
}

/**
 * Returns the key of a group. Pods with the same targetPort form a group, as in CCM. A user-managed group is of a port
 * number: of TCP, of UDP or of both.
 */
export function clbGroupKey(service: Service, port: ServicePort, facts: ClusterFacts): string {
    if (joinedGroup(service, port) !== undefined) return joinedKey(port);
    return backendTypeOf(service.settings, facts) === "eni" ? `target-${port.targetPort}` : portKey(port);
}

export const joinedKey = ({ port }: Pick<ServicePort, "port">): string => `port-${port}`;

/** Builds the vServer groups of a Service, in the order in which its ports first need them. */
export function buildClbServerGroups(service: Service, facts: ClusterFacts): ServerGroup[] {
    const kind = backendTypeOf(service.settings, facts);
    const groups = Map.groupBy(service.ports, (port) => clbGroupKey(service, port, facts));
    return [...groups].map(([key, ports]) => {
        const last = ports.at(-1)!;
        return defined({
            key,
            kind,
            ports: ports.map(({ port, protocol }) => ({ port, protocol })),
            backendPort: kind === "eni" ? last.targetPort : last.nodePort,
            joined: joinedGroup(service, last),
            ipVersion: service.settings.backendIpVersion === "ipv6" ? "ipv6" : undefined,
        });
    });
}

/** Most members in a call. Source: SLB API, AddVServerGroupBackendServers and its siblings. */
export const BACKENDS_PER_CALL = 20;

/** Weight and mark of a removed member may be left out. */
type Named = Omit<Backend, "weight"> & Partial<Backend>;

const BACKEND = api.converted(
    api.fields({
        id: ["ServerId", api.requiredText],
        ip: ["ServerIp", api.text],
        port: ["Port", api.requiredNumber],
        weight: ["Weight", api.defaulted(api.number, 100)],
        type: ["Type", api.defaulted(api.optional(api.literalOf("ecs", "eni", "eci")), "ecs")],
        mark: ["Description", api.text],
    }),
    ({ id, ip, type, ...backend }): Backend => ({ ...serverAddress({ id, ip, type }), ...backend }),
);

const SERVER_GROUP = api.fields({
    id: ["VServerGroupId", api.requiredText],
    name: ["VServerGroupName", api.defaulted(api.text, "")],
    loadBalancerId: ["LoadBalancerId", api.text],
    backends: ["BackendServers", api.defaulted<readonly Backend[]>(api.list(BACKEND, "BackendServer"), [])],
});

const LISTED = api.fields({
    id: ["VServerGroupId", api.requiredText],
    name: ["VServerGroupName", api.defaulted(api.text, "")],
});

/** Returns id and name of every vServer group of a load balancer (DescribeVServerGroups, whose page holds all). */
export async function describeServerGroups(
    cloud: Cloud,
    loadBalancerId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
    const action = "DescribeVServerGroups";
    const answer = await cloud.call("slb", action, { LoadBalancerId: loadBalancerId });
    return readList(action, ["VServerGroups", LISTED, "VServerGroup"], answer);
}

/** Returns a vServer group with all its members, or undefined if it does not exist (DescribeVServerGroupAttribute). */
export function describeServerGroup(cloud: Cloud, id: string): Promise<api.Read<typeof SERVER_GROUP> | undefined> {
    const params = { VServerGroupId: id };
    return readObject(cloud, "slb", "DescribeVServerGroupAttribute", params, SERVER_GROUP, "serverGroup");
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
export const removeBackends = (cloud: Cloud, id: string, backends: readonly Named[]): Promise<void> =>
    change(cloud, "RemoveVServerGroupBackendServers", id, backends);

/**
 * Sets weight and description of members, 20 a call, in order (SetVServerGroupAttribute). Other members stay.
 *
 * ModifyVServerGroupBackendServers would replace members and drop their connections.
 */
export const setBackends = (cloud: Cloud, id: string, backends: readonly Backend[]): Promise<void> =>
    change(cloud, "SetVServerGroupAttribute", id, backends);

export const isSameMember = (a: Named, b: Named): boolean =>
    a.address === b.address && a.port === b.port && a.eni === b.eni;

async function change(cloud: Cloud, action: string, id: string, backends: readonly Named[]): Promise<void> {
    for (const batch of batches(backends.map(writeBackend), BACKENDS_PER_CALL))
        await cloud.call("slb", action, { VServerGroupId: id, BackendServers: JSON.stringify(batch) });
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
