/** How many of something an account may have in the cloud. */
import type { LoadBalancerType } from "./load-balancer-type";

/** What is counted. */
export const QUOTA_KINDS = ["instances", "listeners", "backends", "attachments"] as const;
export type QuotaKind = (typeof QUOTA_KINDS)[number];

/** A quota by its code in Quota Center. */
export interface QuotaRow {
    readonly code: string;
    /** What an account has as long as nobody has it changed. */
    readonly published: number;
    readonly what: string;
}

/**
 * The quotas that Services use up, with their published defaults; every one can be raised for an account.
 * Source: "CLB quotas" (slb_quota_…) and "NLB quotas" (nlb_quota_…) of Server Load Balancer.
 */
export const QUOTAS: Readonly<Record<LoadBalancerType, Readonly<Record<QuotaKind, QuotaRow>>>> = {
    clb: {
        instances: { code: "slb_quota_instances_num", published: 30, what: "CLB instances of the account" },
        listeners: { code: "slb_quota_listeners_num", published: 50, what: "listeners of a CLB" },
        backends: { code: "slb_quota_backendservers_num", published: 200, what: "backends of a CLB" },
        attachments: {
            code: "slb_quota_backendserver_attached_num",
            published: 50,
            what: "CLB instances behind which one server stands",
        },
    },
    nlb: {
        instances: {
            code: "nlb_quota_loadbalancers_num",
            published: 60,
            what: "NLB instances of the account in the region",
        },
        listeners: { code: "nlb_quota_loadbalancer_listeners_num", published: 50, what: "listeners of an NLB" },
        backends: { code: "nlb_quota_loadbalancer_noeci_servers_num", published: 400, what: "backends of an NLB" },
        attachments: {
            code: "nlb_quota_server_added_num",
            published: 200,
            what: "server groups of NLBs that one server is in",
        },
    },
};
