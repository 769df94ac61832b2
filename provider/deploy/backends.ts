import type { BackendServer } from "../model/backend";
import { type Member, type MembershipPlan, type PlanOptions, isEmpty, planMembership } from "../backend/member";
import { ownMembers, type RecordedMembers, type ServerIds, sortedByKey } from "../observe/members";

/** What carrying out a plan needs of the cloud; calls are split into batches behind it. */
export interface GroupApi {
    /** The group's members, or undefined if the group is gone. */
    describe(groupId: string): Promise<readonly BackendServer[] | undefined>;
    /** The group's name, or undefined if the group is gone. */
    name(groupId: string): Promise<string | undefined>;
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

/** Where and how to apply. */
export interface ApplyTarget extends PlanOptions {
    readonly groupId: string;
    readonly description: string;
    /** What the addresses among the members are to the cloud: interfaces of the VPC, which are looked up, or nothing but addresses. Default `eni`. */
    readonly addresses?: "eni" | "ip";
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
    recorded: RecordedMembers,
    desired: readonly Member[],
): Promise<ServerIds> {
    try {
        return await applyPlan(api, target, recorded, desired);
    } catch (error) {
        if (!api.isRefusal(error)) {
            throw error;
        }
        const servers = await api.describe(target.groupId);
        const actual = servers && ownMembers(servers, target.description);
        if (actual === undefined || isEmpty(planMembership(recorded.members, actual.members))) {
            throw error;
        }
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

/** Pods that no network interface leads to. Those that can be reached were added; whether the others are gone or only late is unknown, so nothing was removed for them. */
export class MissingInterfaces extends Error {
    constructor(
        readonly ips: readonly string[],
        /** Number of other backends that were added. */
        readonly added: number,
    ) {
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
