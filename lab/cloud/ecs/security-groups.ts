import { reads, writes, type Action } from "../actions";
import {
    hasTags,
    numberedPage,
    refusal,
    rule,
    tokenPage,
    type JsonObject,
    type Params,
    type ParamSpecs,
} from "../core";
import type { World } from "../world";
import type { Permission, SecurityGroup } from "./state";

const EXISTS = rule({
    id: "ecs.security-group.exists",
    code: "InvalidSecurityGroupId.NotFound",
    status: 404,
    message: "The specified SecurityGroupId does not exist.",
    when: "the security group is unknown or was deleted",
    source: "ECS API DescribeSecurityGroupAttribute, error codes",
    enforcement: "always",
});

const NOT_USED = rule({
    id: "ecs.security-group.not-used",
    code: "DependencyViolation",
    status: 403,
    message: "There is still instance(s) in the specified security group.",
    when: "a security group is deleted while a load balancer is in it",
    source: "ECS API DeleteSecurityGroup, error codes",
    enforcement: "always",
});

const ID: ParamSpecs = { SecurityGroupId: { required: true } };

export function findSecurityGroup(world: World, id: string): SecurityGroup {
    const group = world.ecs.securityGroups.get(id);
    if (group === undefined) throw refusal(EXISTS);
    return group;
}

function view(g: SecurityGroup): JsonObject {
    return {
        SecurityGroupId: g.id,
        SecurityGroupName: g.name,
        Description: g.description,
        VpcId: g.vpcId,
        SecurityGroupType: g.type,
        ResourceGroupId: g.resourceGroupId,
        CreationTime: "2026-01-01T00:00:00Z",
        Tags: { Tag: [...g.tags].map(([TagKey, TagValue]) => ({ TagKey, TagValue })) },
    };
}

function permissionView(x: Permission): JsonObject {
    return {
        SecurityGroupRuleId: x.id,
        Direction: x.direction,
        Policy: x.policy,
        Priority: x.priority,
        IpProtocol: x.ipProtocol,
        PortRange: x.portRange,
        SourceCidrIp: x.sourceCidrIp,
        Ipv6SourceCidrIp: x.ipv6SourceCidrIp,
        Description: x.description,
        NicType: x.nicType,
        CreateTime: "2026-01-01T00:00:00Z",
    };
}

/** Returns the permissions of a call, in `Permissions.N.…` or in the plain parameters. */
function given(p: Params): Params[] {
    const many = p.structs("Permissions");
    return many.length > 0 ? many : [p];
}

function permission(world: World, p: Params): Permission {
    return {
        id: world.ids.next("sgr"),
        direction: "ingress",
        policy: p.text("Policy") ?? "accept",
        priority: p.text("Priority") ?? "1",
        ipProtocol: p.text("IpProtocol") ?? "ALL",
        portRange: p.text("PortRange") ?? "-1/-1",
        sourceCidrIp: p.text("SourceCidrIp") ?? "",
        ipv6SourceCidrIp: p.text("Ipv6SourceCidrIp") ?? "",
        description: p.text("Description") ?? "",
        nicType: p.text("NicType") ?? "intranet",
    };
}

function same(a: Permission, b: Permission): boolean {
    return (
        a.sourceCidrIp === b.sourceCidrIp &&
        a.policy.toLowerCase() === b.policy.toLowerCase() &&
        a.portRange === b.portRange &&
        a.ipProtocol.toLowerCase() === b.ipProtocol.toLowerCase()
    );
}

function inUse(world: World, id: string): boolean {
    return [...world.nlb.loadBalancers.values()].some((lb) => lb.securityGroupIds.includes(id));
}

export const securityGroupActions: readonly Action[] = [
    writes("CreateSecurityGroup", {}, (p, world) => {
        const id = world.ids.next("sg");
        const tags = new Map(
            p.structs("Tag").map((t): [string, string] => [t.text("Key") ?? "", t.text("Value") ?? ""]),
        );
        world.ecs.securityGroups.set(id, {
            id,
            name: p.text("SecurityGroupName") ?? "",
            description: p.text("Description") ?? "",
            vpcId: p.text("VpcId") ?? "",
            type: p.text("SecurityGroupType") ?? "normal",
            resourceGroupId: p.text("ResourceGroupId") ?? "",
            permissions: [],
            tags,
        });
        return { SecurityGroupId: id };
    }),
    writes("DeleteSecurityGroup", ID, (p, world) => {
        const group = findSecurityGroup(world, p.need("SecurityGroupId"));
        world.rules.check(NOT_USED, !inUse(world, group.id));
        world.ecs.securityGroups.delete(group.id);
    }),
    reads("DescribeSecurityGroups", {}, (p, world) => {
        const desired = p.jsonList("SecurityGroupIds");
        const found = [...world.ecs.securityGroups.values()].filter(
            (g) =>
                (desired?.includes(g.id) ?? true) &&
                (p.text("SecurityGroupId") ?? g.id) === g.id &&
                (p.text("SecurityGroupName") ?? g.name) === g.name &&
                (p.text("VpcId") ?? g.vpcId) === g.vpcId &&
                hasTags(p, g.tags),
        );
        const { rows, counters } =
            p.sent("MaxResults") || p.sent("NextToken") ? tokenPage(p, found, 10) : numberedPage(p, found);
        return { ...counters, RegionId: world.region, SecurityGroups: { SecurityGroup: rows.map(view) } };
    }),
    reads("DescribeSecurityGroupAttribute", ID, (p, world) => {
        const group = findSecurityGroup(world, p.need("SecurityGroupId"));
        const direction = p.text("Direction") ?? "all";
        const rows = group.permissions.filter((x) => direction === "all" || x.direction === direction);
        return { ...view(group), RegionId: world.region, Permissions: { Permission: rows.map(permissionView) } };
    }),
    writes(
        "JoinResourceGroup",
        { ResourceId: { required: true }, ResourceGroupId: { required: true }, ResourceType: { required: true } },
        (p, world) => {
            findSecurityGroup(world, p.need("ResourceId")).resourceGroupId = p.need("ResourceGroupId");
        },
    ),
    writes("AuthorizeSecurityGroup", ID, (p, world) => {
        const group = findSecurityGroup(world, p.need("SecurityGroupId"));
        for (const one of given(p)) {
            const desired = permission(world, one);
            if (!group.permissions.some((x) => same(x, desired))) group.permissions.push(desired);
        }
    }),
    writes("RevokeSecurityGroup", ID, (p, world) => {
        const group = findSecurityGroup(world, p.need("SecurityGroupId"));
        const ids = p.list("SecurityGroupRuleId");
        const doomed = ids.length > 0 ? [] : given(p).map((one) => permission(world, one));
        group.permissions = group.permissions.filter((x) => !ids.includes(x.id) && !doomed.some((d) => same(x, d)));
    }),
];
