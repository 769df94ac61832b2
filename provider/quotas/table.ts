import type { LoadBalancerType } from "../schema/load-balancer-type";

export const QUOTA_NAMES = ["instances", "listeners", "backends", "attachments"] as const;

export type QuotaName = (typeof QUOTA_NAMES)[number];

interface QuotaRow {
    /** The published default; an account may have another. */
    readonly limit: number;
    /** Name in the cloud's Quota Center (QuotaActionCode). */
    readonly code: string;
    /** Label, e.g. `listeners of the instance`. */
    readonly what: string;
}

/** Source: "CLB quotas" (2025-06) and "NLB quotas" (2026-03) of Alibaba Cloud's product documentation. */
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

export interface Limit {
    readonly limit: number;
    /** True for the published default, if the cloud was not asked or did not answer. */
    readonly assumed: boolean;
}

export type Limits = Readonly<Record<QuotaName, Limit>>;

/** Limits and use of an account. */
export interface AccountQuotas {
    readonly limits: Readonly<Record<LoadBalancerType, Limits>>;
    /** Existing instances; undefined if the cloud was not asked or did not answer. */
    readonly instances: Readonly<Record<LoadBalancerType, number | undefined>>;
}

/** Use of one quota. */
export interface QuotaUse {
    readonly type: LoadBalancerType;
    readonly quota: QuotaName;
    /** `Service default/web`, an instance, an account. */
    readonly subject: string;
    /** Number after the change. */
    readonly used: number;
}

interface JudgedUse extends QuotaUse, Limit {
    readonly what: string;
    readonly sufficient: boolean;
}

const limitsOf = (type: LoadBalancerType): Limits =>
    Object.fromEntries(
        QUOTA_NAMES.map((name) => [name, { limit: QUOTAS[type][name].limit, assumed: true }]),
    ) as unknown as Limits;

/** Published defaults, for an account that was not asked. */
export const ASSUMED_QUOTAS: AccountQuotas = {
    limits: { clb: limitsOf("clb"), nlb: limitsOf("nlb") },
    instances: { clb: undefined, nlb: undefined },
};

/** Compares a use with the account's limit. */
export function judgeUse(use: QuotaUse, { limits }: AccountQuotas): JudgedUse {
    const { limit, assumed } = limits[use.type][use.quota];
    return { ...use, limit, assumed, what: QUOTAS[use.type][use.quota].what, sufficient: use.used <= limit };
}

/** Quotas of the account. */
export interface ObservedQuotas {
    readonly account: AccountQuotas;
    /** Instances for the cluster that belong to no Service of the run with an address. */
    readonly recoverable: number;
}
