/** Managed security group for `spec.loadBalancerSourceRanges` of a Service with an NLB, with its rules. */
import { isDeepStrictEqual } from "node:util";
import { type Cloud, ignoreCodes } from "../../../cloud";
import * as ecs from "../../../cloud/security-group";
import { OWNER_TAG } from "../../../schema/names";
import { sortedByKey } from "../../../schema/defined";
import { gone, managing, openPlace, type Place } from "../handler";

interface SourceSecurityGroupInputs extends Place {
    /** Name of the group, which no other Service has. */
    readonly name: string;
    /** Description of the group and mark of its rules. Rules without it are user-managed. */
    readonly description: string;
    readonly vpcId: string;
    readonly tags: Readonly<Record<string, string>>;
    /** Policy for connections, by the address range of their source. */
    readonly rules: Readonly<Record<string, ecs.Permission["policy"]>>;
    readonly resourceGroupId?: string;
    /** Load balancer and security group stay when the Service is deleted. Default false. */
    readonly preserve?: boolean;
}

/** Priorities as in CCM: accepted ranges come before the rule that drops all others. */
const PRIORITY = { accept: 1, drop: 100 } as const;

/** Refusal while a load balancer is in the group. Source: ECS API, DeleteSecurityGroup. */
const IN_USE = "DependencyViolation";

const { create, update, read, remove } = managing<SourceSecurityGroupInputs>({
    /** Creates the group with its rules. Looks first: an interrupted run may have created it, and names may repeat. */
    create: async (inputs) => {
        const cloud = openPlace(inputs);
        const found = (await ecs.findSecurityGroups(cloud, inputs)).find(
            ({ tags }) => tags[OWNER_TAG] === inputs.tags[OWNER_TAG],
        );
        const id = found?.id ?? (await ecs.makeSecurityGroup(cloud, inputs));
        const actual = found && (await ecs.listPermissions(cloud, id));
        await apply(cloud, id, inputs, actual ?? []);
        return { id };
    },
    update: async (olds, news, id) => {
        const cloud = openPlace(news);
        const { resourceGroupId } = news;
        const actual = await ecs.listPermissions(cloud, id);
        if (actual === undefined) throw gone(`security group ${id}`, "its rules cannot be changed");
        if (resourceGroupId !== undefined && resourceGroupId !== olds.resourceGroupId)
            await ecs.moveSecurityGroup(cloud, id, resourceGroupId);
        await apply(cloud, id, news, actual);
    },
    read: async (props, id) => {
        const actual = await ecs.listPermissions(openPlace(props), id);
        const rules = managed(actual ?? [], props).map(({ source, policy }) => [source, policy] as const);
        return actual && { rules: sortedByKey(Object.fromEntries(rules)) };
    },
    /** Deletes the group. A group that guards a preserved load balancer stays. */
    delete: (props, id) => ignoreCodes(props.preserve ? [IN_USE] : [], ecs.deleteSecurityGroup(openPlace(props), id)),
});
export { create, update, read, remove as delete };

const managed = (
    permissions: readonly ecs.Permission[],
    { description }: SourceSecurityGroupInputs,
): ecs.Permission[] => permissions.filter((permission) => permission.description === description);

/** Adds before it removes: clients that are accepted before and after can connect in between. */
async function apply(
    cloud: Cloud,
    id: string,
    inputs: SourceSecurityGroupInputs,
    permissions: readonly ecs.Permission[],
): Promise<void> {
    const { description, rules } = inputs;
    const actual = managed(permissions, inputs);
    const desired = Object.entries(rules).map(([source, policy]): ecs.Permission => ({
        source,
        policy,
        priority: PRIORITY[policy],
        description,
    }));
    await ecs.authorize(cloud, id, without(desired, actual));
    await ecs.revoke(cloud, id, without(actual, desired));
}

const without = (rules: readonly ecs.Permission[], others: readonly ecs.Permission[]): ecs.Permission[] =>
    rules.filter((rule) => !others.some((other) => isDeepStrictEqual(rule, other)));
