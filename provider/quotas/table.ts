/** Quotas of load balancers: how many of something the cloud allows, and what each is called there. */

import type { LoadBalancerType } from "../schema/load-balancer-type";

/** What is counted. */
export const QUOTA_NAMES = ["instances", "listeners", "backends", "attachments"] as const;

/** See {@link QUOTA_NAMES}. */
export type QuotaName = (typeof QUOTA_NAMES)[number];

/** One quota. */
export interface QuotaRow {
    /** The published default; an account may have another. */
    readonly limit: number;
    /** Name in the cloud's Quota Center (QuotaActionCode). */
    readonly code: string;
    /** What is counted, of what. */
    readonly what: string;
}

/**
 * The quotas of each kind.
 *
 * Source: "CLB quotas" (2025-06) and "NLB quotas" (2026-03) of Alibaba Cloud's product documentation.
 */
export const QUOTAS: Readonly<Record<LoadBalancerType, Readonly<Record<QuotaName, QuotaRow>>>> = {
    clb: {
        instances: { limit: 30, code: "slb_quota_instances_num", what: "instances of the account" },
        listeners: { limit: 50, code: "slb_quota_listeners_num", what: "listeners of the instance" },
        backends: { limit: 200, code: "slb_quota_backendservers_num", what: "backends of the instance" },
        attachments: {
            limit: 50,
            code: "slb_quota_backendserver_attached_num",
            what: "instances that one ECS instance is a backend of",
        },
    },
    nlb: {
        instances: {
            limit: 60,
            code: "nlb_quota_loadbalancers_num",
            what: "instances of the account in the region",
        },
        listeners: { limit: 50, code: "nlb_quota_loadbalancer_listeners_num", what: "listeners of the instance" },
        backends: { limit: 400, code: "nlb_quota_loadbalancer_noeci_servers_num", what: "backends of the instance" },
        attachments: {
            limit: 200,
            code: "nlb_quota_server_added_num",
            what: "server groups that one server is in",
        },
    },
};
