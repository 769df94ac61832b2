/** Reads the quotas of an account from Quota Center and the list calls of CLB and NLB. */
import { object, number, optional, readAnswer, requiredText, text } from "./http/answer";
import type { Cloud } from "./http/cloud";
import { ignoring } from "../schema/defined";
import { CLUSTER_TAG } from "../schema/names";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { type AccountQuotas, limitsOf, type ObservedQuotas, QUOTAS } from "../quotas";
import { listByToken } from "./http/page";
import { CloudError } from "./http/error";
import { CredentialsError } from "./http/credentials";

/** Source: Quota Center API 2020-05-10, ListProductQuotas. */
const QUOTA = object({
    QuotaActionCode: requiredText,
    TotalQuota: number,
    TotalUsage: number,
    Dimensions: optional(object({ regionId: text })),
});

const PRODUCT = { clb: "slb", nlb: "nlb" } as const;

/** Most milliseconds: a machine may reach the endpoints of CLB and NLB only. */
const PATIENCE_MS = 15_000;

const PAGE_SIZE = 100;

/**
 * Returns quotas and usage of the account for the given types, with two to four reads per type.
 *
 * What the cloud does not answer, also for lack of the permission `quotas:ListProductQuotas`, is the published default.
 */
export async function readQuotas(cloud: Cloud, types: readonly LoadBalancerType[]): Promise<AccountQuotas> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const ask = (type: LoadBalancerType) => (types.includes(type) ? askFor(cloud, type, signal) : undefined);
    const [clb, nlb] = await Promise.all([ask("clb"), ask("nlb")]);
    return {
        limits: { clb: limitsOf("clb", clb?.limits), nlb: limitsOf("nlb", nlb?.limits) },
        instances: { clb: clb?.instances, nlb: nlb?.instances },
    };
}

/**
 * Returns the quotas of the account and how much of them is used.
 *
 * @param exposed number of Services of the run that have an address, and so an instance
 */
export async function observeQuotas(
    cloud: Cloud,
    type: LoadBalancerType,
    { clusterId, exposed }: { readonly clusterId: string; readonly exposed: number },
): Promise<ObservedQuotas> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const [account, ofCluster] = await Promise.all([
        readQuotas(cloud, [type]),
        answerOf(countInstances(cloud, type, clusterId, signal), signal),
    ]);
    return { account, recoverable: Math.max(0, (ofCluster ?? account.instances[type] ?? 0) - exposed) };
}

/** Returns limits and number of instances, without values that the cloud did not answer. */
async function askFor(cloud: Cloud, type: LoadBalancerType, signal: AbortSignal) {
    const [rows, counted] = await Promise.all([
        answerOf(rowsOf(cloud, type, signal), signal),
        answerOf(countInstances(cloud, type, undefined, signal), signal),
    ]);
    const own = (rows ?? []).filter(({ Dimensions }) => (Dimensions?.regionId ?? cloud.region) === cloud.region);
    const used = own.find(({ QuotaActionCode }) => QuotaActionCode === QUOTAS[type].instances.code)?.TotalUsage;
    return {
        limits: new Map(
            own.flatMap(({ QuotaActionCode, TotalQuota }) =>
                TotalQuota === undefined || TotalQuota <= 0 ? [] : [[QuotaActionCode, TotalQuota] as const],
            ),
        ),
        // The quota of CLB instances is for all regions, but the list has those of one region.
        instances: used === undefined && counted === undefined ? undefined : Math.max(used ?? 0, counted ?? 0),
    };
}

const COUNTED = object({ TotalCount: number });

/**
 * Counts the instances of the region (DescribeLoadBalancers, ListLoadBalancers), or undefined if the answer has no
 * count.
 *
 * @param clusterId counts only the instances that were made for Services of this cluster
 */
async function countInstances(
    cloud: Cloud,
    type: LoadBalancerType,
    clusterId: string | undefined,
    signal: AbortSignal,
): Promise<number | undefined> {
    const action = type === "clb" ? "DescribeLoadBalancers" : "ListLoadBalancers";
    const tags = { Tags: clusterId && JSON.stringify([{ TagKey: CLUSTER_TAG, TagValue: clusterId }]) };
    const tag = clusterId === undefined ? {} : { "Tag.1.Key": CLUSTER_TAG, "Tag.1.Value": clusterId };
    const params = type === "clb" ? { PageNumber: 1, PageSize: 1, ...tags } : { MaxResults: 1, ...tag };
    return readAnswer(action, COUNTED, await cloud.call(PRODUCT[type], action, params, { signal })).TotalCount;
}

/** Quotas that are not regional have no rows for a region. */
async function rowsOf(cloud: Cloud, type: LoadBalancerType, signal: AbortSignal) {
    const list = (Dimensions?: unknown) => {
        const params = { ProductCode: PRODUCT[type], MaxResults: PAGE_SIZE, Dimensions };
        return listByToken(cloud, "quotas", "ListProductQuotas", params, ["Quotas", QUOTA], { signal });
    };
    const regional = await list([{ Key: "regionId", Value: cloud.region }]);
    return regional.length > 0 ? regional : list();
}

const answerOf = <Answer>(answer: Promise<Answer>, signal: AbortSignal) =>
    ignoring((error) => error instanceof CloudError || error instanceof CredentialsError || signal.aborted, answer);
