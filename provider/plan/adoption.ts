/** Takeover of a load balancer that exists: objects, differences, and their table. */
import { findAclsByName } from "../clb/acl";
import { readWholeListener } from "../clb/certificate";
import { type ObservedClbListener, observedListener } from "../clb/listener";
import { describeLoadBalancer, type ObservedClbLoadBalancer } from "../clb/load-balancer";
import type { Tags } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { findSecurityGroups, listPermissions } from "../cloud/security-group";
import { alignColumns } from "../diagnostics";
import * as nlb from "../nlb";
import type { Backend } from "../schema/backend";
import { defined } from "../schema/defined";
import type { Differing } from "../schema/difference";
import * as names from "../schema/names";
import type { ObservedServerGroup } from "../schema/server-group";
import type { ZoneMap } from "../schema/settings";
import { clbInstances, type InstanceApi, nlbInstances } from "./reuse/instances";

/** Ids of observed objects that become children of a Service by takeover. All others are created. */
export interface Adoption {
    readonly loadBalancerId: string;
    /** Only for an internal instance. */
    readonly vswitchId?: string;
    /** CLB only. */
    readonly instanceChargeType?: string;
    /** Access control list of the Service's source ranges. */
    readonly aclId?: string;
    /** Security group of the Service's source ranges, of an NLB. */
    readonly securityGroupId?: string;
    /** Observed zones of an NLB, if the Service requests others. */
    readonly zones?: readonly ZoneMap[];
    /** Internet Shared Bandwidth package of an NLB. */
    readonly bandwidthPackageId?: string;
    /** By key of the group. */
    readonly serverGroups: Readonly<Record<string, string>>;
    /** By key of the listener. */
    readonly listeners: Readonly<Record<string, string>>;
    /** By `key of the listener/domain`. */
    readonly domainExtensions: Readonly<Record<string, string>>;
    /** Plugin inputs that keep their observed values, by `instance`, key of the listener, or {@link groupKeep}. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/** Returns the key of a server group in {@link Adoption.keep}. */
export const groupKeep = (key: string): string => `group/${key}`;

/** Difference of a takeover. Its attribute is empty for the object itself. */
export interface AdoptionDifference extends Differing {
    readonly verdict: AdoptionVerdict;
    /** `load balancer`, `listener tcp:80`, `vServer group k8s/30080/…`. */
    readonly object: string;
}

/** Verdicts, the gravest first. */
const VERDICTS = {
    refused: {
        heading: "cannot be taken over like this",
        remedy: "make both sides agree on what cannot be taken over, in the cloud or in the Service",
    },
    /** It is taken over only where changes are allowed. */
    differs: {
        heading: "not as the Service says",
        remedy:
            "state in the Service's annotations what the cloud has (then nothing changes), or set allowChanges: " +
            "settings that differ are then taken over as they are and changed to " +
            "what the Service says by the first run without adopt, backends by this one",
    },
    /** It is taken over all the same. */
    note: { heading: "worth knowing" },
};

export type AdoptionVerdict = keyof typeof VERDICTS;

export function isRefused(differences: readonly AdoptionDifference[], allowChanges: boolean): boolean {
    return differences.some(({ verdict }) => verdict === "refused" || (verdict === "differs" && !allowChanges));
}

/** Formats differences as tables, the gravest first: object, setting, as it is, as the Service says. */
export function formatDifferences(differences: readonly AdoptionDifference[]): string {
    return Object.entries(VERDICTS)
        .flatMap(([verdict, { heading }]) => {
            const rows = differences.filter((difference) => difference.verdict === verdict);
            const cells = rows.map((row) => [row.object, row.attribute, row.observed, row.desired]);
            const table = alignColumns([["object", "setting", "cloud", "Service"], ...cells]);
            return rows.length === 0 ? [] : [`${heading}:`, ...table.map((line) => `    ${line}`)];
        })
        .join("\n");
}

/** Formats the refusal of a takeover, with what to do about it. */
export function formatRefusal(
    service: string,
    loadBalancerId: string,
    differences: readonly AdoptionDifference[],
): string {
    const remedies = (["refused", "differs"] as const)
        .filter((verdict) => differences.some((difference) => difference.verdict === verdict))
        .map((verdict) => `${VERDICTS[verdict].remedy}; `);
    return (
        `Service ${service} cannot take over load balancer ${loadBalancerId} as it stands; nothing was changed.\n` +
        `${formatDifferences(differences)}\n` +
        "Cause: a takeover writes nothing to the load balancer, so both sides must match. " +
        `Remedy: ${remedies.join("")}if the takeover is done already, take the Service off the list of those to adopt.`
    );
}

/** CLB with everything that its takeover compares, and only the server groups with the Service's ownership mark. */
export interface ObservedClb extends ObservedClbLoadBalancer {
    readonly tags: Tags;
    readonly serverGroups: readonly ObservedServerGroup[];
    readonly listeners: readonly ObservedClbListener[];
    /** Access control list of the Service's source ranges, if there is one. */
    readonly aclId?: string;
}

/** NLB with everything that its takeover compares, and only the server groups that the Service owns or joins. */
export interface ObservedNlb extends nlb.ObservedNlbLoadBalancer {
    /** The own certificate and all others. */
    readonly listeners: readonly nlb.ObservedNlbListener[];
    readonly serverGroups: readonly (nlb.ObservedNlbServerGroup & { readonly backends: readonly Backend[] })[];
    /** Security group of the Service's source ranges, with the rules that have its mark: policy by range. */
    readonly securityGroup?: { readonly id: string; readonly rules: Readonly<Record<string, "accept" | "drop">> };
}

interface AdoptionQuery {
    /** `metadata.uid` of the Service. */
    readonly uid: string;
    readonly owner: names.Owner;
    /** Id of the instance. If absent, it is found by CCM's mark. */
    readonly loadBalancerId?: string;
    /** Also look for the source ranges: an access control list of a CLB, a security group of an NLB. */
    readonly withSourceRanges: boolean;
    /** Ids of user-managed server groups that the Service joins. */
    readonly joined: readonly string[];
}

/** Reads a Service's instance, found as CCM does: by the ownership tag, then by the name derived from the UID. */
async function instanceOf<Instance>(
    api: InstanceApi,
    { uid, loadBalancerId }: AdoptionQuery,
    read: (id: string) => Promise<Instance | undefined>,
): Promise<Instance> {
    const mark = names.defaultLoadBalancerName(uid);
    const found = loadBalancerId === undefined ? await api.findMarked(mark) : [{ id: loadBalancerId }];
    const [only] = found;
    if (only === undefined)
        throw new Error(
            `no load balancer bears the tag ${names.OWNER_TAG}=${mark} or the name ${mark}. Cause: none was made for ` +
                "this Service yet, it was deleted, or this is another region or account. " +
                "Remedy: check region and credentials, or give the instance's id.",
        );
    if (found.length > 1)
        throw new Error(
            `${found.map(({ id }) => id).join(" and ")} all bear the tag or name ${mark}. Remedy: give the id ` +
                "of the one that serves, and take the tag off the others, which nobody manages.",
        );
    const instance = await read(only.id);
    if (instance !== undefined) return instance;
    throw new Error(
        `there is no load balancer ${only.id} in this region. Remedy: correct the id, or leave it out to let it be ` +
            "found by its tag.",
    );
}

/** Returns the groups that a Service owns or joins, with their backends, a call for each. */
function ofService<Group extends Pick<ObservedServerGroup, "id" | "name">>(
    api: InstanceApi,
    groups: readonly Group[],
    { owner, joined }: AdoptionQuery,
) {
    const mark = names.ownerKey(api.type, owner);
    return Promise.all(
        groups
            .filter(({ id, name }) => names.sameOwner(name, mark) || joined.includes(id))
            .map(async (group) => ({ ...group, backends: await api.listBackends(group.id) })),
    );
}

/**
 * Reads the CLB of a Service: four calls, and another for each of its listeners and groups.
 *
 * @throws Error if there is none, or several.
 */
export async function observeClbForAdoption(cloud: Cloud, query: AdoptionQuery): Promise<ObservedClb> {
    const api = clbInstances(cloud);
    const instance = await instanceOf(api, query, (id) => describeLoadBalancer(cloud, id));
    const { id } = instance;
    const [tags, listeners, serverGroups, [aclId]] = await Promise.all([
        api.listTags(id),
        Promise.all(
            (instance.listeners ?? []).map(async (listener) => {
                const found = await readWholeListener(cloud, { loadBalancerId: id, ...listener });
                return found ?? observedListener(listener, {});
            }),
        ),
        api.listGroups(id, []).then((groups) => ofService(api, groups, query)),
        query.withSourceRanges ? findAclsByName(cloud, names.defaultLoadBalancerName(query.uid)) : [],
    ]);
    return { ...instance, tags, listeners, serverGroups, ...defined({ aclId }) };
}

/**
 * Reads the NLB of a Service with its server groups, which belong to the VPC: four calls, and another for each TLS
 * listener and each group.
 *
 * @throws Error if there is none, or several.
 */
export async function observeNlbForAdoption(cloud: Cloud, query: AdoptionQuery): Promise<ObservedNlb> {
    const api = nlbInstances(cloud);
    const instance = await instanceOf(api, query, (id) => nlb.getNlbLoadBalancer(cloud, id));
    const listeners = await nlb.listWholeListeners(cloud, instance.id);
    const [serverGroups, securityGroup] = await Promise.all([
        findNlbGroups(cloud, query, listeners).then((groups) => ofService(api, groups, query)),
        query.withSourceRanges
            ? observeSecurityGroup(
                  cloud,
                  instance.vpcId,
                  names.defaultLoadBalancerName(query.uid),
                  (description) => description === names.securityGroupMark(query.owner),
              )
            : undefined,
    ]);
    return { ...instance, listeners, serverGroups, ...defined({ securityGroup }) };
}

/** Groups with CCM's tag, and those of the listeners, in case a tag was removed. */
async function findNlbGroups(
    cloud: Cloud,
    { uid, joined }: AdoptionQuery,
    listeners: readonly nlb.ObservedNlbListener[],
): Promise<readonly nlb.ObservedNlbServerGroup[]> {
    const tagged = await nlb.findServerGroups(cloud, {
        tags: { [names.OWNER_TAG]: names.defaultLoadBalancerName(uid) },
    });
    const ids = new Set([...listeners.flatMap(({ serverGroupId }) => serverGroupId ?? []), ...joined]);
    for (const { id } of tagged) ids.delete(id);
    return [...tagged, ...(await nlb.findServerGroupsById(cloud, [...ids]))];
}

/**
 * Returns the security group of an NLB's source ranges, with the rules of the Service.
 *
 * @param mark of the Service's load balancer
 * @param isOwn tells the Service's rules by their description
 */
export async function observeSecurityGroup(
    cloud: Cloud,
    vpcId: string | undefined,
    mark: string,
    isOwn: (description: string) => boolean,
): Promise<ObservedNlb["securityGroup"]> {
    if (vpcId === undefined) return undefined;
    const groups = await findSecurityGroups(cloud, { vpcId, name: names.nlbSecurityGroupName(mark) });
    const id = groups.find(({ tags }) => tags[names.OWNER_TAG] === mark)?.id;
    if (id === undefined) return undefined;
    const rules = ((await listPermissions(cloud, id)) ?? [])
        .filter(({ description }) => isOwn(description))
        .map(({ source, policy }) => [source, policy] as const);
    return { id, rules: Object.fromEntries(rules) };
}
