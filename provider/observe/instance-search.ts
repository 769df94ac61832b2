import { defaultLoadBalancerName, OWNER_TAG } from "../model/names";

/** What to look for. */
export interface AdoptionQuery {
    /** `metadata.uid` of the Service. */
    readonly uid: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    /** Id of the instance; absent = found by the mark that its maker left on it. */
    readonly loadBalancerId?: string;
    /** Look for what the Service's source ranges are kept in, too: an access control list of a CLB, a security group of an NLB. */
    readonly withSourceRanges: boolean;
    /** Ids of user-managed server groups that the Service joins. */
    readonly joined: readonly string[];
}

/** How instances of one kind are found. */
export interface InstanceSearch {
    readonly byTag: (mark: string) => Promise<readonly { readonly id: string }[]>;
    readonly byName: (mark: string) => Promise<readonly { readonly id: string }[]>;
}

/**
 * Id of a Service's instance, in the order in which the Cloud Controller Manager looks: by the ownership tag, then by the name that follows from the UID.
 *
 * @throws Error if there is none, or more than one.
 */
export async function instanceId({ uid, loadBalancerId }: AdoptionQuery, search: InstanceSearch): Promise<string> {
    if (loadBalancerId !== undefined) return loadBalancerId;
    const mark = defaultLoadBalancerName(uid);
    const tagged = await search.byTag(mark);
    const found = tagged.length > 0 ? tagged : await search.byName(mark);
    const [only] = found;
    if (only === undefined) {
        throw new Error(
            `no load balancer bears the tag ${OWNER_TAG}=${mark} or the name ${mark}. Cause: none was made for this ` +
                "Service yet, it was deleted, or this is another region or account. " +
                "Remedy: check region and credentials, or give the instance's id.",
        );
    }
    if (found.length > 1) {
        throw new Error(
            `${found.map(({ id }) => id).join(" and ")} all bear the tag or name ${mark}. Remedy: give the id ` +
                "of the one that serves, and take the tag off the others, which nobody manages.",
        );
    }
    return only.id;
}

/** There is no instance of this id. */
export function noInstance(id: string): Error {
    return new Error(
        `there is no load balancer ${id} in this region. Remedy: correct the id, or leave it out to let it be ` +
            "found by its tag.",
    );
}
