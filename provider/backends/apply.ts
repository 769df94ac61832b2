import type { BackendServer } from "../schema/backend";
import { type Member, type MembershipPlan, type PlanOptions, isEmpty, planMembership } from "./member";
import { ownMembers, type RecordedMembers, type ServerIds, sortedByKey } from "./observed";

/** Access to server groups of one type. */
export interface GroupApi {
    /** Members of a group; undefined if it does not exist. */
    describe(groupId: string): Promise<readonly BackendServer[] | undefined>;
    /** Name of a group; undefined if it does not exist. */
    name(groupId: string): Promise<string | undefined>;
    add(groupId: string, servers: readonly BackendServer[]): Promise<void>;
    setWeights(groupId: string, servers: readonly BackendServer[]): Promise<void>;
    remove(groupId: string, servers: readonly BackendServer[]): Promise<void>;
    /** ENI id of each pod address that the VPC has. */
    findEnis(ips: readonly string[]): Promise<ReadonlyMap<string, string>>;
    /** True if a quota of backends is used up. */
    isQuotaError(error: unknown): boolean;
    /** True for the cloud's final refusal of a request, false for an outage. */
    isRefusal(error: unknown): boolean;
}

/** Server group and how to change its members. */
export interface ApplyTarget extends PlanOptions {
    readonly groupId: string;
    readonly description: string;
    /** Addresses of members: those of interfaces of the VPC, which are looked up, or plain ones. Default `eni`. */
    readonly addresses?: "eni" | "ip";
}

/**
 * Changes a server group from its recorded to its desired members, with the fewest calls: no read, and for up to 20
 * members (NLB: 40) one call each to add, set weights and remove.
 *
 * Adds before it removes, to keep the capacity, unless a quota is used up. After a refusal the record may be stale (an
 * interrupted run, a change in the console): reads the group and plans once more.
 *
 * @returns ENI ids of the pods that are members now.
 * @throws the last refusal of the cloud.
 */
export async function applyMembership(
    api: GroupApi,
    target: ApplyTarget,
    recorded: RecordedMembers,
    desired: readonly Member[],
): Promise<ServerIds> {
    try {
        return await applyPlan(api, target, recorded, desired);
    } catch (error) {
        if (!api.isRefusal(error)) throw error;
        const servers = await api.describe(target.groupId);
        const actual = servers && ownMembers(servers, target.description);
        if (actual === undefined || isEmpty(planMembership(recorded.members, actual.members))) throw error;
        return applyPlan(api, target, actual, desired);
    }
}

async function applyPlan(
    api: GroupApi,
    target: ApplyTarget,
    recorded: RecordedMembers,
    desired: readonly Member[],
): Promise<ServerIds> {
    const plan = planMembership(recorded.members, desired, target);
    const { serverIds, missing } =
        target.addresses === "ip"
            ? { serverIds: recorded.serverIds, missing: [] }
            : await resolvePods(api, plan, recorded.serverIds);
    const inCall =
        (call: (groupId: string, servers: readonly BackendServer[]) => Promise<void>) =>
        async (members: readonly Member[]): Promise<void> => {
            const servers = members.map((member) => toServer(member, serverIds, target));
            if (servers.length > 0) await call(target.groupId, servers);
        };
    const add = inCall((id, servers) => api.add(id, servers));
    const setWeights = inCall((id, servers) => api.setWeights(id, servers));
    const remove = inCall((id, servers) => api.remove(id, servers));
    if (missing.length > 0) {
        const attached = plan.add.filter(
            ({ address }) => address.kind === "ecs" || serverIds[address.ip] !== undefined,
        );
        await add(attached);
        throw new MissingInterfaces(missing, attached.length);
    }
    try {
        await add(plan.add);
    } catch (error) {
        if (!api.isQuotaError(error) || plan.remove.length === 0) throw error;
        await remove(plan.remove);
        await add(plan.add);
        await setWeights(plan.update);
        return keepCurrent(serverIds, desired);
    }
    await setWeights(plan.update);
    await remove(plan.remove);
    return keepCurrent(serverIds, desired);
}

/**
 * Error for pods without a network interface. The others were added, and nothing was removed: these pods may be late.
 */
export class MissingInterfaces extends Error {
    constructor(
        readonly ips: readonly string[],
        /** Number of other backends that were added. */
        readonly added: number,
    ) {
        super(
            `no ENI of the VPC holds ${ips.join(", ")}; ` +
                (added === 0
                    ? "nothing was changed"
                    : `${added} other backends were added, none was removed or got another weight`) +
                ". " +
                "Cause: these pods are not attached to the VPC, as with Flannel or hostNetwork outside it, or were " +
                "not a moment ago. " +
                "Remedy: run pulumi up again if they have just started; else set " +
                `service.beta.kubernetes.io/backend-type to "ecs", run the pods with Terway, or name the VPC's ` +
                "ranges (vpcCidrs) to pass over pods outside them; a server group of an NLB can hold addresses " +
                '(server-group-type: "Ip").',
        );
        this.name = "MissingInterfaces";
    }
}

/** Looks up the ENIs of new pods; those of members are recorded. */
async function resolvePods(
    api: GroupApi,
    plan: MembershipPlan,
    known: ServerIds,
): Promise<{ readonly serverIds: ServerIds; readonly missing: readonly string[] }> {
    const ips = [...plan.add, ...plan.update, ...plan.remove].flatMap((member) =>
        member.address.kind === "eni" ? [member.address.ip] : [],
    );
    const unknown = [...new Set(ips)].filter((ip) => known[ip] === undefined);
    if (unknown.length === 0) return { serverIds: known, missing: [] };
    const found = await api.findEnis(unknown);
    const missing = unknown.filter((ip) => !found.has(ip));
    return { serverIds: { ...known, ...Object.fromEntries(found) }, missing };
}

function toServer(member: Member, serverIds: ServerIds, { description, addresses }: ApplyTarget): BackendServer {
    const { address, port, weight } = member;
    if (address.kind === "ecs") return { serverId: address.serverId, port, weight, type: "ecs", description };
    if (addresses === "ip")
        return { serverId: address.ip, serverIp: address.ip, port, weight, type: "ip", description };
    return { serverId: serverIds[address.ip] ?? "", serverIp: address.ip, port, weight, type: "eni", description };
}

function keepCurrent(serverIds: ServerIds, members: readonly Member[]): ServerIds {
    const ips = new Set(members.map((member) => (member.address.kind === "eni" ? member.address.ip : "")));
    return sortedByKey(Object.fromEntries(Object.entries(serverIds).filter(([ip]) => ips.has(ip))));
}
