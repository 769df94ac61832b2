/** Region, credentials and permissions, by calls that change nothing. */

import { callerAccountId, type Cloud, CloudError, CredentialsError, type Product } from "../../alicloud";
import { firstLine } from "../../net";
import { QUOTAS } from "../../schema/quotas";
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
    const probes = await Promise.all(PROBES.map((probe) => ask(cloud, probe)));
    const permissions = probes.map(({ check }) => check);
    return [region, account, ...permissions, ...probes.flatMap(({ quota }) => quota ?? []), WRITES];
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

async function ask(cloud: Cloud, { product, action, params }: Probe): Promise<{ check: Check; quota?: Check[] }> {
    const what = `${product}:${action}`;
    const allowed = (found: string): Check => ({ area: "cloud", what, state: "ok", found });
    try {
        const total = Number((await cloud.call(product, action, params))["TotalCount"]);
        const counted = /^(?:DescribeLoadBalancers|ListLoadBalancers)$/.test(action) && Number.isInteger(total);
        return {
            check: allowed("allowed"),
            ...(counted && (product === "slb" || product === "nlb") ? { quota: [quotaOf(product, total)] } : {}),
        };
    } catch (error) {
        if (!(error instanceof CloudError)) return { check: failed(what, error, "check the network") };
        if (isRefusal(error))
            return { check: failed(what, error, `allow ${what} to the user or role: docs/ram-policy.md`) };
        // An answer about the object that does not exist comes after the permission was looked at.
        return {
            check:
                error.httpStatus === undefined
                    ? failed(what, error, "check network, proxy and endpoint")
                    : allowed("allowed"),
        };
    }
}

const isRefusal = ({ code, httpStatus }: CloudError): boolean =>
    /^(?:Forbidden|NoPermission|InvalidAccessKeyId|SignatureDoesNotMatch|Unauthorized)/i.test(code) ||
    httpStatus === 403;

function quotaOf(product: "slb" | "nlb", used: number): Check {
    const limit = QUOTAS[product === "slb" ? "clb" : "nlb"].instances.published;
    const kind = product === "slb" ? "CLB" : "NLB";
    const found = `${used} of ${limit} (the published default; yours may differ)`;
    const common = { area: "cloud", what: `quota of ${kind} instances`, found } as const;
    return used < limit
        ? { ...common, state: "ok" }
        : {
              ...common,
              state: "warning",
              remedy: "look at the quota in the console, and have it raised if it is reached",
          };
}

const failed = (what: string, error: unknown, remedy: string): Check => ({
    area: "cloud",
    what,
    state: "error",
    found: error instanceof CloudError ? `${error.code}: ${error.detail}` : firstLine(error),
    remedy: error instanceof CloudError && error.remedy !== undefined ? `${remedy} (${error.remedy})` : remedy,
});
