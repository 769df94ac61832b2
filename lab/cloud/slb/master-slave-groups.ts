import { reads, writes, type Action } from "../actions";
import { refusal, rule, type JsonObject, type ParamSpecs } from "../core";
import type { World } from "../world";
import { backendView } from "./backend-view";
import { backendsOf, checkMembers, readBackends, resolveBackend } from "./backends";
import { NOT_USED_BY_LISTENER } from "./server-groups";
import { changeable } from "./lookup";
import type { MasterSlaveGroup } from "./state";
import { applyTags, tagView } from "./tags";

const GROUP_EXISTS = rule({
    id: "slb.master-slave-group.exists",
    code: "InvalidParameter",
    message: "The specified MasterSlaveGroupId does not exist.",
    when: "the master-slave group is unknown or was deleted",
    source: "testdata/alicloud-plugin (ms-gone)",
    enforcement: "always",
});

const TWO_SERVERS = rule({
    id: "slb.master-slave-group.two-servers",
    code: "BACKEND_SERVERS_NUM_MUST_BE_TWO",
    message: "Backend servers num must be 2.",
    when: "the group does not have exactly two servers",
    source: "CLB API CreateMasterSlaveServerGroup, error codes",
});

const ONE_OF_EACH = rule({
    id: "slb.master-slave-group.one-of-each",
    code: "BACKEND_SERVERS_CAN_ONLY_CONTAIN_ONE_MASTER_AND_ONE_SLAVE",
    message: "Backend servers can only contain one master and one slave.",
    when: "the two servers are not one Master and one Slave",
    source: "CLB API CreateMasterSlaveServerGroup, error codes",
});

const ID: ParamSpecs = { MasterSlaveServerGroupId: { required: true } };

function find(world: World, id: string): MasterSlaveGroup {
    const group = world.slb.masterSlaveGroups.get(id);
    if (group === undefined) throw refusal(GROUP_EXISTS);
    return group;
}

function answer(group: MasterSlaveGroup): JsonObject {
    return {
        MasterSlaveServerGroupId: group.id,
        MasterSlaveBackendServers: { MasterSlaveBackendServer: group.backends.map(backendView) },
    };
}

export const masterSlaveActions: readonly Action[] = [
    writes(
        "CreateMasterSlaveServerGroup",
        { LoadBalancerId: { required: true }, Tag: { maxItems: 20 } },
        (p, world, caller) => {
            const lb = changeable(world, p.need("LoadBalancerId"), caller);
            const backends = readBackends(world, p.text("MasterSlaveBackendServers")).map((given) =>
                resolveBackend(world, lb, given),
            );
            world.rules.check(TWO_SERVERS, backends.length === 2);
            const kinds = new Set(backends.map((b) => b.serverType));
            world.rules.check(ONE_OF_EACH, kinds.has("Master") && kinds.has("Slave"));
            checkMembers(world, lb.id, backends, backendsOf(world, lb.id));
            const tags = new Map<string, string>();
            applyTags(world, tags, p.structs("Tag"));
            // vServer groups and master-slave groups share a series of ids.
            const id = world.ids.next("rsp");
            const group: MasterSlaveGroup = {
                id,
                loadBalancerId: lb.id,
                name: p.text("MasterSlaveServerGroupName") ?? "",
                backends,
                tags,
            };
            world.slb.masterSlaveGroups.set(id, group);
            return answer(group);
        },
    ),
    reads("DescribeMasterSlaveServerGroupAttribute", ID, (p, world) => {
        const group = find(world, p.need("MasterSlaveServerGroupId"));
        return {
            ...answer(group),
            MasterSlaveServerGroupName: group.name,
            LoadBalancerId: group.loadBalancerId,
            Tags: tagView(group.tags),
        };
    }),
    reads("DescribeMasterSlaveServerGroups", { LoadBalancerId: { required: true } }, (p, world) => {
        const groups = [...world.slb.masterSlaveGroups.values()].filter(
            (g) => g.loadBalancerId === p.need("LoadBalancerId"),
        );
        const rows = groups.map((g) => ({ MasterSlaveServerGroupId: g.id, MasterSlaveServerGroupName: g.name }));
        return { MasterSlaveServerGroups: { MasterSlaveServerGroup: rows } };
    }),
    writes("DeleteMasterSlaveServerGroup", ID, (p, world, caller) => {
        const group = find(world, p.need("MasterSlaveServerGroupId"));
        changeable(world, group.loadBalancerId, caller);
        const used = [...world.slb.listeners.values()].some(
            (l) => l.attributes.get("MasterSlaveServerGroupId") === group.id,
        );
        world.rules.check(NOT_USED_BY_LISTENER, !used);
        world.slb.masterSlaveGroups.delete(group.id);
    }),
];
