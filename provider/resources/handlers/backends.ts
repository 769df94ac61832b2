/**
 * All backends of one server group, as one resource.
 *
 * The alicloud plugin has a resource for each backend. It replaces those of a CLB when a weight changes, and has no pod
 * addresses; those of an NLB wait five seconds each, one after the other.
 */
import { applyBackends } from "../../backends/apply";
import { managed } from "../../backends/diff";
import { type Backend, type Backends, formatBackendKey, toList, toMap } from "../../schema/backend";
import { defined, sortedByKey, unlessEmpty } from "../../schema/defined";
import { connectGroup, type GroupType } from "./group";
import { type CheckMethod, gone, isUnknown, managing, type Place, refuse } from "./handler";

interface BackendsInputs extends Place {
    readonly serverGroupId: string;
    /** Ownership mark of each backend: the key of the Service's group. Members without it are user-managed. */
    readonly description: string;
    /** Type of the group: a CLB's vServer group, or what an NLB's server group holds. Default `VServer`. */
    readonly groupType?: GroupType;
    /** nodePort, for the backends whose keys name no port. */
    readonly port?: number;
    /** VPC of the cluster, in which interfaces are looked up. Default: any VPC. */
    readonly vpcId?: string;
    /** Backends by their key: ECS instance id or pod address. */
    readonly backends: Backends;
    /** Set weights only when a backend is added. Default false. */
    readonly ignoreWeights?: boolean;
    /**
     * Allow the last backend to be removed. Default false: an empty answer of the cluster keeps the present backends.
     */
    readonly allowEmpty?: boolean;
    /** The sync controller manages the backends of the filled group; a run leaves them alone. Default false. */
    readonly sync?: boolean;
}

type UserManaged = Readonly<Record<string, { readonly weight: number; readonly description: string }>>;

interface BackendsComputed {
    /** ENI ids of the pods by address. A deleted pod no longer leads to its ENI. */
    readonly serverIds: Readonly<Record<string, string>>;
    /** User-managed members as of the last refresh. Absent = none. */
    readonly userManaged?: UserManaged;
}

/**
 * Keeps the recorded backends if the cluster suddenly has none: missing data must not remove everything. Also keeps
 * those of the sync controller, unless the group itself changes.
 */
const check: CheckMethod<BackendsInputs> = async (olds, news) => {
    const { backends } = olds;
    if (backends === undefined) return refuse(news, []);
    if (olds.sync === true && news.sync === true && isSameGroup(olds, news)) return refuse({ ...news, backends }, []);
    const hadBackends = Object.keys(backends).length > 0;
    const empties = !isUnknown(news.backends) && Object.keys(news.backends).length === 0;
    return hadBackends && empties && !news.allowEmpty
        ? refuse({ ...news, backends, ...defined({ port: olds.port }) }, [])
        : refuse(news, []);
};

const isSameGroup = (olds: Partial<BackendsInputs>, news: BackendsInputs): boolean =>
    (["serverGroupId", "description", "groupType", "port"] as const).every((field) => olds[field] === news[field]);

const { create, update, read, remove } = managing<BackendsInputs, BackendsComputed>(
    {
        /** Fills the group. Reads it first: an interrupted run may have filled it already. */
        create: async (inputs) => {
            const servers = await describe(inputs);
            if (servers === undefined) throw gone(`server group ${inputs.serverGroupId}`, "it cannot be filled");
            const serverIds = await apply(inputs, managed(servers, inputs.description), toList(inputs));
            return { id: inputs.serverGroupId, serverIds };
        },
        /**
         * Adds, re-weighs and removes the difference to the last record. Reads the group if the record did not follow
         * it: after a failed update, while weights were ignored, or the sync controller managed the backends.
         */
        update: async (olds, news) => {
            const stale = olds.unsure || olds.sync === true || (olds.ignoreWeights && !news.ignoreWeights);
            const recorded = stale ? managed((await describe(news)) ?? [], news.description) : toList(olds);
            const serverIds = await apply(news, recorded, toList(news), olds.description !== news.description);
            return { serverIds, ...defined({ userManaged: olds.userManaged }) };
        },
        read: async (props) => {
            const servers = await describe(props);
            if (servers === undefined) return undefined;
            const own = managed(servers, props.description);
            // Nodes that are members by their address have the nodePort; members of a group for a port range no port.
            const found = toMap(own, props.port, props.groupType === "Ip" || props.port === 0);
            const kept = Object.entries(props.backends).filter(([key]) => key in found);
            const others = servers.filter((server) => !own.includes(server));
            const userManaged = others.map((server) => {
                const description = server.mark ?? "";
                return [formatBackendKey(server), { weight: server.weight, description }] as const;
            });
            return {
                backends: props.ignoreWeights ? { ...found, ...Object.fromEntries(kept) } : found,
                serverIds: serverIdsOf(own),
                userManaged: unlessEmpty(sortedByKey(Object.fromEntries(userManaged))),
            };
        },
        delete: async (props) => {
            const servers = await describe(props);
            if (servers !== undefined) await apply(props, managed(servers, props.description), []);
        },
    },
    ["serverIds", "userManaged"],
);
export { check, create, update, read, remove as delete };

const describe = (inputs: BackendsInputs): Promise<readonly Backend[] | undefined> =>
    connectGroup(inputs, inputs.groupType ?? "VServer").describe(inputs.serverGroupId);

async function apply(
    { serverGroupId, description, ignoreWeights, groupType, vpcId, ...place }: BackendsInputs,
    recorded: readonly Backend[],
    desired: readonly Backend[],
    remark = false,
): Promise<BackendsComputed["serverIds"]> {
    const target = {
        groupId: serverGroupId,
        mark: description,
        ignoreWeights: ignoreWeights ?? false,
        addresses: groupType === "Ip" ? ("ip" as const) : ("eni" as const),
        vpcId,
        remark,
    };
    return serverIdsOf(await applyBackends(connectGroup(place, groupType ?? "VServer"), target, recorded, desired));
}

const serverIdsOf = (backends: readonly Backend[]): BackendsComputed["serverIds"] =>
    sortedByKey(
        Object.fromEntries(backends.flatMap(({ address, eni }) => (eni === undefined ? [] : [[address, eni]]))),
    );
