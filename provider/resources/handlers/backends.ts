/**
 * All backends of one server group, as one resource.
 *
 * The alicloud plugin has a resource for each backend. It replaces those of a CLB when a weight changes, and has no pod
 * addresses; those of an NLB wait five seconds each, one after the other.
 */
import { membersOf } from "../../backends/member";
import type { Backends, BackendServer } from "../../schema/backend";
import { ownMembers, type ServerIds, toBackends, userManagedMembers } from "../../backends/observed";
import { defined } from "../../schema/defined";
import { type ApplyTarget, applyMembership, type GroupApi } from "../../backends/apply";
import { connectGroup, type GroupType } from "./group";
import {
    type Checked,
    type Created,
    gone,
    isUnknown,
    type Observed,
    type Place,
    plain,
    refuse,
    type Updated,
} from "./handler";

/** Inputs of a group's backends. */
export interface BackendsInputs extends Place {
    /** Id of the server group. */
    readonly serverGroupId: string;
    /** Ownership mark of each backend: the key of the Service's group. Members without it are user-managed. */
    readonly description: string;
    /** Type of the group: a CLB's vServer group, or what an NLB's server group holds. Default `VServer`. */
    readonly groupType?: GroupType;
    /** nodePort, for the backends whose keys name no port. */
    readonly port?: number;
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

type UserManaged = ReturnType<typeof userManagedMembers>;

/** Recorded backends. */
export interface BackendsOutputs extends BackendsInputs {
    readonly serverIds: ServerIds;
    /** User-managed members as of the last refresh. Absent = none. */
    readonly userManaged?: Readonly<UserManaged>;
    /** The same in states of earlier versions. */
    readonly leftAlone?: Readonly<UserManaged>;
}

/**
 * Keeps the recorded backends if the cluster suddenly has none: missing data must not remove everything. Also keeps
 * those
 * of the sync controller, unless the group itself changes.
 */
export async function check(olds: Partial<BackendsInputs>, news: BackendsInputs): Promise<Checked<BackendsInputs>> {
    const { backends } = olds;
    if (backends === undefined) return refuse(news, []);
    if (olds.sync === true && news.sync === true && isSameGroup(olds, news)) return refuse({ ...news, backends }, []);
    const hadBackends = Object.keys(backends).length > 0;
    const empties = !isUnknown(news.backends) && Object.keys(news.backends).length === 0;
    return hadBackends && empties && !news.allowEmpty
        ? refuse({ ...news, backends, ...defined({ port: olds.port }) }, [])
        : refuse(news, []);
}

const isSameGroup = (olds: Partial<BackendsInputs>, news: BackendsInputs): boolean =>
    (["serverGroupId", "description", "groupType", "port"] as const).every((field) => olds[field] === news[field]);

/** Fills the group. Reads it first: an interrupted run may have filled it already. */
export async function create(inputs: BackendsInputs): Promise<Created<BackendsOutputs>> {
    const { serverGroupId, description } = inputs;
    const api = connect(inputs);
    const servers = await api.describe(serverGroupId);
    if (servers === undefined) throw gone(`server group ${serverGroupId}`, "it cannot be filled");
    const recorded = ownMembers(servers, description);
    const serverIds = await applyMembership(api, target(inputs), recorded, membersOf(inputs));
    return { id: serverGroupId, outs: plain({ ...inputs, serverIds }) };
}

/**
 * Adds, re-weighs and removes the difference to the last record. Reads the group if the record did not follow it: while
 * weights were ignored, or the sync controller managed the backends.
 */
export async function update(
    _id: string,
    olds: BackendsOutputs,
    news: BackendsInputs,
): Promise<Updated<BackendsOutputs>> {
    const api = connect(news);
    const stale = olds.sync === true || (olds.ignoreWeights && !news.ignoreWeights);
    const recorded = stale
        ? ownMembers((await api.describe(news.serverGroupId)) ?? [], news.description)
        : { members: membersOf(olds), serverIds: olds.serverIds };
    const remark = olds.description !== news.description;
    const serverIds = await applyMembership(api, { ...target(news), remark }, recorded, membersOf(news));
    return { outs: plain({ ...news, serverIds, ...defined({ userManaged: olds.userManaged ?? olds.leftAlone }) }) };
}

/** Reads the managed backends. */
export async function read(id: string, props: BackendsOutputs): Promise<Observed<BackendsOutputs, BackendsInputs>> {
    const servers = await describe(props);
    if (servers === undefined) return {};
    const { serverIds: _, userManaged: __, leftAlone: ___, ...inputs } = props;
    const own = ownMembers(servers, props.description);
    // Nodes that are members by their address have the nodePort; members of a group for a port range have no port.
    const found = toBackends(own.members, props.port, props.groupType === "Ip" || props.port === 0);
    const backends = props.ignoreWeights
        ? Object.fromEntries(Object.entries(found).map(([key, state]) => [key, props.backends[key] ?? state]))
        : found;
    const userManaged = userManagedMembers(servers, props.description);
    const outputs = {
        ...inputs,
        backends,
        serverIds: own.serverIds,
        ...(Object.keys(userManaged).length === 0 ? {} : { userManaged }),
    };
    return { id, props: plain(outputs), inputs: plain({ ...inputs, backends }) };
}

/** Removes the managed backends. */
async function remove(_id: string, props: BackendsOutputs): Promise<void> {
    const servers = await describe(props);
    if (servers !== undefined)
        await applyMembership(connect(props), target(props), ownMembers(servers, props.description), []);
}
export { remove as delete };

const connect = (inputs: BackendsInputs): GroupApi => connectGroup(inputs, inputs.groupType ?? "VServer");

const describe = (inputs: BackendsInputs): Promise<readonly BackendServer[] | undefined> =>
    connect(inputs).describe(inputs.serverGroupId);

const target = (inputs: BackendsInputs): ApplyTarget => ({
    groupId: inputs.serverGroupId,
    description: inputs.description,
    ignoreWeights: inputs.ignoreWeights ?? false,
    addresses: inputs.groupType === "Ip" ? "ip" : "eni",
});
