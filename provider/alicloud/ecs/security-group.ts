import { batches } from "../http/batch";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, requireText, text, type Json } from "../http/json";
import { readTags, type Tags } from "../slb/tags";
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
        .flatMap((page) => list(page, "SecurityGroups", "SecurityGroup"))
        .map((item) => ({
            id: requireText(item, "SecurityGroupId", action),
            tags: readTags(list(item, "Tags", "Tag")),
        }));
}

/** Creates an enterprise security group without rules and gives its id (CreateSecurityGroup). Look for its name first: it may be repeated without a token. */
export async function createSecurityGroup(cloud: Cloud, wish: SecurityGroupSpec): Promise<string> {
    const action = "CreateSecurityGroup";
    const answer = await cloud.call("ecs", action, {
        SecurityGroupName: wish.name,
        Description: wish.description,
        VpcId: wish.vpcId,
        SecurityGroupType: "enterprise",
        ResourceGroupId: wish.resourceGroupId,
        Tag: Object.entries(wish.tags).map(([Key, Value]) => ({ Key, Value })),
    });
    return requireText(answer, "SecurityGroupId", action);
}

/** The rules of a group for what comes in, or undefined if there is no such group (DescribeSecurityGroupAttribute). */
export async function listPermissions(cloud: Cloud, id: string): Promise<Permission[] | undefined> {
    try {
        const answer = await cloud.call("ecs", "DescribeSecurityGroupAttribute", {
            SecurityGroupId: id,
            Direction: "ingress",
        });
        return list(answer, "Permissions", "Permission").map(readPermission);
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

function readPermission(item: Json): Permission {
    return {
        source: text(item, "SourceCidrIp") ?? text(item, "Ipv6SourceCidrIp") ?? "",
        policy: text(item, "Policy")?.toLowerCase() === "drop" ? "drop" : "accept",
        priority: Number(text(item, "Priority") ?? 1),
        description: text(item, "Description") ?? "",
    };
}
