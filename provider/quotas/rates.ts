/** Most calls of one action in any period of `perMs` milliseconds. */
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

/** Rates of writes by product; absent = the published one. */
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
                    `${WRITE_QUOTAS_VARIABLE} has ${JSON.stringify(entry)}, which is no quota. ` +
                        "Remedy: write calls and seconds for slb and nlb, such as slb=90/60,nlb=200/60, or unset it.",
                );
            return [product, { calls: Number(calls), perMs: Number(seconds) * 1_000 }];
        }),
    );
}

/** Returns the rate of an action for an account. */
export function rateOf(quotas: WriteQuotas, product: string, action: string): Rate {
    const own = isRead(action) ? undefined : quotas[product as WrittenProduct];
    return own ?? defaultRate(product, action);
}
