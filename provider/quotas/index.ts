/** Quotas of the cloud: the published numbers, and whether they suffice. `readQuotas` of provider/alicloud asks the account's own. */
export { type AccountQuotas, ASSUMED_QUOTAS, judgeUse, type Limit, type Limits, type QuotaUse } from "./judge";
export { QUOTA_NAMES, type QuotaName, type QuotaRow, QUOTAS } from "./table";
export {
    defaultRate,
    isRead,
    parseWriteQuotas,
    type Rate,
    rateOf,
    WRITE_QUOTAS_VARIABLE,
    type WriteQuotas,
} from "./rates";
