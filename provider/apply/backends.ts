import type { BackendServer } from "../cloud";
import { addressKey, type Backends, podKey } from "../model/backend";
import { sameOwner } from "../model/names";
import { type Member, type MembershipPlan, type PlanOptions, isEmpty, planMembership } from "../plan";

/** What carrying out a plan needs of the cloud; calls are split into batches behind it. */
export interface GroupApi {
    /** The group's members, or undefined if the group is gone. */
    describe(groupId: string): Promise<readonly BackendServer[] | undefined>;
    add(groupId: string, servers: readonly BackendServer[]): Promise<void>;
    /** Sets the weights of members that are there; others stay. */
    setWeights(groupId: string, servers: readonly BackendServer[]): Promise<void>;
    remove(groupId: string, servers: readonly BackendServer[]): Promise<void>;
    /** ENI id of each pod address that the VPC knows. */
    findEnis(ips: readonly string[]): Promise<ReadonlyMap<string, string>>;
    /** Whether an error says that a quota of backends is used up. */
    isQuotaError(error: unknown): boolean;
    /** Whether an error is the cloud's final refusal of the request as it was made, as opposed to an outage. */
    isRefusal(error: unknown): boolean;
}

/** ENI ids of the pods that are members. Kept in state, because removing a pod needs the ENI that the pod, by then gone, no longer leads to. */
export type ServerIds = Readonly<Record<string, string>>;

/** Members as they were left behind, or as they were found, and the ENI ids that go with them. */
export interface KnownMembers {
    readonly members: readonly Member[];
    readonly serverIds: ServerIds;
}

/** Where and how to apply. */
export interface ApplyTarget extends PlanOptions {
    readonly groupId: string;
    readonly description: string;
    /** What the addresses among the members are to the cloud: interfaces of the VPC, which are looked up, or nothing but addresses. Default `eni`. */
    readonly addresses?: "eni" | "ip";
}

/** Our own members of a group: those that carry its ownership mark. Foreign ones are never read into state, changed or removed. */
export function ownMembers(servers: readonly BackendServer[], description: string): KnownMembers {
    const own = servers.filter((server) => sameOwner(server.description, description));
    return {
        members: own.map((server) => ({
            address: isPod(server)
                ? { kind: "eni", ip: addressOf(server) }
                : { kind: "ecs", serverId: server.serverId },
            port: server.port,
            weight: server.weight,
        })),
        serverIds: sortedByKey(
            Object.fromEntries(own.filter(isInterface).map((server) => [addressOf(server), server.serverId])),
        ),
    };
}

/** Members that do not carry the ownership mark, by server or pod address and port. */
export function foreignMembers(
    servers: readonly BackendServer[],
    description: string,
): Record<string, { weight: number; description: string }> {
    const foreign = servers.filter((server) => !sameOwner(server.description, description));
    return sortedByKey(
        Object.fromEntries(
            foreign.map((server) => [
                `${isPod(server) ? server.serverIp : server.serverId}:${server.port}`,
                { weight: server.weight, description: server.description ?? "" },
            ]),
        ),
    );
}

/** The cloud may report an address for an ECS instance too; only a pod is identified by it. */
function isPod(server: BackendServer): boolean {
    return server.type === "ip" || isInterface(server);
}

function isInterface(server: BackendServer): boolean {
    return (server.type === "eni" || server.type === "eci") && server.serverIp !== undefined;
}

const addressOf = (server: BackendServer): string => server.serverIp ?? server.serverId;

/**
 * Members as a map, the way they stand in state. ECS instances keep a port in their key that is not the group's; addresses always do, unless the group
 * keeps addresses on its own port.
 */
export function toBackends(members: readonly Member[], port: number | undefined, addressesOnPort = false): Backends {
    return sortedByKey(
        Object.fromEntries(
            members.map((member) => {
                const { address, weight } = member;
                const key =
                    address.kind === "eni"
                        ? addressesOnPort && member.port === port
                            ? addressKey(address.ip)
                            : podKey(address.ip, member.port)
                        : member.port === port
                          ? address.serverId
                          : `${address.serverId}:${member.port}`;
                return [key, { weight }];
            }),
        ),
    );
}

/**
 * Brings a server group from its recorded to its desired members, with the fewest calls: none to read, one to add, one to set weights, one to remove,
 * each for up to 20 members (40 on an NLB).
 *
 * Added before removed, so that capacity does not dip; the other way round only when the cloud says that the quota is used up. If the cloud refuses a change,
 * the record may be out of date (an interrupted run, a console edit): the group is read and the change planned once more from what is really there.
 *
 * @returns ENI ids of the pods that are members now.
 * @throws whatever the cloud's last refusal was.
 */
