import { reads, writes, type Action, type Caller } from "../actions";
import { rule, type JsonObject, type Params, type ParamSpecs } from "../core";
import type { World } from "../world";
import { LIST_GIVEN } from "./backend-rules";
import { backendsOf, checkMembers, readBackends, resolveBackend, sameMember, type GivenBackend } from "./backends";
import { changeable, changeGroup, findGroup, findLoadBalancer } from "./lookup";
import type { Backend, VServerGroup } from "./state";
import { applyTags, tagView } from "./tags";

const NOT_USED_BY_LISTENER = rule({
    id: "slb.server-group.not-used-by-listener",
    code: "RspoolVipExist",
    message: "there are vips associating with this vServer group.",
    when: "a vServer group is deleted while a listener uses it",
    source:
        "CLB API DeleteVServerGroup; ACK FAQ about Services, error table; " +
        "testdata/alicloud-plugin (sg-in-use-freed)",
    enforcement: "always",
});

const LISTED_INSTANCE_EXISTS = rule({
    id: "slb.server-group.listed-instance-exists",
    code: "InvalidLoadBalancerId.NotFound",
    status: 404,
    message: "The specified LoadBalancerId does not exist.",
    when:
        "the groups of an unknown instance are listed; " +
        "a lenient cloud answers an empty list (recorded: fn-slb-groups in testdata/alicloud-plugin)",
    source: "CLB API DescribeVServerGroups",
});

const ID: ParamSpecs = { VServerGroupId: { required: true } };
const NAME = { maxLength: 128 };

/** The group to change, after modification protection of its instance and the group's own lock were looked at. */
function editable(p: Params, world: World, caller: Caller): VServerGroup {
    const group = findGroup(world, p.need("VServerGroupId"));
    changeable(world, group.loadBalancerId, caller);
    return group;
}

/** Members of the instance's other groups. */
function others(world: World, group: VServerGroup): Backend[] {
    return backendsOf(world, group.loadBalancerId).filter((b) => !group.backends.includes(b));
}

/** Adds backends. An existing member stays as it is (recorded: att-exists in testdata/alicloud-plugin). */
function withAdded(world: World, group: VServerGroup, given: readonly GivenBackend[]): Backend[] {
    const lb = findLoadBalancer(world, group.loadBalancerId);
    const members = [...group.backends];
    for (const one of given) {
        const backend = resolveBackend(world, lb, one);
        const address = backend.serverIp === "" ? undefined : backend.serverIp;
        if (!members.some((member) => sameMember(member, { ...one, serverIp: address }))) members.push(backend);
    }
    return members;
}

function without(members: readonly Backend[], given: readonly GivenBackend[]): Backend[] {
    return members.filter((member) => !given.some((one) => sameMember(member, one)));
}

/** Puts new members in place after checking them with those of the other groups. */
function commit(world: World, group: VServerGroup, members: Backend[]): JsonObject {
    const rest = others(world, group);
    checkMembers(world, group.loadBalancerId, members, rest);
    changeGroup(world, group);
    group.backends = members;
    return answer(group);
}

function backendView(backend: Backend): JsonObject {
    return {
        ServerId: backend.serverId,
        Port: backend.port,
        Weight: backend.weight,
        Type: backend.type,
        ServerIp: backend.serverIp,
        Description: backend.description,
    };
}

function answer(group: VServerGroup): JsonObject {
    return {
        VServerGroupId: group.id,
        VServerGroupName: group.name,
        BackendServers: { BackendServer: group.backends.map(backendView) },
    };
}

function create(p: Params, world: World, caller: Caller): JsonObject {
    const lb = changeable(world, p.need("LoadBalancerId"), caller);
    const given = readBackends(world, p.text("BackendServers"));
    const tags = new Map<string, string>();
    applyTags(world, tags, p.structs("Tag"));
    const draft: VServerGroup = {
        id: "",
        loadBalancerId: lb.id,
        name: p.text("VServerGroupName") ?? "",
        backends: [],
        tags,
        busyUntil: 0,
        createdAt: world.now(),
    };
    const members = withAdded(world, draft, given);
    checkMembers(world, lb.id, members, backendsOf(world, lb.id));
    const group: VServerGroup = { ...draft, id: world.ids.next("rsp"), backends: members };
    world.slb.vServerGroups.set(group.id, group);
    return answer(group);
}

