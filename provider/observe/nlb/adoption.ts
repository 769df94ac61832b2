/** What the cloud says of an NLB that the Cloud Controller Manager has made, or uses. Reads alone. */
import { type Cloud, findSecurityGroups, listPermissions, nlb } from "../../alicloud";
import {
    nlbInstances,
    toObservedListener,
    toObservedNlbAttributes,
    toObservedServerGroup,
} from "../../alicloud/instances/nlb";
import { defaultLoadBalancerName, nlbSecurityGroupName, OWNER_TAG, sameOwner } from "../../model/names";
import type {
    ObservedNlb,
    ObservedNlbListener,
    ObservedNlbServerGroup,
    ObservedSecurityGroup,
} from "../../model/observed";
import { type AdoptionQuery, instanceId, noInstance } from "../instance-search";
import { defined } from "../../schema/defined";

/** What an NLB's takeover looks for. */
export interface NlbAdoptionQuery extends AdoptionQuery {
    /** Description of the security group of source ranges, and mark of its rules. */
    readonly securityGroupMark: string;
}

/**
 * Reads the instance of a Service with its listeners, and its server groups, which belong to the VPC: four calls, one for each TLS listener and one for each group.
 *
 * @throws Error if there is none, or more than one.
 */
export async function observeNlbForAdoption(cloud: Cloud, query: NlbAdoptionQuery): Promise<ObservedNlb> {
    const id = await instanceId(query, {
        byTag: (mark) => nlb.findNlbLoadBalancersByTag(cloud, OWNER_TAG, mark),
        byName: (mark) => nlb.findNlbLoadBalancers(cloud, mark),
    });
    const instance = await nlb.getNlbLoadBalancer(cloud, id);
    if (instance === undefined) {
        throw noInstance(id);
    }
    const found = await nlb.describeNlbListeners(cloud, id);
    const [listeners, serverGroups, securityGroup] = await Promise.all([
        Promise.all(found.map((listener) => observeListener(cloud, listener))),
        observeGroups(cloud, query, found),
        observeSecurityGroup(cloud, query, instance.vpcId),
    ]);
    return {
        ...toObservedNlbAttributes(instance),
        listeners,
        serverGroups,
        ...defined({ securityGroup }),
    };
}

async function observeListener(cloud: Cloud, listener: nlb.DescribedNlbListener): Promise<ObservedNlbListener> {
    const additional =
        listener.protocol === "tcpssl" ? await nlb.listAdditionalCertificates(cloud, listener.id) : undefined;
    return {
        ...toObservedListener(listener),
        id: listener.id,
        protocol: listener.protocol,
        attributes: listener.attributes,
        additionalCertIds: [...(additional ?? [])].sort(),
    };
}

/** Found as the Cloud Controller Manager finds them, by tag; and those that the listeners lead to, in case a tag was taken off. */
async function observeGroups(
    cloud: Cloud,
    { uid, owner, joined }: NlbAdoptionQuery,
    listeners: readonly nlb.ListedNlbListener[],
): Promise<ObservedNlbServerGroup[]> {
    const tagged = await nlb.describeNlbServerGroups(cloud, { tags: { [OWNER_TAG]: defaultLoadBalancerName(uid) } });
    const known = new Set(tagged.map(({ id }) => id));
    const ids = [...new Set([...listeners.flatMap(({ serverGroupId }) => serverGroupId ?? []), ...joined])];
    const more = await nlb.describeNlbServerGroupsById(
        cloud,
        ids.filter((id) => !known.has(id)),
    );
    const groups = [...tagged, ...more].filter(({ id, name }) => sameOwner(name, owner) || joined.includes(id));
    const { listBackends } = nlbInstances(cloud);
    return Promise.all(
        groups.map(async (group) => ({
            ...toObservedServerGroup(group),
            attributes: group.attributes,
            backends: await listBackends(group.id),
        })),
    );
}

async function observeSecurityGroup(
    cloud: Cloud,
    { uid, withSourceRanges, securityGroupMark }: NlbAdoptionQuery,
    vpcId: string | undefined,
): Promise<ObservedSecurityGroup | undefined> {
    if (!withSourceRanges || vpcId === undefined) return undefined;
    const mark = defaultLoadBalancerName(uid);
    const found = (await findSecurityGroups(cloud, vpcId, nlbSecurityGroupName(mark))).find(
        ({ tags }) => tags[OWNER_TAG] === mark,
    );
    if (found === undefined) return undefined;
    const permissions = (await listPermissions(cloud, found.id)) ?? [];
    return {
        id: found.id,
        rules: Object.fromEntries(
            permissions
                .filter(({ description }) => description === securityGroupMark)
                .map(({ source, policy }) => [source, policy]),
        ),
    };
}
