/** The quotas of an account, as the cloud's Quota Center and the list calls of CLB and NLB have them. */

import { type AccountQuotas, ASSUMED_QUOTAS, type Limit, type Limits, QUOTA_NAMES, QUOTAS } from "../../quotas";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { list, number, object, optional, readAnswer, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { CredentialsError } from "../http/credentials";
import { CloudError } from "../http/error";
import { tokenPages } from "../http/page";
import { countInstances } from "../instances/count";

/** Quotas of one kind as they were asked; what the cloud did not answer is absent. */
interface Answered {
    readonly limits: ReadonlyMap<string, number>;
    readonly instances: number | undefined;
}

/** Source: Quota Center API 2020-05-10, ListProductQuotas. Dimensions say of which region a row is. */
const PAGE = object({
    Quotas: list(
        object({
            QuotaActionCode: requiredText,
            TotalQuota: number,
            TotalUsage: number,
            Dimensions: optional(object({ regionId: text })),
        }),
    ),
});

const PRODUCT = { clb: "slb", nlb: "nlb" } as const;

/** Most milliseconds for an account's quotas: a machine that reaches only the endpoints of CLB and NLB would wait for minutes for what is good to know, and no more. */
const PATIENCE_MS = 15_000;

/** Rows that one answer of ListProductQuotas has at most. */
const PAGE_SIZE = 100;

/**
 * What the account may have and has, of the given kinds; the published defaults for what the cloud does not say: a caller without
 * the permissions (`quotas:ListProductQuotas`, which no run needs) gets assumptions and no error.
 *
 * Two to four reads for each kind.
 */
export async function readQuotas(cloud: Cloud, types: readonly LoadBalancerType[]): Promise<AccountQuotas> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answers = await Promise.all(types.map(async (type) => [type, await askFor(cloud, type, signal)] as const));
    const asked = new Map(answers);
    const limitsOf = (type: LoadBalancerType): Limits =>
        Object.fromEntries(
            QUOTA_NAMES.map((name) => [name, limitOf(type, name, asked.get(type))]),
        ) as unknown as Limits;
    return {
        limits: { clb: limitsOf("clb"), nlb: limitsOf("nlb") },
        instances: { clb: asked.get("clb")?.instances, nlb: asked.get("nlb")?.instances },
    };
}

function limitOf(type: LoadBalancerType, name: (typeof QUOTA_NAMES)[number], answered: Answered | undefined): Limit {
    const limit = answered?.limits.get(QUOTAS[type][name].code);
    return limit === undefined ? ASSUMED_QUOTAS.limits[type][name] : { limit, assumed: false };
}

/**
 * Instances of the region that were made for Services of a cluster; undefined where the cloud does not say.
 *
 * @param clusterId ACK id of the cluster.
 */
export function countOfCluster(cloud: Cloud, type: LoadBalancerType, clusterId: string): Promise<number | undefined> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return answerOf(countInstances(cloud, type, { clusterId, signal }), signal);
}

async function askFor(cloud: Cloud, type: LoadBalancerType, signal: AbortSignal): Promise<Answered> {
    const [rows, counted] = await Promise.all([
        answerOf(rowsOf(cloud, type, signal), signal),
        answerOf(countInstances(cloud, type, { signal }), signal),
    ]);
    const own = (rows ?? []).filter(({ Dimensions }) => (Dimensions?.regionId ?? cloud.region) === cloud.region);
    const used = own.find(({ QuotaActionCode }) => QuotaActionCode === QUOTAS[type].instances.code)?.TotalUsage;
    return {
        limits: new Map(
            own.flatMap(({ QuotaActionCode, TotalQuota }) =>
                TotalQuota === undefined || TotalQuota <= 0 ? [] : [[QuotaActionCode, TotalQuota] as const],
            ),
        ),
        // The account's CLB instances of all regions count together; a list has those of one region.
        instances: used === undefined && counted === undefined ? undefined : Math.max(used ?? 0, counted ?? 0),
    };
}

/** A product whose quotas are not by region answers nothing about one: then it is asked without. */
async function rowsOf(cloud: Cloud, type: LoadBalancerType, signal: AbortSignal) {
    const regional = await listRows(cloud, type, [{ Key: "regionId", Value: cloud.region }], signal);
    return regional.length > 0 ? regional : listRows(cloud, type, undefined, signal);
}

async function listRows(cloud: Cloud, type: LoadBalancerType, Dimensions: unknown, signal: AbortSignal) {
    const action = "ListProductQuotas";
    const params = { ProductCode: PRODUCT[type], MaxResults: PAGE_SIZE, Dimensions };
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("quotas", action, { ...params, NextToken }, { signal }),
    );
    return pages.flatMap((page) => readAnswer(action, PAGE, page).Quotas ?? []);
}

/** What cannot be asked stays an assumption. */
async function answerOf<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
        return await answer;
    } catch (error) {
        if (error instanceof CloudError || error instanceof CredentialsError || signal.aborted) return undefined;
        throw error;
    }
}
