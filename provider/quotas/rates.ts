/** How often an action may be called: the published quotas, and an account's own where they were raised. */

/** So many calls in any stretch of so many milliseconds. */
export interface Rate {
    readonly calls: number;
    readonly perMs: number;
}

const MINUTE_MS = 60_000;

/** Writes of one action in an account and region, by product. Source: "API rate quotas" of SLB (2014-05-15) and NLB (2022-04-30). */
const WRITES_PER_MINUTE = { slb: 90, nlb: 200 } as const;

/** A product whose writes have a quota. */
export type WrittenProduct = keyof typeof WRITES_PER_MINUTE;

/** Whether an action only reads. */
export const isRead = (action: string): boolean => /^(?:Describe|List|Get|Query)/.test(action);

/** Alibaba Cloud's default limits for one account, region and action (the "API rate quotas" pages of CLB and NLB; ECS and VPC read limits are far above what this package needs). */
export function defaultRate(product: string, action: string): Rate {
    if (isRead(action)) return product === "nlb" ? { calls: 20, perMs: 1_000 } : { calls: 3_000, perMs: MINUTE_MS };
    return { calls: WRITES_PER_MINUTE[product === "nlb" ? "nlb" : "slb"], perMs: MINUTE_MS };
}

/** Names the write quotas of an account where they are not the published ones: `slb=180/60,nlb=400/60`, calls of one action in so many seconds. */
export const WRITE_QUOTAS_VARIABLE = "ACK_LOADBALANCER_WRITE_QUOTAS";

/** Rates of writes by product; the published ones for what is absent. */
export type WriteQuotas = Readonly<Partial<Record<WrittenProduct, Rate>>>;

/**
 * Reads {@link WRITE_QUOTAS_VARIABLE}.
 *
 * @throws Error that says how it is written
 */
export function parseWriteQuotas(text: string | undefined): WriteQuotas {
    const entries = (text ?? "").split(",").filter((entry) => entry.trim() !== "");
    return Object.fromEntries(
        entries.map((entry) => {
            const [, product = "", calls = "", seconds = "60"] =
                /^(slb|nlb)=(\d{1,7})(?:\/(\d{1,4}))?$/.exec(entry.trim()) ?? [];
            if (Number(calls) < 1 || Number(seconds) < 1)
                throw new Error(
                    `${WRITE_QUOTAS_VARIABLE} has ${JSON.stringify(entry)}, which is no quota. Remedy: write calls and seconds for slb and nlb, such as slb=90/60,nlb=200/60, or unset it.`,
                );
            return [product, { calls: Number(calls), perMs: Number(seconds) * 1_000 }];
        }),
    );
}

/** The rate of an action for an account with these quotas. */
export function rateOf(quotas: WriteQuotas, product: string, action: string): Rate {
    const own = isRead(action) ? undefined : quotas[product as WrittenProduct];
    return own ?? defaultRate(product, action);
}
