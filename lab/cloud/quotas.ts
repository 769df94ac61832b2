import { reads, type Action } from "./actions";
import type { Quotas } from "./core/config";
import type { World } from "./world";

/** A row of Quota Center: its name there, the setting that holds its limit, and how much of it is used. */
interface Row {
    readonly code: string;
    readonly limit: keyof Quotas;
    readonly used?: (world: World) => number;
}

const ROWS: Readonly<Record<string, readonly Row[]>> = {
    slb: [
        {
            code: "slb_quota_instances_num",
            limit: "loadBalancers",
            used: (world) => world.slb.loadBalancers.size,
        },
        { code: "slb_quota_listeners_num", limit: "listenersPerLoadBalancer" },
        { code: "slb_quota_backendservers_num", limit: "backendsPerLoadBalancer" },
        { code: "slb_quota_backendserver_attached_num", limit: "attachmentsPerServer" },
    ],
    nlb: [
        {
            code: "nlb_quota_loadbalancers_num",
            limit: "nlbLoadBalancers",
            used: (world) => world.nlb.loadBalancers.size,
        },
        { code: "nlb_quota_loadbalancer_listeners_num", limit: "nlbListenersPerLoadBalancer" },
        { code: "nlb_quota_server_added_num", limit: "nlbAttachmentsPerServer" },
    ],
};

/** Quota Center, 2020-05-10: what the account may have. Rows of the region are given with and without its dimension. */
export const quotaActions: readonly Action[] = [
    reads("ListProductQuotas", { ProductCode: { required: true } }, (params, world) => {
        const rows = ROWS[params.need("ProductCode")] ?? [];
        return {
            TotalCount: rows.length,
            Quotas: rows.map(({ code, limit, used }) => ({
                ProductCode: params.need("ProductCode"),
                QuotaActionCode: code,
                TotalQuota: world.config.quotas[limit],
                Consumable: used !== undefined,
                ...(used === undefined ? {} : { TotalUsage: used(world) }),
                Dimensions: { regionId: world.region },
            })),
        };
    }),
];
