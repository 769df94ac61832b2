import * as api from "./http/answer";
import type { Cloud } from "./http/cloud";
import { ignoreNotFound } from "./http/error";
import { batches, listByToken, readList } from "./http/page";
import { defined } from "../schema/defined";

/** Rule of a security group for incoming connections. */
export interface Permission {
    /** Address range, IPv4 or IPv6. */
    readonly source: string;
    readonly policy: "accept" | "drop";
    /** 1 (first) to 100. */
    readonly priority: number;
    readonly description: string;
}

/** Source: ECS API, AuthorizeSecurityGroup, Permissions. */
const RULES_PER_CALL = 100;
const CREATED = api.object({ SecurityGroupId: api.requiredText });

const SECURITY_GROUP = api.fields({ id: ["SecurityGroupId", api.requiredText], tags: ["Tags", api.tagList("Tag")] });

const PERMISSION = api.converted(
    api.fields({
        ipv4: ["SourceCidrIp", api.text],
        ipv6: ["Ipv6SourceCidrIp", api.text],
        policy: ["Policy", api.text],
        priority: ["Priority", api.defaulted(api.number, 1)],
        description: ["Description", api.defaulted(api.text, "")],
    }),
    ({ ipv4, ipv6, policy, ...rule }): Permission => ({
        ...rule,
        source: ipv4 ?? ipv6 ?? "",
        policy: policy?.toLowerCase() === "drop" ? "drop" : "accept",
    }),
);

/** Returns ids and tags of the security groups of this name, of any VPC or one (DescribeSecurityGroups, every page). */
export function findSecurityGroups(cloud: Cloud, by: { readonly name: string; readonly vpcId?: string }) {
    const params = defined({ VpcId: by.vpcId, SecurityGroupName: by.name, MaxResults: 50 });
    const field = ["SecurityGroups", SECURITY_GROUP, "SecurityGroup"] as const;
    return listByToken(cloud, "ecs", "DescribeSecurityGroups", params, field);
}

/** Creates an enterprise security group without rules and returns its id (CreateSecurityGroup): not idempotent. */
export async function makeSecurityGroup(
    cloud: Cloud,
    group: {
        readonly name: string;
        readonly description: string;
        readonly vpcId: string;
        readonly resourceGroupId?: string;
        readonly tags: api.Tags;
    },
): Promise<string> {
    const action = "CreateSecurityGroup";
    const answer = await cloud.call("ecs", action, {
        SecurityGroupName: group.name,
        Description: group.description,
        VpcId: group.vpcId,
        SecurityGroupType: "enterprise",
        ResourceGroupId: group.resourceGroupId,
        Tag: Object.entries(group.tags).map(([Key, Value]) => ({ Key, Value })),
    });
    return api.readAnswer(action, CREATED, answer).SecurityGroupId;
}

/** Moves a group to a resource group (ECS API, JoinResourceGroup). */
export async function moveSecurityGroup(cloud: Cloud, id: string, resourceGroupId: string): Promise<void> {
    const params = { ResourceType: "securitygroup", ResourceId: id, ResourceGroupId: resourceGroupId };
    await cloud.call("ecs", "JoinResourceGroup", params, { idempotent: true });
}

/** Returns the ingress rules of a group, or undefined if it does not exist (DescribeSecurityGroupAttribute). */
export async function listPermissions(cloud: Cloud, id: string): Promise<Permission[] | undefined> {
    const action = "DescribeSecurityGroupAttribute";
    const params = { SecurityGroupId: id, Direction: "ingress" };
    const answer = await ignoreNotFound("securityGroup", cloud.call("ecs", action, params));
    return answer && readList(action, ["Permissions", PERMISSION, "Permission"], answer);
}

/** Adds rules, 100 a call (AuthorizeSecurityGroup). */
export async function authorize(cloud: Cloud, id: string, rules: readonly Permission[]): Promise<void> {
    for (const params of changes(id, rules))
        await cloud.call("ecs", "AuthorizeSecurityGroup", params, { idempotent: true });
}

/** Removes rules, 100 a call (RevokeSecurityGroup). */
export async function revoke(cloud: Cloud, id: string, rules: readonly Permission[]): Promise<void> {
    for (const params of changes(id, rules))
        await cloud.call("ecs", "RevokeSecurityGroup", params, { idempotent: true });
}

/** Deletes a group, if it exists (DeleteSecurityGroup). Fails while it has members. */
export async function deleteSecurityGroup(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("securityGroup", cloud.call("ecs", "DeleteSecurityGroup", { SecurityGroupId: id }));
}

const changes = (id: string, rules: readonly Permission[]) =>
    batches(rules, RULES_PER_CALL).map((batch) => ({ SecurityGroupId: id, Permissions: batch.map(writePermission) }));

const writePermission = ({ source, policy, priority, description }: Permission): Record<string, unknown> => ({
    ...(source.includes(":") ? { Ipv6SourceCidrIp: source } : { SourceCidrIp: source }),
    Policy: policy,
    Priority: String(priority),
    IpProtocol: "ALL",
    PortRange: "-1/-1",
    Description: description,
});
