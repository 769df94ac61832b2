/**
 * Backends of a Service's server groups, as one resource.
 *
 * The alicloud plugin has a resource for each backend. It replaces those of a CLB when a weight changes, and has no pod
 * addresses. Those of an NLB wait five seconds each, in sequence.
 */
import { applyBackends } from "../../backends/apply";
import { keepMappedWeights, managed } from "../../backends/diff";
import { type Backend, type Backends, formatBackendKey, toList, toMap } from "../../schema/backend";
import { defined, sortedByKey, unlessEmpty } from "../../schema/defined";
import { managingEach } from "./each";
import { connectGroup, type GroupType } from "./group";
import { type Checked, gone, isUnknown, type Place, refuse } from "./handler";

export interface GroupInputs {
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
}

interface SharedInputs extends Place {
    /** Set weights only when a backend is added. Default false. */
    readonly ignoreWeights?: boolean;
    /**
     * Allow the last backend to be removed. Default false: an empty answer of the cluster keeps the present backends.
     */
    readonly allowEmpty?: boolean;
    /** The sync controller manages the backends of the filled groups, and a run leaves them alone. Default false. */
    readonly sync?: boolean;
}

interface BackendsInputs extends SharedInputs {
    /** Server groups by the key that they have in the Service. */
    readonly groups: Readonly<Record<string, GroupInputs>>;
}

type Filled = SharedInputs & GroupInputs;

interface BackendsComputed {
    /** ENI ids of the pods by address. A deleted pod no longer leads to its ENI. Absent = none. */
    readonly serverIds?: Readonly<Record<string, string>>;
    /** User-managed members as of the last refresh. Absent = none. */
    readonly userManaged?: Readonly<Record<string, { readonly weight: number; readonly description: string }>>;
}

/**
 * Keeps the recorded backends of a group if the cluster suddenly has none: missing data must not remove everything.
 * A group of another type cannot have them. Unless the group itself changes, also keeps those of the sync controller,
 * and weights that are to be ignored: those of the cloud, read once, if the controller has written them.
 */
async function check(
    olds: Partial<BackendsInputs>,
    news: BackendsInputs,
    read = describe,
): Promise<Checked<BackendsInputs>> {
    const keep = async (key: string, group: GroupInputs): Promise<[string, GroupInputs]> => {
        const recorded = olds.groups?.[key];
        if (recorded === undefined) return [key, group];
        const { backends, groupType } = recorded;
        const stays = isSameGroup(recorded, group);
        if (isSynced({ ...olds, ...recorded }, { ...news, ...group })) return [key, { ...group, backends }];
        const hadBackends = Object.keys(backends).length > 0;
        const empties = !isUnknown(group.backends) && Object.keys(group.backends).length === 0;
        if (hadBackends && empties && !news.allowEmpty && groupType === group.groupType)
            return [key, { ...group, backends, ...defined({ port: recorded.port }) }];
        if (news.ignoreWeights !== true || !stays || isUnknown(group.backends)) return [key, group];
        const servers = olds.sync === true ? await read({ ...news, ...recorded }).catch(() => undefined) : undefined;
        const present = servers === undefined ? backends : mapOf(managed(servers, recorded.description), recorded);
        return [key, { ...group, backends: keepMappedWeights(present, group.backends) }];
    };
    const kept = await Promise.all(Object.entries(news.groups).map(([key, group]) => keep(key, group)));
    return refuse({ ...news, groups: Object.fromEntries(kept) }, []);
}

/**
 * Returns members as a map. Nodes that are members by their address have the nodePort, and members of a group for a
 * port range have no port.
 */
const mapOf = (own: readonly Backend[], { port, groupType }: Pick<GroupInputs, "port" | "groupType">): Backends =>
    toMap(own, port, groupType === "Ip" || port === 0);

const isSameGroup = (olds: GroupInputs, news: GroupInputs): boolean =>
    (["serverGroupId", "groupType", "port"] as const).every((field) => olds[field] === news[field]);

/** True for a group that the sync controller has filled, and goes on to fill. */
const isSynced = (olds: Filled, news: Filled): boolean =>
    olds.sync === true && news.sync === true && isSameGroup(olds, news) && olds.description === news.description;

const { create, update, read, remove } = managingEach<"groups", SharedInputs, GroupInputs, BackendsComputed>(
    "groups",
    {
        /** Fills a group. Reads it first: an interrupted run may have filled it already. */
        create: async (inputs) => {
            const servers = await describe(inputs);
            if (servers === undefined) throw gone(`server group ${inputs.serverGroupId}`, "it cannot be filled");
            const made = await apply(inputs, managed(servers, inputs.description), toList(inputs));
            return { id: inputs.serverGroupId, ...made };
        },
        /**
         * Adds, re-weighs and removes the difference to the last record. Reads the group if the record did not follow
         * it: after a failed update, while weights were ignored, or the sync controller managed the backends. Leaves
         * the group alone if the controller goes on.
         */
        update: async (olds, news) => {
            if (isSynced(olds, news)) return defined({ serverIds: olds.serverIds, userManaged: olds.userManaged });
            const stale = olds.unsure || olds.sync === true || (olds.ignoreWeights && !news.ignoreWeights);
            const recorded = stale ? managed((await describe(news)) ?? [], news.description) : toList(olds);
            const made = await apply(news, recorded, toList(news), olds.description !== news.description);
            return { ...made, ...defined({ userManaged: olds.userManaged }) };
        },
        read: async (props) => {
            const servers = await describe(props);
            if (servers === undefined) return undefined;
            const own = managed(servers, props.description);
            const found = mapOf(own, props);
            const kept = Object.entries(props.backends).filter(([key]) => key in found);
            const others = servers.filter((server) => !own.includes(server));
            const userManaged = others.map((server) => {
                const description = server.mark ?? "";
                return [formatBackendKey(server), { weight: server.weight, description }] as const;
            });
            return {
                backends: props.ignoreWeights ? { ...found, ...Object.fromEntries(kept) } : found,
                ...interfacesOf(own),
                ...defined({ userManaged: unlessEmpty(sortedByKey(Object.fromEntries(userManaged))) }),
            };
        },
        delete: async (props) => {
            const servers = await describe(props);
            if (servers !== undefined) await apply(props, managed(servers, props.description), []);
        },
    },
    { identity: ["serverGroupId"], computed: ["serverIds", "userManaged"] },
);
export { check, create, update, read, remove as delete };

const describe = (inputs: Filled): Promise<readonly Backend[] | undefined> =>
    connectGroup(inputs, inputs.groupType ?? "VServer").describe(inputs.serverGroupId);

async function apply(
    { serverGroupId, description, ignoreWeights, groupType, vpcId, ...place }: Filled,
    recorded: readonly Backend[],
    desired: readonly Backend[],
    remark = false,
): Promise<Pick<BackendsComputed, "serverIds">> {
    const target = {
        groupId: serverGroupId,
        mark: description,
        ignoreWeights: ignoreWeights ?? false,
        addresses: groupType === "Ip" ? ("ip" as const) : ("eni" as const),
        vpcId,
        remark,
    };
    return interfacesOf(await applyBackends(connectGroup(place, groupType ?? "VServer"), target, recorded, desired));
}

const interfacesOf = (backends: readonly Backend[]): Pick<BackendsComputed, "serverIds"> => {
    const found = backends.flatMap(({ address, eni }) => (eni === undefined ? [] : [[address, eni] as const]));
    return defined({ serverIds: unlessEmpty(sortedByKey(Object.fromEntries(found))) });
};
