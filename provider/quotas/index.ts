/** Quotas of the cloud. `readQuotas` of provider/cloud reads those of an account. */
export {
    type AccountQuotas,
    ASSUMED_QUOTAS,
    judgeUse,
    type Limit,
    type Limits,
    type ObservedQuotas,
    QUOTA_NAMES,
    type QuotaName,
    QUOTAS,
    type QuotaUse,
} from "./table";
export { defaultRate, parseWriteQuotas, type Rate, rateOf, WRITE_QUOTAS_VARIABLE } from "./rates";
