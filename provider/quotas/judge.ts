/** Whether quotas suffice. */

import type { LoadBalancerType } from "../schema/load-balancer-type";
import { type QuotaName, QUOTA_NAMES, QUOTAS } from "./table";

/** How many of something there may be. */
export interface Limit {
    readonly limit: number;
    /** Whether it is the published default, because the cloud was not asked or did not answer. */
    readonly assumed: boolean;
}

/** The limits of one kind of load balancer. */
export type Limits = Readonly<Record<QuotaName, Limit>>;

/** What an account may have, and what it has. */
export interface AccountQuotas {
    readonly limits: Readonly<Record<LoadBalancerType, Limits>>;
    /** Instances that there are; undefined where the cloud was not asked or did not answer. */
    readonly instances: Readonly<Record<LoadBalancerType, number | undefined>>;
}

/** A number of things that is wanted under one quota. */
export interface QuotaUse {
    readonly type: LoadBalancerType;
    readonly quota: QuotaName;
    /** Whose use it is: `Service default/web`, an instance, an account. */
    readonly subject: string;
    /** How many there are after the change. */
    readonly used: number;
}

/** A use beside its limit. */
interface JudgedUse extends QuotaUse, Limit {
    readonly what: string;
    readonly sufficient: boolean;
}

const limitsOf = (type: LoadBalancerType): Limits =>
    Object.fromEntries(
        QUOTA_NAMES.map((name) => [name, { limit: QUOTAS[type][name].limit, assumed: true }]),
    ) as unknown as Limits;

/** The published defaults, for an account that was not asked. */
export const ASSUMED_QUOTAS: AccountQuotas = {
    limits: { clb: limitsOf("clb"), nlb: limitsOf("nlb") },
    instances: { clb: undefined, nlb: undefined },
};

/** A use beside the account's limit. */
export function judgeUse(use: QuotaUse, { limits }: AccountQuotas): JudgedUse {
    const { limit, assumed } = limits[use.type][use.quota];
    return { ...use, limit, assumed, what: QUOTAS[use.type][use.quota].what, sufficient: use.used <= limit };
}
