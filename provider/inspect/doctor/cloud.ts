/** Region, credentials and permissions, by calls that change nothing. */

import { callerAccountId, type Cloud, CloudError, CredentialsError, type Product, readQuotas } from "../../alicloud";
import { firstLine } from "../../net";
import { type AccountQuotas, judgeUse, QUOTA_NAMES, QUOTAS } from "../../quotas";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../schema/load-balancer-type";
import type { Check } from "./check";

/** A read that a run makes, with arguments that name nothing. */
interface Probe {
    readonly product: Product;
    readonly action: string;
    readonly params: Readonly<Record<string, unknown>>;
}

/** An id that no object has: who may ask gets a "not found", who may not a refusal. */
const NONE = "none-ack-loadbalancer-doctor";

const PROBES: readonly Probe[] = [
    { product: "slb", action: "DescribeLoadBalancers", params: { PageSize: 1 } },
    { product: "slb", action: "DescribeLoadBalancerAttribute", params: { LoadBalancerId: NONE } },
    { product: "slb", action: "DescribeVServerGroups", params: { LoadBalancerId: NONE } },
    { product: "slb", action: "DescribeAccessControlLists", params: { PageSize: 1 } },
    { product: "slb", action: "DescribeServerCertificates", params: {} },
    { product: "slb", action: "ListTagResources", params: { ResourceType: "instance", "ResourceId.1": NONE } },
    { product: "nlb", action: "ListLoadBalancers", params: { MaxResults: 1 } },
    { product: "nlb", action: "ListListeners", params: { MaxResults: 1 } },
    { product: "nlb", action: "ListServerGroups", params: { MaxResults: 1 } },
    { product: "vpc", action: "DescribeVSwitchAttributes", params: { VSwitchId: NONE } },
    { product: "ecs", action: "DescribeNetworkInterfaces", params: { PageSize: 10 } },
    { product: "ecs", action: "DescribeSecurityGroups", params: { PageSize: 10 } },
];

/** How the cloud is reached, or why it cannot be opened. */
export type CloudAccess = { readonly cloud: Cloud } | { readonly failure: unknown };

/** The checks of the cloud; all of them, also where one fails. */
export async function checkCloud(access: CloudAccess): Promise<Check[]> {
    if ("failure" in access)
        return [failed("region", access.failure, "set ALIBABA_CLOUD_REGION, or alicloud:region in the stack")];
    const { cloud } = access;
    const region = { area: "cloud", what: "region", state: "ok", found: cloud.region } as const;
    const account = await identity(cloud);
    if (account.state !== "ok") return [region, account];
    const [permissions, quotas] = await Promise.all([
        Promise.all(PROBES.map((probe) => ask(cloud, probe))),
        readQuotas(cloud, LOAD_BALANCER_TYPES),
    ]);
    return [
        region,
        account,
        ...permissions,
        ...LOAD_BALANCER_TYPES.flatMap((type) => quotaChecks(type, quotas)),
        WRITES,
    ];
}

/** What cannot be tried without changing something. */
const WRITES: Check = {
    area: "cloud",
    what: "write permissions",
    state: "skipped",
    found: "not tried: the cloud has no harmless write for a CLB",
    remedy: "compare the role with docs/ram-policy.md",
};

async function identity(cloud: Cloud): Promise<Check> {
    try {
        return { area: "cloud", what: "credentials", state: "ok", found: `account ${await callerAccountId(cloud)}` };
    } catch (error) {
        const remedy = error instanceof CredentialsError ? error.remedy : "check key, role and clock of this machine";
        return failed("credentials", error, remedy);
    }
}

async function ask(cloud: Cloud, { product, action, params }: Probe): Promise<Check> {
    const what = `${product}:${action}`;
    const allowed: Check = { area: "cloud", what, state: "ok", found: "allowed" };
    try {
        await cloud.call(product, action, params);
        return allowed;
    } catch (error) {
        if (!(error instanceof CloudError)) return failed(what, error, "check the network");
        if (isRefusal(error)) return failed(what, error, `allow ${what} to the user or role: docs/ram-policy.md`);
        // An answer about the object that does not exist comes after the permission was looked at.
        return error.httpStatus === undefined ? failed(what, error, "check network, proxy and endpoint") : allowed;
    }
}

const isRefusal = ({ code, httpStatus }: CloudError): boolean =>
    /^(?:Forbidden|NoPermission|InvalidAccessKeyId|SignatureDoesNotMatch|Unauthorized)/i.test(code) ||
    httpStatus === 403;

/** The instances that are left, and the limits of each instance. */
export function quotaChecks(type: LoadBalancerType, account: AccountQuotas): Check[] {
    const kind = type.toUpperCase();
    const used = account.instances[type];
    return QUOTA_NAMES.map((quota): Check => {
        const { limit, assumed } = account.limits[type][quota];
        const counted = quota === "instances" && used !== undefined ? `${used} of ${limit}` : String(limit);
        const common = {
            area: "cloud",
            what: `quota of ${kind}: ${QUOTAS[type][quota].what}`,
            found: `${counted} (${assumed ? "the published default; yours may differ" : "asked of the cloud"})`,
        } as const;
        const another = { type, quota, subject: kind, used: (used ?? 0) + 1 };
        return quota !== "instances" || judgeUse(another, account).sufficient
            ? { ...common, state: "ok" }
            : { ...common, state: "warning", remedy: "no instance is left: have the quota raised in Quota Center" };
    });
}

const failed = (what: string, error: unknown, remedy: string): Check => ({
    area: "cloud",
    what,
    state: "error",
    found: error instanceof CloudError ? `${error.code}: ${error.detail}` : firstLine(error),
    remedy: error instanceof CloudError && error.remedy !== undefined ? `${remedy} (${error.remedy})` : remedy,
});
