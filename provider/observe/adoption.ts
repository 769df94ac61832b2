/** What the cloud says of a load balancer that the Cloud Controller Manager has made. Reads alone. */
import {
    type Cloud,
    describeDomainExtensions,
    describeListener,
    describeLoadBalancer,
    describeServerGroup,
    describeServerGroups,
    findAclsByName,
    findLoadBalancersByName,
    findLoadBalancersByTag,
    listTags,
    type LoadBalancer,
    type Tags,
} from "../alicloud";
import type { AdoptableServerGroup, AdoptableListener } from "../model/adoption";
import { defaultLoadBalancerName, OWNER_TAG, sameOwner } from "../model/names";
import { ownMembers, toBackends } from "./members";

/** What to look for. */
export interface AdoptionQuery {
    /** `metadata.uid` of the Service. */
    readonly uid: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    /** Id of the instance; absent = found by the mark that its maker left on it. */
    readonly loadBalancerId?: string;
    /** nodePort of each vServer group whose backends are ECS instances, by the group's name. */
    readonly nodePorts: Readonly<Record<string, number>>;
    /** Look for an access control list of the Service's source ranges, too. */
    readonly withAcl: boolean;
}

/** The instance with all that stands on it. */
export interface AdoptableLoadBalancer {
    readonly instance: LoadBalancer;
    readonly tags: Tags;
    readonly listeners: readonly AdoptableListener[];
    /** Those that bear the Service's name. */
    readonly serverGroups: readonly AdoptableServerGroup[];
    readonly aclId?: string;
}

/**
 * Reads the instance of a Service: four calls, and one for each of its listeners and groups.
 *
 * @throws Error if there is none, or more than one.
 */
export async function observeForAdoption(cloud: Cloud, wish: AdoptionQuery): Promise<AdoptableLoadBalancer> {
    const id = wish.loadBalancerId ?? (await findInstance(cloud, wish.uid));
    const instance = await describeLoadBalancer(cloud, id);
    if (instance === undefined) {
        throw new Error(
            `there is no load balancer ${id} in this region. Remedy: correct the id, or leave it out to let it be found by its tag.`,
        );
    }
    const [tags, listeners, serverGroups, acls] = await Promise.all([
        listTags(cloud, "instance", id),
        Promise.all((instance.listeners ?? []).map((listener) => readListener(cloud, id, listener))),
        readGroups(cloud, id, wish),
        wish.withAcl ? findAclsByName(cloud, defaultLoadBalancerName(wish.uid)) : [],
    ]);
    return { instance, tags, listeners, serverGroups, ...(acls[0] === undefined ? {} : { aclId: acls[0] }) };
}

/** In the order in which the Cloud Controller Manager looks: by the ownership tag, then by the name that follows from the UID. */
async function findInstance(cloud: Cloud, uid: string): Promise<string> {
    const mark = defaultLoadBalancerName(uid);
    const tagged = await findLoadBalancersByTag(cloud, { [OWNER_TAG]: mark });
    const found = tagged.length > 0 ? tagged : await findLoadBalancersByName(cloud, mark);
    const [only] = found;
    if (only === undefined) {
        throw new Error(
            `no load balancer bears the tag ${OWNER_TAG}=${mark} or the name ${mark}. Cause: none was made for this Service yet, it was deleted, or this is another region or account. ` +
                "Remedy: check region and credentials, or give the instance's id.",
        );
    }
    if (found.length > 1) {
        throw new Error(
            `${found.map(({ id }) => id).join(" and ")} all bear the tag or name ${mark}. Remedy: give the id of the one that serves, and take the tag off the others, which nobody manages.`,
        );
    }
    return only.id;
}

async function readListener(
    cloud: Cloud,
    id: string,
    { protocol, port }: Pick<AdoptableListener, "protocol" | "port">,
): Promise<AdoptableListener> {
    const [attributes, domainExtensions] = await Promise.all([
        describeListener(cloud, id, protocol, port),
        protocol === "https" ? describeDomainExtensions(cloud, id, port) : [],
    ]);
    return { protocol, port, attributes: attributes ?? {}, domainExtensions };
}

async function readGroups(cloud: Cloud, id: string, wish: AdoptionQuery): Promise<AdoptableServerGroup[]> {
    const own = (await describeServerGroups(cloud, id)).filter(({ name }) => sameOwner(name, wish.owner));
    return Promise.all(
        own.map(async (group) => {
            const { members } = ownMembers((await describeServerGroup(cloud, group.id))?.backends ?? [], wish.owner);
            return { ...group, backends: toBackends(members, wish.nodePorts[group.name]) };
        }),
    );
}
