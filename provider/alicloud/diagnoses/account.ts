import type { DiagnosisRow } from "./row";
import { CLB_API, FAQ } from "./documents";

/** Errors about money and call rates. */
export const account: readonly DiagnosisRow[] = [
    {
        code: "arrears",
        codes: ["ORDER.ARREARAGE", "ARREARAGE", "AccountHasArrearage", "ORDER.INST_HAS_UNSETTLED_BILLS"],
        messages: [/account is (?:in )?arrearage/i],
        cause: "The account has overdue payments.",
        remedy: "Pay the overdue amount in the billing console, then run again.",
        source: FAQ,
    },
    {
        code: "balance",
        codes: ["PAY.INSUFFICIENT_BALANCE", "INSUFFICIENT_BALANCE"],
        messages: [/account does not have enough balance/i],
        cause: "The account holds less than the CNY 100 that a pay-as-you-go load balancer needs.",
        remedy: "Top the account up, then run again.",
        source: FAQ,
    },
    {
        code: "real-name",
        codes: ["ORDER.NO_REAL_NAME_AUTHENTICATION", "NO_REAL_NAME_AUTHENTICATION", "NoNameAuthentication"],
        cause: "The account has not passed the real-name verification that buying a load balancer needs.",
        remedy: "Complete the verification in the account centre, then run again.",
        source: CLB_API,
    },
    {
        code: "throttled",
        codes: [/Throttling/],
        messages: [/request was denied due to (?:user|api|request)? ?flow control/i],
        cause: "The account made more calls of this API in a minute than its quota allows; the tries of this package are used up.",
        remedy: "Run again later or with fewer resources at a time (pulumi up --parallel), look for other clients of the account that call the API in a loop (a failing Service makes CCM do that), or raise the API's rate quota in Quota Center.",
        source: FAQ,
    },
];
