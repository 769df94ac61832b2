/** Quotas of the cloud. `readQuotas` of provider/cloud reads those of an account. */
import type { LoadBalancerType } from "../schema/load-balancer-type";

export const QUOTA_NAMES = ["instances", "listeners", "backends", "attachments"] as const;

export type QuotaName = (typeof QUOTA_NAMES)[number];

interface QuotaRow {
    /** The published default. An account may have another. */
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

export interface AccountQuotas {
    readonly limits: Readonly<Record<LoadBalancerType, Limits>>;
    /** Existing instances, or undefined if the cloud was not asked or did not answer. */
    readonly instances: Readonly<Record<LoadBalancerType, number | undefined>>;
}

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

/** Returns the limits of an account, with published defaults for those that are not known by their code. */
export function limitsOf(type: LoadBalancerType, known: ReadonlyMap<string, number> = new Map()): Limits {
    const limits = QUOTA_NAMES.map((name): [QuotaName, Limit] => {
        const { code, limit: published } = QUOTAS[type][name];
        const limit = known.get(code);
        return [name, { limit: limit ?? published, assumed: limit === undefined }];
    });
    return Object.fromEntries(limits) as Record<QuotaName, Limit>;
}

export function judgeUse(use: QuotaUse, { limits }: AccountQuotas): JudgedUse {
    const { limit, assumed } = limits[use.type][use.quota];
    return { ...use, limit, assumed, what: QUOTAS[use.type][use.quota].what, sufficient: use.used <= limit };
}

export interface ObservedQuotas {
    readonly account: AccountQuotas;
    /** Instances for the cluster that belong to no Service of the run with an address. */
    readonly recoverable: number;
}

/** Most calls of an action in any period of `perMs` milliseconds. */
export interface Rate {
    readonly calls: number;
    readonly perMs: number;
}

const MINUTE_MS = 60_000;

/** Source: "API rate quotas" of SLB (2014-05-15) and NLB (2022-04-30), per account, region and action. */
const WRITES_PER_MINUTE = { slb: 90, nlb: 200 } as const;

type WrittenProduct = keyof typeof WRITES_PER_MINUTE;

const isRead = (action: string): boolean => /^(?:Describe|List|Get|Query)/.test(action);

/** Returns the published quota of an action, per account and region. ECS and VPC read limits are never reached. */
export function defaultRate(product: string, action: string): Rate {
    if (isRead(action)) return product === "nlb" ? { calls: 20, perMs: 1_000 } : { calls: 3_000, perMs: MINUTE_MS };
    return { calls: WRITES_PER_MINUTE[product === "nlb" ? "nlb" : "slb"], perMs: MINUTE_MS };
}

/** Variable with raised write quotas of an account, calls per seconds: `slb=180/60,nlb=400/60`. */
export const WRITE_QUOTAS_VARIABLE = "ACK_LOADBALANCER_WRITE_QUOTAS";

/** Rates of writes by product. If absent, the published rate applies. */
type WriteQuotas = Readonly<Partial<Record<WrittenProduct, Rate>>>;

/** Parses {@link WRITE_QUOTAS_VARIABLE}. @throws Error with the format */
export function parseWriteQuotas(text: string | undefined): WriteQuotas {
    const entries = (text ?? "").split(",").filter((entry) => entry.trim() !== "");
    return Object.fromEntries(
        entries.map((entry) => {
            const [, product = "", calls = "", seconds = "60"] =
                /^(slb|nlb)=(\d{1,7})(?:\/(\d{1,4}))?$/.exec(entry.trim()) ?? [];
            if (Number(calls) < 1 || Number(seconds) < 1)
                throw new Error(
                    `${WRITE_QUOTAS_VARIABLE} has ${JSON.stringify(entry)}, which is not a valid quota. ` +
                        "Remedy: write calls and seconds for slb and nlb, such as slb=90/60,nlb=200/60, or unset it.",
                );
            return [product, { calls: Number(calls), perMs: Number(seconds) * 1_000 }];
        }),
    );
}

export function rateOf(quotas: WriteQuotas, product: string, action: string): Rate {
    const own = isRead(action) ? undefined : quotas[product as WrittenProduct];
    return own ?? defaultRate(product, action);
}
