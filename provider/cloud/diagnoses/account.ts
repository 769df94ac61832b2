import { BUSY_CODES } from "../http/failure";
import { CLB_API, CLB_QUOTAS, diagnosis, FAQ, FAQ_PERMISSIONS, OPENAPI, RAM, UNEXPECTED_ANSWER } from "./row";

/** Errors about the account: money, call rates, credentials, permissions, and the way to the cloud. */
export const accountErrors = [
    diagnosis("arrears", FAQ, {
        codes: ["ORDER.ARREARAGE", "ARREARAGE", "AccountHasArrearage", "ORDER.INST_HAS_UNSETTLED_BILLS"],
        messages: [/account is (?:in )?arrearage/i],
        cause: "The account has overdue payments.",
        remedy: "Pay the overdue amount in the billing console, then run again.",
    }),
    diagnosis("balance", FAQ, {
        codes: ["PAY.INSUFFICIENT_BALANCE", "INSUFFICIENT_BALANCE"],
        messages: [/account does not have enough balance/i],
        cause: "The account holds less than the CNY 100 that a pay-as-you-go load balancer needs.",
        remedy: "Top the account up, then run again.",
    }),
    diagnosis("real-name", CLB_API, {
        codes: ["ORDER.NO_REAL_NAME_AUTHENTICATION", "NO_REAL_NAME_AUTHENTICATION", "NoNameAuthentication"],
        cause: "The account has not passed the real-name verification that buying a load balancer needs.",
        remedy: "Complete the verification in the account centre, then run again.",
    }),
    diagnosis("throttled", FAQ, {
        codes: [/Throttling/],
        messages: [/request was denied due to (?:user|api|request)? ?flow control/i],
        cause:
            "The account made more calls of this API in a minute than its quota allows; the tries of this package " +
            "are used up.",
        remedy:
            "Run again later or with fewer resources at a time (pulumi up --parallel), look for other clients of " +
            "the account that call the API in a loop (a failing Service makes CCM do that), or raise the API's rate " +
            "quota in Quota Center.",
    }),
    diagnosis("busy", CLB_API, {
        codes: BUSY_CODES,
        cause:
            "The object is busy: an earlier change of it is still being carried out, by this run or by another " +
            "client of the account.",
        remedy:
            "Run again; it continues where this run stopped, also a destroy. If it stays so for minutes, look for " +
            "another client that changes the load balancer, and at its status in the console.",
    }),
    diagnosis("quota", CLB_QUOTAS, {
        codes: [/^Quota(?:Exceeded|Insufficient)/],
        cause: "A quota of the account or of the load balancer is used up; the message names the quota and its use.",
        remedy: "Raise the quota that the message names in Quota Center, or use less of it, then run again.",
    }),
    diagnosis("permission-ccm", FAQ_PERMISSIONS, {
        ofController: true,
        messages: [/\b(?:nlb:ListAsynJobs|vpc:(?:Create|Delete)RouteEntries)\b/],
        cause:
            "The role of the cluster's CCM lacks permissions that newer versions need: v2.11.2 manages Flannel " +
            "routes, v2.12.1 NLBs in batches.",
        remedy:
            "Add nlb:ListAsynJobs, and for Flannel vpc:CreateRouteEntries and vpc:DeleteRouteEntries, to the policy " +
            "k8sMasterRolePolicy-Ccm-… (older clusters: k8sMasterRolePolicy-…) of the ACK dedicated cluster's " +
            "master RAM role.",
    }),
    diagnosis("key-unknown", OPENAPI, {
        codes: [/^InvalidAccessKeyId/, "InvalidAccessKey", /^Forbidden\.AccessKey/],
        cause: "The AccessKey id is unknown or disabled.",
        remedy:
            "Check ALIBABA_CLOUD_ACCESS_KEY_ID (ALICLOUD_ACCESS_KEY takes precedence over it), or the profile or " +
            "role that gives the key.",
    }),
    diagnosis("permission", RAM, {
        // Kubernetes writes it in small letters.
        codes: [/^Forbidden$/, /^Forbidden\./, "NoPermission", "User.NoPermission", /^ForbiddenRAM/i, "AccessDenied"],
        messages: [/not authorized to (?:operate|perform)/i],
        cause: "The RAM user or role of these credentials may not make this call.",
        remedy:
            "Attach the policy of docs/ram-policy.md to the user or role, or add the action that is named here to " +
            "its policy.",
    }),
    diagnosis("key-secret", OPENAPI, {
        codes: ["SignatureDoesNotMatch", "IncompleteSignature"],
        cause: "The AccessKey secret does not belong to the AccessKey id.",
        remedy:
            "Check ALIBABA_CLOUD_ACCESS_KEY_SECRET (ALICLOUD_SECRET_KEY takes precedence over it); look for a stray " +
            "blank or line end.",
    }),
    diagnosis("token-expired", OPENAPI, {
        codes: [/^InvalidSecurityToken/, /^SecurityTokenExpired/i],
        cause: "The temporary credentials are out of date or do not belong together.",
        remedy: "Get new ones: log in again, or unset ALIBABA_CLOUD_SECURITY_TOKEN if the key pair is a permanent one.",
    }),
    diagnosis("clock", OPENAPI, {
        codes: ["InvalidTimeStamp.Expired", "InvalidTimeStamp.Format", "RequestTimeTooSkewed"],
        cause: "The clock of this machine is off by more than 15 minutes.",
        remedy: "Set the clock right (NTP) and run again.",
    }),
    diagnosis("certificate-untrusted", OPENAPI, {
        codes: [
            "DEPTH_ZERO_SELF_SIGNED_CERT",
            "SELF_SIGNED_CERT_IN_CHAIN",
            /^UNABLE_TO_(?:GET|VERIFY)_/,
            "CERT_HAS_EXPIRED",
            "ERR_TLS_CERT_ALTNAME_INVALID",
        ],
        cause:
            "The endpoint's TLS certificate is not trusted: a proxy stands between, or the endpoint variable names " +
            "a host of your own.",
        remedy:
            "Put the authority's certificate into a file named by NODE_EXTRA_CA_CERTS, or correct " +
            "ALIBABA_CLOUD_ENDPOINT_<PRODUCT>.",
    }),
    diagnosis("unreachable", OPENAPI, {
        codes: [
            "ECONNREFUSED",
            "ENOTFOUND",
            "EAI_AGAIN",
            "EHOSTUNREACH",
            "ENETUNREACH",
            "CONNECT_TIMEOUT",
            "ETIMEDOUT",
        ],
        cause: "The API endpoint could not be reached from this machine.",
        remedy:
            "Check the network, HTTPS_PROXY, the region, and ALIBABA_CLOUD_ENDPOINT_<PRODUCT> or <PRODUCT>_ENDPOINT " +
            "if one is set.",
    }),
    diagnosis("unexpected-answer", OPENAPI, {
        codes: [UNEXPECTED_ANSWER],
        cause: "The response is not the one of the API reference.",
        remedy: "Run again; if it stays so, update ack-loadbalancer.",
    }),
    diagnosis("service-unavailable", CLB_API, {
        codes: ["ServiceUnavailable", "InternalError", /^HTTP 5\d\d$/],
        cause: "The cloud's API failed; the tries of this package are used up.",
        remedy: "Run again later; if it stays, open a ticket with the request id.",
    }),
];
