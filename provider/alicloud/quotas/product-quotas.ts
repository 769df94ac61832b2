import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { list, number, object, optional, readAnswer, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { tokenPages } from "../http/page";

/** Milliseconds for each of these calls: a machine without a way to Quota Center is not kept waiting. */
const LIMIT_MS = 5_000;

const PRODUCT_QUOTAS = object({
    Quotas: list(
        object({
            QuotaActionCode: requiredText,
            TotalQuota: number,
            Dimensions: optional(object({ regionId: text })),
        }),
    ),
});

/** The quotas that the account has, by their codes (ListProductQuotas of Quota Center, every page). Those of other regions are left out. */
export async function listQuotas(cloud: Cloud, type: LoadBalancerType): Promise<ReadonlyMap<string, number>> {
    const action = "ListProductQuotas";
    const params = {
        ProductCode: type === "clb" ? "slb" : "nlb",
        MaxResults: 100,
        ...(type === "nlb" ? { "Dimensions.1.Key": "regionId", "Dimensions.1.Value": cloud.region } : {}),
    };
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("quotas", action, { ...params, NextToken }, { signal: AbortSignal.timeout(LIMIT_MS) }),
    );
    return new Map(
        pages
            .flatMap((page) => readAnswer(action, PRODUCT_QUOTAS, page).Quotas ?? [])
            .filter(({ Dimensions }) => (Dimensions?.regionId ?? cloud.region) === cloud.region)
            .flatMap(({ QuotaActionCode, TotalQuota }) =>
                TotalQuota === undefined ? [] : [[QuotaActionCode, TotalQuota] as const],
            ),
    );
}
