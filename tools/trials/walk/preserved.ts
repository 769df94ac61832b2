/** Load balancers that stay when their Services leave, because these ask for it (preserve-lb-on-delete). */
import type { StatedCloud } from "../../../lab/cloud";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, serviceOf as ownerOf } from "../../../provider/schema/names";
import { nameOf, serviceOf, type Version } from "../service";
import type { World } from "../world";
import { instancesIn } from "./speakers/objects";

/** True for a Service whose load balancer stays when it leaves. */
const isPreserving = ({ annotations = {}, away }: Version): boolean =>
    away === undefined && annotations["preserve-lb-on-delete"] !== undefined && annotations["id"] === undefined;

/**
 * Objects of instances of a Service, and what these use that names the Service, but for server groups of an NLB with the
 * cluster's tag, which the Service uses.
 */
function objectsOf({ slb, nlb, ecs }: StatedCloud, version: Version, ids: ReadonlySet<string>) {
    const owner = markOf(version);
    const isOwn = (mark: unknown): boolean => ownerOf(String(mark)) === `default/${nameOf(version)}`;
    const on = <T extends { readonly loadBalancerId: string }>(list: readonly T[]): readonly T[] =>
        list.filter(({ loadBalancerId }) => ids.has(loadBalancerId));
    return {
        listeners: on(slb.listeners).map(({ loadBalancerId, port }) => `${loadBalancerId} ${port}`),
        groups: on(slb.vServerGroups).map(({ id }) => id),
        networkListeners: on(nlb.listeners).map(({ id }) => id),
        networkGroups: nlb.serverGroups.flatMap(({ id, name, tags }) =>
            isOwn(name) && !(CLUSTER_TAG in tags) ? [id] : [],
        ),
        acls: slb.acls.filter(({ name }) => name.includes(owner)).map(({ id }) => id),
        securityGroups: ecs.securityGroups.filter(({ name }) => name.includes(owner)).map(({ id }) => id),
    };
}

const markOf = (version: Version): string => defaultLoadBalancerName(serviceOf(version).metadata.uid ?? "");

/**
 * Returns what is wrong with the load balancers of Services that have left, or got another load balancer, and deletes
 * these as their user may.
 *
 * @param before the cloud before
 * @param left names of the Services that have left
 */
export async function removePreserved(
    world: World,
    before: StatedCloud,
    services: readonly Version[],
    left: ReadonlySet<string>,
): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const version of services.filter(isPreserving)) {
        const had = instancesIn(before).filter(({ tags }) => tags[OWNER_TAG] === markOf(version));
        const now = await world.whole();
        const found = instancesIn(now).filter(({ id }) => had.some((one) => one.id === id));
        const freed = found.filter(({ tags }) => !(OWNER_TAG in tags));
        const isAway = left.has(nameOf(version));
        if (!isAway && freed.length === 0) continue;
        const ids = new Set(freed.map(({ id }) => id));
        const [were, are] = [objectsOf(before, version, ids), objectsOf(now, version, ids)];
        const lost = [...were.listeners, ...were.groups, ...were.networkListeners].filter(
            (one) => ![...are.listeners, ...are.groups, ...are.networkListeners].includes(one),
        );
        const refused: string[] = [];
        const remove = async (product: "Slb" | "Nlb" | "Ecs", action: string, params: Record<string, string>) => {
            if (!(await world.edit(action, params, product))) refused.push(`${action} ${JSON.stringify(params)}`);
        };
        for (const id of are.networkListeners) await remove("Nlb", "DeleteListener", { ListenerId: id });
        for (const id of ids)
            await remove(version.kind === "nlb" ? "Nlb" : "Slb", "DeleteLoadBalancer", { LoadBalancerId: id });
        for (const id of are.networkGroups) await remove("Nlb", "DeleteServerGroup", { ServerGroupId: id });
        if (isAway) {
            for (const id of are.acls) await remove("Slb", "DeleteAccessControlList", { AclId: id });
            for (const id of are.securityGroups) await remove("Ecs", "DeleteSecurityGroup", { SecurityGroupId: id });
        }
        const lines = [
            ...(freed.length === had.length ? [] : [`of ${had.length} instances ${freed.length} are left`]),
            ...freed.flatMap(({ id, tags }) =>
                CLUSTER_TAG in tags ? [`${id} has still the mark of the cluster`] : [],
            ),
            // The listeners of an instance that is replaced go to the next.
            ...(isAway ? lost : []).map((one) => `${one} is gone`),
            ...refused.map((call) => `the user cannot: ${call}`),
        ];
        wrong.push(...lines.map((line) => `${nameOf(version)}: preserved: ${line}\n  ${JSON.stringify(version)}`));
    }
    return wrong;
}
