/** Writes the difference between the present and the desired backends of a server group. */
import { type Backend, formatBackendKey, isAddress } from "../schema/backend";
import { defined } from "../schema/defined";
import { diffBackends, type DiffOptions, isEmpty, keepWeights, managed } from "./diff";

/** Access to server groups of a type. */
export interface GroupApi {
    /** Returns the members of a group, or undefined if it does not exist. */
    describe(groupId: string): Promise<readonly Backend[] | undefined>;
    /** Returns the name of a group, or undefined if it does not exist. */
    name(groupId: string): Promise<string | undefined>;
    add(groupId: string, backends: readonly Backend[]): Promise<void>;
    setWeights(groupId: string, backends: readonly Backend[]): Promise<void>;
    remove(groupId: string, backends: readonly Backend[]): Promise<void>;
    /** ENI id of each pod address that the VPC has. Default: any VPC. */
    findEnis(ips: readonly string[], vpcId?: string): Promise<ReadonlyMap<string, string>>;
    /** True if a quota of backends is used up. */
    isQuotaError(error: unknown): boolean;
    /** True for the cloud's final refusal of a request, false for an outage. */
    isRefusal(error: unknown): boolean;
    /** Returns the cloud's words if it refused a request because a server in it is gone or stopped. */
    refusalOfServer(error: unknown): string | undefined;
    /** Most members in a call. */
    readonly perCall: number;
}

/** Server group and how to change its backends. */
export interface ApplyTarget extends DiffOptions {
    readonly groupId: string;
    readonly mark: string;
    /**
     * Addresses of backends: those of interfaces of the VPC, which are looked up, or plain addresses. Default `eni`.
     */
    readonly addresses?: "eni" | "ip";
    /** VPC of the interfaces: others may have the same addresses. Default: any VPC. */
    readonly vpcId?: string | undefined;
}

/**
 * Changes a server group from its recorded to its desired backends, with the fewest calls: no read, and for up to 20
 * backends (NLB: 40) a call each to add, set weights and remove.
 *
 * Adds before it removes, to keep the capacity, unless a quota is used up. After a refusal the record may be stale (an
 * interrupted run, a change in the console): reads the group and plans once more.
 *
 * @returns the managed backends of the group, with their interfaces.
 * @throws the last refusal of the cloud.
 */
export async function applyBackends(
    api: GroupApi,
    target: ApplyTarget,
    recorded: readonly Backend[],
    desired: readonly Backend[],
): Promise<readonly Backend[]> {
    try {
        return await write(api, target, recorded, desired);
    } catch (error) {
        if (!api.isRefusal(error)) throw error;
        const servers = await api.describe(target.groupId);
        const present = servers && managed(servers, target.mark);
        if (present === undefined || isEmpty(diffBackends(recorded, present))) throw error;
        return write(api, target, present, desired);
    }
}

async function write(
    api: GroupApi,
    target: ApplyTarget,
    present: readonly Backend[],
    desired: readonly Backend[],
): Promise<readonly Backend[]> {
    const { add, update, remove } = diffBackends(present, desired, target);
    const { enis, missing } = await findInterfaces(api, target, present, [...add, ...update, ...remove]);
    const marked = (backend: Backend): Backend => ({
        ...backend,
        mark: target.mark,
        ...defined({ eni: enis.get(backend.address) }),
    });
    const send = async (call: "add" | "setWeights" | "remove", backends: readonly Backend[]): Promise<void> => {
        if (backends.length > 0) await api[call](target.groupId, backends.map(marked));
    };
    const isMissing = ({ address }: Backend): boolean => missing.includes(address);
    const attached = add.filter((backend) => !isMissing(backend));
    const rejected: Rejected[] = [...add, ...update, ...remove].filter(isMissing).map((backend) => ({ backend }));
    let left = remove;
    try {
        rejected.push(...(await addEach(api, target.groupId, attached.map(marked))));
    } catch (error) {
        if (!api.isQuotaError(error) || remove.length === 0 || rejected.length > 0) throw error;
        await send("remove", remove);
        await send("add", add);
        left = [];
    }
    if (rejected.length > 0) {
        const refused = new Set(rejected.map(({ backend }) => formatBackendKey(backend)));
        const added = attached.filter((backend) => !refused.has(formatBackendKey(backend)));
        throw new RejectedBackends(rejected, added);
    }
    await send("setWeights", update);
    await send("remove", left);
    return (target.ignoreWeights ? keepWeights(present, desired) : desired).map(marked);
}