export async function applyMembership(
    api: GroupApi,
    target: ApplyTarget,
    recorded: KnownMembers,
    desired: readonly Member[],
): Promise<ServerIds> {
    try {
        return await carryOut(api, target, recorded, desired);
    } catch (error) {
        if (!api.isRefusal(error)) {
            throw error;
        }
        const servers = await api.describe(target.groupId);
        const actual = servers && ownMembers(servers, target.description);
        if (actual === undefined || isEmpty(planMembership(recorded.members, actual.members))) {
            throw error;
        }
        return carryOut(api, target, actual, desired);
    }
}

async function carryOut(
    api: GroupApi,
    target: ApplyTarget,
    recorded: KnownMembers,
    desired: readonly Member[],
): Promise<ServerIds> {
    const plan = planMembership(recorded.members, desired, target);
    const { serverIds, missing } =
        target.addresses === "ip"
            ? { serverIds: recorded.serverIds, missing: [] }
            : await resolvePods(api, plan, recorded.serverIds);
    const servers = (members: readonly Member[]) => members.map((member) => toServer(member, serverIds, target));
    const add = () => inCall(plan.add, (members) => api.add(target.groupId, servers(members)));
    const update = () => inCall(plan.update, (members) => api.setWeights(target.groupId, servers(members)));
    const remove = () => inCall(plan.remove, (members) => api.remove(target.groupId, servers(members)));
    if (missing.length > 0) {
        const attached = plan.add.filter(
            ({ address }) => address.kind === "ecs" || serverIds[address.ip] !== undefined,
        );
        await inCall(attached, (members) => api.add(target.groupId, servers(members)));
        throw new MissingInterfaces(missing, attached.length);
    }
    try {
        await add();
    } catch (error) {
        if (!api.isQuotaError(error) || plan.remove.length === 0) {
            throw error;
        }
        await remove();
        await add();
        await update();
        return keepCurrent(serverIds, desired);
    }
    await update();
    await remove();
    return keepCurrent(serverIds, desired);
}

async function inCall(members: readonly Member[], call: (members: readonly Member[]) => Promise<void>): Promise<void> {
    if (members.length > 0) {
        await call(members);
    }
}

/** Pods that no network interface leads to. Those that can be reached were added; whether the others are gone or only late nobody knows, so nothing was removed for them. */
class MissingInterfaces extends Error {
    constructor(ips: readonly string[], added: number) {
        super(
            `no ENI of the VPC holds ${ips.join(", ")}; ${added === 0 ? "nothing was changed" : `${added} other backends were added, none was removed or got another weight`}. ` +
                "Cause: these pods are not attached to the VPC, as with Flannel or hostNetwork outside it, or were not a moment ago. " +
                `Remedy: run pulumi up again if they have just started; else set service.beta.kubernetes.io/backend-type to "ecs", run the pods with Terway, or name the VPC's ranges (vpcCidrs) to pass over pods outside them; a server group of an NLB can hold addresses (server-group-type: "Ip").`,
        );
        this.name = "MissingInterfaces";
    }
}

/** Looks up the ENIs of pods that are new; those that are members already are known from the record. */
async function resolvePods(
    api: GroupApi,
    plan: MembershipPlan,
    known: ServerIds,
): Promise<{ readonly serverIds: ServerIds; readonly missing: readonly string[] }> {
    const ips = [...plan.add, ...plan.update, ...plan.remove].flatMap((member) =>
        member.address.kind === "eni" ? [member.address.ip] : [],
    );
    const unknown = [...new Set(ips)].filter((ip) => known[ip] === undefined);
    if (unknown.length === 0) {
        return { serverIds: known, missing: [] };
    }
    const found = await api.findEnis(unknown);
    const missing = unknown.filter((ip) => !found.has(ip));
    return { serverIds: { ...known, ...Object.fromEntries(found) }, missing };
}

function toServer(member: Member, serverIds: ServerIds, { description, addresses }: ApplyTarget): BackendServer {
    const { address, port, weight } = member;
    if (address.kind === "ecs") {
        return { serverId: address.serverId, port, weight, type: "ecs", description };
    }
    if (addresses === "ip") {
        return { serverId: address.ip, serverIp: address.ip, port, weight, type: "ip", description };
    }
    return { serverId: serverIds[address.ip] ?? "", serverIp: address.ip, port, weight, type: "eni", description };
}

function keepCurrent(serverIds: ServerIds, members: readonly Member[]): ServerIds {
    const ips = new Set(members.map((member) => (member.address.kind === "eni" ? member.address.ip : "")));
    return sortedByKey(Object.fromEntries(Object.entries(serverIds).filter(([ip]) => ips.has(ip))));
}

function sortedByKey<T>(record: Record<string, T>): Record<string, T> {
    return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
