import { type AccountQuotas, limitsOf } from "../../provider/quotas";

/** Published defaults, for an account that was not asked. */
export const ASSUMED_QUOTAS: AccountQuotas = {
    limits: { clb: limitsOf("clb"), nlb: limitsOf("nlb") },
    instances: { clb: undefined, nlb: undefined },
};
