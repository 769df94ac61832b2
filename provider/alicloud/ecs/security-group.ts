import { batches } from "../http/batch";
import { list, number, object, readAnswer, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { readTags, TAG, type Tags } from "../slb/tags";
import { tokenPages } from "../http/page";

/** One rule for what comes in. */
export interface Permission {
    /** Address range, IPv4 or IPv6. */
    readonly source: string;
    readonly policy: "accept" | "drop";
    /** 1 is looked at first, 100 last. */
    readonly priority: number;
    readonly description: string;
}

/** A security group that is to be made. */
export interface SecurityGroupSpec {
    readonly name: string;
    readonly description: string;
    readonly vpcId: string;
    readonly resourceGroupId?: string;
    readonly tags: Tags;
}

/** Most rules in one call. Source: ECS API, AuthorizeSecurityGroup, Permissions. */
const RULES_PER_CALL = 100;

const SECURITY_GROUPS = object({
    SecurityGroups: list(object({ SecurityGroupId: requiredText, Tags: list(TAG, "Tag") }), "SecurityGroup"),
});

const CREATED = object({ SecurityGroupId: requiredText });

const PERMISSION = object({
    SourceCidrIp: text,
    Ipv6SourceCidrIp: text,
    Policy: text,
    Priority: number,
    Description: text,
});

const PERMISSIONS = object({ Permissions: list(PERMISSION, "Permission") });

/** Ids and tags of the security groups of this name in a VPC (DescribeSecurityGroups, every page). */
export async function findSecurityGroups(
    cloud: Cloud,
    vpcId: string,
    name: string,
): Promise<{ readonly id: string; readonly tags: Tags }[]> {
    const action = "DescribeSecurityGroups";
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("ecs", action, { VpcId: vpcId, SecurityGroupName: name, MaxResults: 50, NextToken }),
    );
    return pages
        .flatMap((page) => readAnswer(action, SECURITY_GROUPS, page).SecurityGroups ?? [])
        .map(({ SecurityGroupId, Tags }) => ({ id: SecurityGroupId, tags: readTags(Tags) }));
}

/** Creates an enterprise security group without rules and gives its id (CreateSecurityGroup). Look for its name first: it may be repeated without a token. */
export async function createSecurityGroup(cloud: Cloud, spec: SecurityGroupSpec): Promise<string> {
    const action = "CreateSecurityGroup";
    const answer = await cloud.call("ecs", action, {
        SecurityGroupName: spec.name,
        Description: spec.description,
        VpcId: spec.vpcId,
        SecurityGroupType: "enterprise",
        ResourceGroupId: spec.resourceGroupId,
        Tag: Object.entries(spec.tags).map(([Key, Value]) => ({ Key, Value })),
    });
    return readAnswer(action, CREATED, answer).SecurityGroupId;
}

/** The rules of a group for what comes in, or undefined if there is no such group (DescribeSecurityGroupAttribute). */
export async function listPermissions(cloud: Cloud, id: string): Promise<Permission[] | undefined> {
    const action = "DescribeSecurityGroupAttribute";
    try {
        const answer = await cloud.call("ecs", action, {
            SecurityGroupId: id,
            Direction: "ingress",
        });
        return (readAnswer(action, PERMISSIONS, answer).Permissions ?? []).map(readPermission);
    } catch (error) {
        if (isNotFound(error, "securityGroup")) return undefined;
        throw error;
    }
}

/** Adds rules, 100 a call (AuthorizeSecurityGroup); repeating it is harmless: a rule is there once. */
export async function authorize(cloud: Cloud, id: string, rules: readonly Permission[]): Promise<void> {
    for (const batch of batches(rules, RULES_PER_CALL))
        await cloud.call(
            "ecs",
            "AuthorizeSecurityGroup",
            { SecurityGroupId: id, Permissions: batch.map(writePermission) },
            { idempotent: true },
        );
}

/** Takes rules away, 100 a call (RevokeSecurityGroup). */
export async function revoke(cloud: Cloud, id: string, rules: readonly Permission[]): Promise<void> {
    for (const batch of batches(rules, RULES_PER_CALL))
        await cloud.call(
            "ecs",
            "RevokeSecurityGroup",
            { SecurityGroupId: id, Permissions: batch.map(writePermission) },
            { idempotent: true },
        );
}

/** Deletes a group; one that is gone already is fine (DeleteSecurityGroup). Fails while something is in it. */
export async function deleteSecurityGroup(cloud: Cloud, id: string): Promise<void> {
    try {
        await cloud.call("ecs", "DeleteSecurityGroup", { SecurityGroupId: id });
    } catch (error) {
        if (!isNotFound(error, "securityGroup")) throw error;
    }
}

function writePermission({ source, policy, priority, description }: Permission): Record<string, unknown> {
    const range = source.includes(":") ? { Ipv6SourceCidrIp: source } : { SourceCidrIp: source };
    return {
        ...range,
        Policy: policy,
        Priority: String(priority),
        IpProtocol: "ALL",
        PortRange: "-1/-1",
        Description: description,
    };
}

function readPermission(rule: ReturnType<typeof PERMISSION.parse>): Permission {
    return {
        source: rule.SourceCidrIp ?? rule.Ipv6SourceCidrIp ?? "",
        policy: rule.Policy?.toLowerCase() === "drop" ? "drop" : "accept",
        priority: rule.Priority ?? 1,
        description: rule.Description ?? "",
    };
}
