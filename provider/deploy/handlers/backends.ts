/**
 * All backends of one server group, as one resource.
 *
 * The alicloud plugin has one resource for each backend. Those of a CLB it replaces when a weight changes, and it cannot say a pod's address at all; for each of an NLB it
 * waits five seconds, and cannot change two at a time.
 */
import { membersOf } from "../../backend/member";
import type { Backends, BackendServer } from "../../model/backend";
import { ownMembers, type ServerIds, toBackends, userManagedMembers } from "../../observe/members";
import { type ApplyTarget, applyMembership, type GroupApi } from "../backends";
import { connectGroup, type GroupType } from "./group";
import type { AccountReference } from "./place";
import { type CheckResult, isUnknown, plain } from "./values";
import { defined } from "../../schema/defined";

/** Inputs of a group's backends. */
export interface BackendsInputs {
    /** Id of the server group. */
    readonly serverGroupId: string;
    /** Ownership mark of each backend: the key of the Service's group. Members without it are user-managed. */
    readonly description: string;
    /** Kind of the group: a CLB's vServer group, or what an NLB's server group holds. Default `VServer`. */
    readonly groupType?: GroupType;
    /** nodePort, for the backends whose keys name no port. */
    readonly port?: number;
    /** Backends by their key: ECS instance id or pod address. */
    readonly backends: Backends;
    /** Set weights when a backend is added, and never again. Default false. */
    readonly ignoreWeights?: boolean;
    /** Allow the last backend to be removed. Default false: an empty answer of the cluster keeps the backends that are there. */
    readonly allowEmpty?: boolean;
    /** The sync controller keeps the backends once the group is filled; a run leaves them alone then. Default false. */
    readonly sync?: boolean;
    readonly region?: string;
    readonly account?: AccountReference;
}

type UserManaged = Readonly<Record<string, { readonly weight: number; readonly description: string }>>;

/** What is kept beside the inputs. */
export interface BackendsOutputs extends BackendsInputs {
    readonly serverIds: ServerIds;
    /** User-managed members, as a refresh has seen them: left alone, and named so that people know. Absent = none. */
    readonly userManaged?: UserManaged;
    /** The same in states of earlier versions. */
    readonly leftAlone?: UserManaged;
}

/**
 * Keeps the backends that are there when the cluster suddenly names none: missing data is no order to remove everything. Where the sync controller keeps them, those that are
 * recorded are no difference, unless the group itself changes.
 */
export async function check(olds: Partial<BackendsInputs>, news: BackendsInputs): Promise<CheckResult<BackendsInputs>> {
    if (olds.backends !== undefined && olds.sync === true && news.sync === true && isSameGroup(olds, news))
        return { inputs: { ...news, backends: olds.backends }, failures: [] };
    const had = olds.backends !== undefined && Object.keys(olds.backends).length > 0;
    const empties = !isUnknown(news.backends) && Object.keys(news.backends).length === 0;
    if (had && empties && !news.allowEmpty) {
        return {
            inputs: { ...news, backends: olds.backends ?? {}, ...defined({ port: olds.port }) },
            failures: [],
        };
    }
    return { inputs: news, failures: [] };
}

const isSameGroup = (olds: Partial<BackendsInputs>, news: BackendsInputs): boolean =>
    (["serverGroupId", "description", "groupType", "port"] as const).every((field) => olds[field] === news[field]);

/** Fills the group. Reads it first: an interrupted run may have filled it already. */
export async function create(inputs: BackendsInputs): Promise<{ id: string; outs: BackendsOutputs }> {
    const servers = await describe(inputs);
    if (servers === undefined) {
        throw new Error(
            `server group ${inputs.serverGroupId} does not exist, so it cannot be filled. Remedy: run pulumi up --refresh, which makes it again.`,
        );
    }
    const serverIds = await applyMembership(
        connect(inputs),
        target(inputs),
        ownMembers(servers, inputs.description),
        membersOf(inputs),
    );
    return { id: inputs.serverGroupId, outs: outputs(inputs, serverIds) };
}

/**
 * Adds, re-weighs and removes what differs from the last record. While weights were ignored, or the backends were the sync controller's, the record did not follow them, so that
 * the group is read once they count again.
 */
export async function update(
    _id: string,
    olds: BackendsOutputs,
    news: BackendsInputs,
): Promise<{ outs: BackendsOutputs }> {
    const stale = olds.sync === true || (olds.ignoreWeights && !news.ignoreWeights);
    const recorded = stale
        ? ownMembers((await describe(news)) ?? [], news.description)
        : { members: membersOf(olds), serverIds: olds.serverIds };
    const remark = olds.description !== news.description;
    const serverIds = await applyMembership(connect(news), { ...target(news), remark }, recorded, membersOf(news));
    const userManaged = olds.userManaged ?? olds.leftAlone;
    return { outs: { ...outputs(news, serverIds), ...defined({ userManaged }) } };
}

/** Our backends as they are in the cloud; user-managed ones are left alone and left out. */
export async function read(
    id: string,
    props: BackendsOutputs,
): Promise<{ id?: string; props?: BackendsOutputs; inputs?: BackendsInputs }> {
    const servers = await describe(props);
    if (servers === undefined) {
        return {};
    }
    const own = ownMembers(servers, props.description);
    // Nodes that are members by their address have the nodePort, and members of a group for a range of ports have none of their own.
    const found = toBackends(own.members, props.port, props.groupType === "Ip" || props.port === 0);
    const backends = props.ignoreWeights
        ? Object.fromEntries(Object.entries(found).map(([key, state]) => [key, props.backends[key] ?? state]))
        : found;
    const { serverIds: _, userManaged: __, leftAlone: ___, ...inputs } = props;
    const userManaged = userManagedMembers(servers, props.description);
    return {
        id,
        props: plain({
            ...inputs,
            backends,
            serverIds: own.serverIds,
            ...(Object.keys(userManaged).length === 0 ? {} : { userManaged }),
        }),
        inputs: plain({ ...inputs, backends }),
    };
}

/** Removes our backends; user-managed ones stay. */
async function remove(_id: string, props: BackendsOutputs): Promise<void> {
    const servers = await describe(props);
    if (servers !== undefined) {
        await applyMembership(connect(props), target(props), ownMembers(servers, props.description), []);
    }
}
export { remove as delete };

async function describe(inputs: BackendsInputs): Promise<readonly BackendServer[] | undefined> {
    return connect(inputs).describe(inputs.serverGroupId);
}

function connect(inputs: BackendsInputs): GroupApi {
    return connectGroup(inputs, inputs.groupType ?? "VServer");
}

function target(inputs: BackendsInputs): ApplyTarget {
    return {
        groupId: inputs.serverGroupId,
        description: inputs.description,
        ignoreWeights: inputs.ignoreWeights ?? false,
        addresses: inputs.groupType === "Ip" ? "ip" : "eni",
    };
}

function outputs(inputs: BackendsInputs, serverIds: ServerIds): BackendsOutputs {
    return plain({ ...inputs, serverIds });
}