/**
 * SetVServerGroupAttribute sets the name, and weight and description of members. Servers that are not members are
 * ignored, and ports cannot be changed.
 */
function set(p: Params, world: World, caller: Caller): JsonObject {
    const group = editable(p, world, caller);
    const given = readBackends(world, p.text("BackendServers"));
    changeGroup(world, group);
    group.name = p.text("VServerGroupName") ?? group.name;
    group.backends = group.backends.map((member) => {
        const desired = given.find((one) => sameMember(member, one));
        return desired === undefined
            ? member
            : {
                  ...member,
                  weight: desired.weight ?? member.weight,
                  description: desired.description ?? member.description,
              };
    });
    return answer(group);
}

function users(world: World, id: string): { Port: number; Protocol: string }[] {
    return [...world.slb.listeners.values()]
        .filter((l) => l.attributes.get("VServerGroupId") === id)
        .map((l) => ({ Port: l.port, Protocol: l.protocol }));
}

function remove(p: Params, world: World, caller: Caller): void {
    const group = editable(p, world, caller);
    world.rules.check(NOT_USED_BY_LISTENER, users(world, group.id).length === 0);
    changeGroup(world, group);
    world.slb.vServerGroups.delete(group.id);
}

function list(p: Params, world: World): JsonObject {
    const loadBalancerId = p.need("LoadBalancerId");
    world.rules.check(LISTED_INSTANCE_EXISTS, world.slb.loadBalancers.has(loadBalancerId));
    const filters = p.structs("Tag");
    const groups = [...world.slb.vServerGroups.values()].filter(
        (g) =>
            g.loadBalancerId === loadBalancerId &&
            (p.text("Description") ?? g.name) === g.name &&
            filters.every(
                (f) =>
                    g.tags.has(f.text("Key") ?? "") &&
                    (f.text("Value") ?? g.tags.get(f.text("Key") ?? "")) === g.tags.get(f.text("Key") ?? ""),
            ),
    );
    const rows = groups.map((g) => ({
        VServerGroupId: g.id,
        VServerGroupName: g.name,
        ServerCount: g.backends.length,
        CreateTime: new Date(g.createdAt).toISOString(),
        AssociatedObjects: {
            Listeners: { Listener: p.bool("IncludeListener") === true ? users(world, g.id) : [] },
            Rules: { Rule: [] },
        },
        Tags: tagView(g.tags),
    }));
    return { VServerGroups: { VServerGroup: rows } };
}

export const serverGroupActions: readonly Action[] = [
    writes(
        "CreateVServerGroup",
        { LoadBalancerId: { required: true }, VServerGroupName: NAME, Tag: { maxItems: 20 } },
        create,
    ),
    writes("AddVServerGroupBackendServers", ID, (p, world, caller) => {
        const group = editable(p, world, caller);
        world.rules.check(LIST_GIVEN, p.text("BackendServers") !== undefined);
        return commit(world, group, withAdded(world, group, readBackends(world, p.text("BackendServers"))));
    }),
    // Backends that are not in the group are ignored: documented for RemoveVServerGroupBackendServers.
    writes("RemoveVServerGroupBackendServers", ID, (p, world, caller) => {
        const group = editable(p, world, caller);
        world.rules.check(LIST_GIVEN, p.text("BackendServers") !== undefined);
        const members = without(group.backends, readBackends(world, p.text("BackendServers")));
        changeGroup(world, group);
        group.backends = members;
        return answer(group);
    }),
    writes("ModifyVServerGroupBackendServers", ID, (p, world, caller) => {
        const group = editable(p, world, caller);
        const kept = without(group.backends, readBackends(world, p.text("OldBackendServers")));
        const given = readBackends(world, p.text("NewBackendServers"));
        const members = withAdded(world, { ...group, backends: kept }, given);
        return commit(world, group, members);
    }),
    writes("SetVServerGroupAttribute", { ...ID, VServerGroupName: NAME }, set),
    writes("DeleteVServerGroup", ID, remove),
    reads("DescribeVServerGroups", { LoadBalancerId: { required: true } }, list),
    reads("DescribeVServerGroupAttribute", ID, (p, world) => {
        const group = findGroup(world, p.need("VServerGroupId"));
        return {
            ...answer(group),
            LoadBalancerId: group.loadBalancerId,
            CreateTime: new Date(group.createdAt).toISOString(),
            Tags: tagView(group.tags),
        };
    }),
];
