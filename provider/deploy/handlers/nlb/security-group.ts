/** A security group of our own and its rules: what `spec.loadBalancerSourceRanges` of a Service with an NLB becomes. */
import {
    authorize,
    CloudError,
    makeSecurityGroup,
    deleteSecurityGroup,
    findSecurityGroups,
    listPermissions,
    type Permission,
    revoke,
} from "../../../alicloud";
import { OWNER_TAG } from "../../../model/names";
import { plain } from "../values";
import { type AccountReference, openPlace } from "../place";

/** Inputs of a group. */
export interface SourceSecurityGroupInputs {
    /** Name of the group, which no other Service has. */
    readonly name: string;
    /** Description of the group and mark of its rules. Rules without it are user-managed. */
    readonly description: string;
    readonly vpcId: string;
    readonly tags: Readonly<Record<string, string>>;
    /** Policy for connections, by the address range of their source. A map: a change is one line of the preview. */
    readonly rules: Readonly<Record<string, "accept" | "drop">>;
    readonly resourceGroupId?: string;
    /** The load balancer and its security group stay when the Service is deleted. Default false. */
    readonly preserve?: boolean;
    readonly region?: string;
    readonly account?: AccountReference;
}

/** Priorities of rules: ranges that may connect go before the rule that keeps all others out. The numbers are CCM's. */
const PRIORITY = { accept: 1, drop: 100 } as const;

/** Makes the group and its rules. Looks first: an interrupted run may have made it already, and two groups of one name are two groups. */
export async function create(
    inputs: SourceSecurityGroupInputs,
): Promise<{ id: string; outs: SourceSecurityGroupInputs }> {
    const cloud = connect(inputs);
    const found = (await findSecurityGroups(cloud, inputs.vpcId, inputs.name)).find(
        ({ tags }) => tags[OWNER_TAG] === inputs.tags[OWNER_TAG],
    );
    const id = found?.id ?? (await makeSecurityGroup(cloud, inputs));
    await apply(id, inputs, found === undefined ? [] : ((await listPermissions(cloud, id)) ?? []));
    return { id, outs: plain(inputs) };
}

/** Adds and removes rules that differ from what is there. */
export async function update(
    id: string,
    _olds: SourceSecurityGroupInputs,
    news: SourceSecurityGroupInputs,
): Promise<{ outs: SourceSecurityGroupInputs }> {
    const actual = await listPermissions(connect(news), id);
    if (actual === undefined) {
        throw new Error(
            `security group ${id} does not exist, so its rules cannot be changed. Remedy: run pulumi up --refresh, which makes it again.`,
        );
    }
    await apply(id, news, actual);
    return { outs: plain(news) };
}

/** Our rules as they are; others are left alone and left out. */
export async function read(
    id: string,
    props: SourceSecurityGroupInputs,
): Promise<{ id?: string; props?: SourceSecurityGroupInputs; inputs?: SourceSecurityGroupInputs }> {
    const actual = await listPermissions(connect(props), id);
    if (actual === undefined) {
        return {};
    }
    const rules = Object.fromEntries(
        own(actual, props).map(({ source, policy }): [string, "accept" | "drop"] => [source, policy]),
    );
    const found = plain({
        ...props,
        rules: Object.fromEntries(Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1))),
    });
    return { id, props: found, inputs: found };
}

/** What the cloud answers while a load balancer is in the group. Source: ECS API, DeleteSecurityGroup. */
const IN_USE = "DependencyViolation";

/** Deletes the group. One that guards a load balancer that stays is left where it is. */
async function remove(id: string, props: SourceSecurityGroupInputs): Promise<void> {
    try {
        await deleteSecurityGroup(connect(props), id);
    } catch (error) {
        if (!(props.preserve && error instanceof CloudError && error.code === IN_USE)) {
            throw error;
        }
    }
}
export { remove as delete };

function own(permissions: readonly Permission[], { description }: SourceSecurityGroupInputs): Permission[] {
    return permissions.filter((permission) => permission.description === description);
}

/** Adds before it removes: whoever may connect before and after can in between. */
async function apply(id: string, inputs: SourceSecurityGroupInputs, actual: readonly Permission[]): Promise<void> {
    const cloud = connect(inputs);
    const desired = Object.entries(inputs.rules).map(([source, policy]): Permission => ({
        source,
        policy,
        priority: PRIORITY[policy],
        description: inputs.description,
    }));
    const same = (a: Permission, b: Permission) =>
        a.source === b.source && a.policy === b.policy && a.priority === b.priority;
    const ours = own(actual, inputs);
    await authorize(
        cloud,
        id,
        desired.filter((rule) => !ours.some((there) => same(rule, there))),
    );
    await revoke(
        cloud,
        id,
        ours.filter((there) => !desired.some((rule) => same(rule, there))),
    );
}

function connect(inputs: SourceSecurityGroupInputs) {
    return openPlace(inputs);
}
