/** Writes the difference between the present and the desired backends of a server group. */
import { type Backend, isAddress } from "../schema/backend";
import { defined } from "../schema/defined";
import { diffBackends, type DiffOptions, isEmpty, keepWeights, managed } from "./diff";

/** Access to server groups of one type. */
export interface GroupApi {
    /** Members of a group; undefined if it does not exist. */
    describe(groupId: string): Promise<readonly Backend[] | undefined>;
    /** Name of a group; undefined if it does not exist. */
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
}

/** Server group and how to change its backends. */
export interface ApplyTarget extends DiffOptions {
    readonly groupId: string;
    /** Ownership mark of the backends. */
    readonly mark: string;
    /** Addresses of backends: those of interfaces of the VPC, which are looked up, or plain ones. Default `eni`. */
    readonly addresses?: "eni" | "ip";
    /** VPC of the interfaces: others may have the same addresses. Default: any VPC. */
    readonly vpcId?: string | undefined;
}

/**
 * Changes a server group from its recorded to its desired backends, with the fewest calls: no read, and for up to 20
 * backends (NLB: 40) one call each to add, set weights and remove.
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
    if (missing.length > 0) {
        const attached = add.filter(({ address }) => !missing.includes(address));
        await send("add", attached);
        throw new MissingInterfaces(missing, attached);
    }
    let left = remove;
    try {
        await send("add", add);
    } catch (error) {
        if (!api.isQuotaError(error) || remove.length === 0) throw error;
        await send("remove", remove);
        await send("add", add);
        left = [];
    }
    await send("setWeights", update);
    await send("remove", left);
    return (target.ignoreWeights ? keepWeights(present, desired) : desired).map(marked);
}

/** Looks up the interfaces of new pods; those of present ones are recorded. */
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

/**
 * Error for pods without a network interface. The others were added, and nothing was removed: these pods may be late.
 */
export class MissingInterfaces extends Error {
    constructor(
        readonly ips: readonly string[],
        /** Other backends, which were added. */
        readonly added: readonly Backend[],
    ) {
        super(
            `no ENI of the VPC holds ${ips.join(", ")}; ` +
                (added.length === 0
                    ? "nothing was changed"
                    : `${added.length} other backends were added, none was removed or got another weight`) +
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