/**
 * Adds backends, and returns those whose server the cloud refuses. A call with such a server is refused whole: its
 * halves are tried, down to the server. That takes at most two calls for each backend.
 */
async function addEach(api: GroupApi, groupId: string, backends: readonly Backend[]): Promise<readonly Rejected[]> {
    const [backend] = backends;
    if (backend === undefined) return [];
    const inParts = async (first: number): Promise<readonly Rejected[]> => [
        ...(await addEach(api, groupId, backends.slice(0, first))),
        ...(await addEach(api, groupId, backends.slice(first))),
    ];
    if (backends.length > api.perCall) return inParts(api.perCall);
    try {
        await api.add(groupId, backends);
        return [];
    } catch (error) {
        const reason = api.refusalOfServer(error);
        if (reason === undefined) throw error;
        return backends.length === 1 ? [{ backend, reason }] : inParts(Math.ceil(backends.length / 2));
    }
}

/** Looks up the interfaces of new pods. Those of present pods are recorded. */
async function findInterfaces(
    api: GroupApi,
    { addresses, vpcId }: ApplyTarget,
    present: readonly Backend[],
    changed: readonly Backend[],
): Promise<{ readonly enis: ReadonlyMap<string, string>; readonly missing: readonly string[] }> {
    const known = present.flatMap(({ address, eni }) => (eni === undefined ? [] : [[address, eni] as const]));
    const enis = new Map(known);
    const pods = addresses === "ip" ? [] : changed.filter(isAddress).map(({ address }) => address);
    const unknown = [...new Set(pods)].filter((address) => !enis.has(address));
    if (unknown.length === 0) return { enis, missing: [] };
    for (const [address, eni] of await api.findEnis(unknown, vpcId)) enis.set(address, eni);
    return { enis, missing: unknown.filter((address) => !enis.has(address)) };
}

/** Backend that its group did not take. */
export interface Rejected {
    readonly backend: Backend;
    /** The cloud's words. Absent for a pod without a network interface. */
    readonly reason?: string;
}

const nameOf = ({ address, eni }: Backend): string => (eni === undefined ? address : `${address} on ${eni}`);

/** Returns the problems of rejected backends, each with the names of all that have it. */
export function describeRejected(rejected: readonly Rejected[], named = nameOf): string[] {
    return [...Map.groupBy(rejected, ({ reason }) => reason)].map(([reason, list]) => {
        const names = [...new Set(list.map(({ backend }) => named(backend)))].join(", ");
        return reason === undefined ? `no ENI of the VPC holds ${names}` : `the cloud refuses ${names} (${reason})`;
    });
}

/** Error for backends that the group did not take. Others were added, and nothing was removed: these may be late. */
export class RejectedBackends extends Error {
    constructor(
        readonly rejected: readonly Rejected[],
        /** Other backends, which were added. */
        readonly added: readonly Backend[],
    ) {
        const changed =
            added.length === 0
                ? "nothing was changed"
                : `${added.length} other backends were added, none was removed or got another weight`;
        const advice = [
            ...(rejected.some(({ reason }) => reason === undefined) ? [NO_INTERFACE] : []),
            ...(rejected.some(({ reason }) => reason !== undefined) ? [NO_SERVER] : []),
        ];
        super(`${describeRejected(rejected).join("; ")}; ${changed}. ${advice.join(" ")}`);
        this.name = "RejectedBackends";
    }
}

const NO_INTERFACE =
    "Cause: these pods are not attached to the VPC, as with Flannel or hostNetwork outside it, or were " +
    "not a moment ago. " +
    "Remedy: run pulumi up again if they have just started; else set " +
    `service.beta.kubernetes.io/backend-type to "ecs", run the pods with Terway, or name the VPC's ` +
    "ranges (vpcCidrs) to pass over pods outside them; a server group of an NLB can hold addresses " +
    '(server-group-type: "Ip").';

const NO_SERVER =
    "Cause: the cluster has a node or pod whose instance or interface was released or stopped. " +
    "Remedy: start the instance, or delete its node from the cluster (kubectl delete node), and run pulumi up again.";
