/**
 * Remnants of a Service whose creation ended half-way. Everything that the Service makes in the cloud depends on this
 * resource, so it is recorded first and deleted last. On an instance that stays, it names the instance.
 *
 * The engine records an object once it is made: one that a killed run was making is not in the state. An instance has
 * its protections from its creation on, and until `release` or `nlb/zones` is recorded, nothing else would switch them
 * off. The resource makes no call until it is deleted.
 */
import { type Cloud, ignoreCodes } from "../../cloud";
import { defined } from "../../schema/defined";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { nlbSecurityGroupName, OWNER_TAG } from "../../schema/names";
import { instancesOf } from "../../plan/reuse/instances";
import * as sweep from "../sweep";
import { applying, managing, openPlace, type Place } from "./handler";
import { leaveInstance, type UsedInstance } from "./reused";

interface RemnantInputs extends Place, Partial<UsedInstance> {
    readonly loadBalancerType: LoadBalancerType;
    /** Name with which the instance is created. Default: the Service uses an instance that others made. */
    readonly name?: string;
    /** Value of the ownership tag, derived from the Service's UID. */
    readonly owner: string;
    /** True if source ranges need an access control list, or a security group. Default false. */
    readonly sourceRanges?: boolean;
    /** The instance stays when the Service is deleted, with what it uses. Default false. */
    readonly preserve?: boolean;
}

interface RemnantComputed {
    /** True if the Service had source ranges before. */
    readonly hadSourceRanges?: boolean;
}

/** Refusals to delete what a preserved instance uses. Source: CLB API, DeleteAccessControlList, and ECS API. */
const IN_USE = ["AclInUsed", "DependencyViolation"];

const { create, update, read, remove } = managing<RemnantInputs, RemnantComputed>(
    {
        ...applying<RemnantInputs>(
            ({ owner }) => owner,
            () => Promise.resolve(),
        ),
        /** A run that takes the source ranges away may fail before their group goes. */
        update: ({ sourceRanges, hadSourceRanges = sourceRanges }) =>
            Promise.resolve(hadSourceRanges ? { hadSourceRanges } : {}),
        read: () => Promise.resolve({}),
        delete: async (props) => {
            const { loadBalancerType, loadBalancerId, key, tags, recordedTags } = props;
            const cloud = openPlace(props);
            if (loadBalancerId === undefined || key === undefined) return sweepOwn(cloud, props);
            const used = { loadBalancerId, key, ...defined({ tags, recordedTags }) };
            return leaveInstance(instancesOf(cloud, loadBalancerType), used);
        },
    },
    ["hadSourceRanges"],
);
export { create, update, read, remove as delete };

/**
 * Deletes instances of the name and mark, without listeners, then what they use. What the state knows is deleted
 * before, except the security group, because a half-made instance may be in it.
 */
async function sweepOwn(
    cloud: Cloud,
    { loadBalancerType, name, owner, preserve, sourceRanges, hadSourceRanges }: RemnantInputs & RemnantComputed,
): Promise<void> {
    const isNlb = loadBalancerType === "nlb";
    if (name !== undefined && !preserve)
        await (isNlb ? sweep.nlbLoadBalancer(cloud, { name, owner }) : sweep.clbLoadBalancer(cloud, { name, owner }));
    if (isNlb) await sweep.nlbServerGroups(cloud, { tags: { [OWNER_TAG]: owner } });
    if (!sourceRanges && !hadSourceRanges) return;
    const guards = isNlb
        ? sweep.securityGroups(cloud, { name: nlbSecurityGroupName(owner), owner })
        : sweep.acl(cloud, owner);
    await ignoreCodes(preserve ? IN_USE : [], guards);
}
